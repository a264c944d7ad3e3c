import { testProgram, type Workspace } from "@pi-ts/testkit";
import type { LanguageServers } from "../../contract/language-servers.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { systemClock } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../platform/processes/registry.ts";
import { fileToolContext } from "../../tools/shared/test-support/file-tool-context.ts";
import { createLanguageServers, type LanguageServersOfSession } from "../create-language-servers.ts";
import { searchPlaces } from "../find-program.ts";
import type { LanguageServerLimits } from "../limits.ts";
import type { ServerSetting } from "../server-definition.ts";

export interface BenchOptions {
  servers?: Readonly<Record<string, ServerSetting>>;
  trusted?: boolean;
  limits?: Partial<LanguageServerLimits>;
  environment?: Readonly<Record<string, string | undefined>>;
}

/** Language servers on a workspace, with real processes; disposal ends them all. */
export interface LanguageBench extends AsyncDisposable {
  session: LanguageServersOfSession;
  ask: LanguageServers;
  context: ToolContext;
  processes: ProcessRegistry;
  signal: AbortSignal;
}

export function languageBench(ws: Workspace, options: BenchOptions = {}): LanguageBench {
  const environment = options.environment ?? ws.env();
  const processes = createProcessRegistry({ environment, ownerId: newId(), clock: systemClock });
  const context = { ...fileToolContext(ws.path), processes };
  const session = createLanguageServers({
    files: context.files,
    processes,
    clock: systemClock,
    places: searchPlaces(environment, ws.home, context.files.root, options.trusted ?? false),
    servers: options.servers ?? {},
    limits: options.limits ?? {},
  });
  return {
    session,
    ask: session.queries,
    context,
    processes,
    signal: context.signal,
    async [Symbol.asyncDispose]() {
      await session.close();
      await processes.endAll();
    },
  };
}

const NODE = Bun.which("node");

/** The setting for a real server that runs on Node, from `test-programs`; null where it is not installed. */
export function nodeServer(path: string): ServerSetting | null {
  const program = testProgram(path);
  return program === null || NODE === null ? null : { command: NODE, args: [program, "--stdio"] };
}

export const TYPESCRIPT_SERVER = nodeServer("typescript-language-server/lib/cli.mjs");
export const PYRIGHT_SERVER = nodeServer("pyright/langserver.index.js");
