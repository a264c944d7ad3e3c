/** A whole conversation in memory with extensions written into a workspace, on a scripted model. */
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { FakeModel, testModel } from "../../../agent/test-support/fake-model.ts";
import { type App, buildApp } from "../../../cli/app.ts";
import type { AppParts } from "../../../cli/app-parts.ts";
import { parseFlags } from "../../../cli/flags.ts";
import { Notices } from "../../../cli/notices.ts";
import type { Settings } from "../../../cli/run-setup.ts";
import { loadSettings } from "../../../cli/settings.ts";
import type { AgentEvent } from "../../../contract/events.ts";
import type { ExtensionSurface } from "../../../contract/extension-surface.ts";
import { homeFolders } from "../../../platform/home.ts";
import { memorySession } from "../../../session/memory-session.ts";
import type { Session } from "../../../session/session.ts";

export interface BenchOptions {
  /** Modules in `~/.pi-go/extensions`, by name. */
  extensions: Readonly<Record<string, string>>;
  /** `~/.pi-go/config.json`. */
  config?: object;
  files?: Readonly<Record<string, string>>;
  argv?: readonly string[];
  mode?: string;
  surface?: ExtensionSurface;
  parts?: Partial<AppParts>;
}

export class ExtensionBench implements AsyncDisposable {
  readonly ws: Workspace;
  readonly model: FakeModel;
  readonly app: App;
  readonly session: Session;
  readonly notices: Notices;
  readonly events: AgentEvent[] = [];

  constructor(ws: Workspace, model: FakeModel, app: App, notices: Notices) {
    this.ws = ws;
    this.model = model;
    this.app = app;
    this.session = app.session;
    this.notices = notices;
  }

  get host() {
    return this.app.extensions.host!;
  }

  /** Sends a prompt and gives all events of its run. */
  async run(text: string, signal = new AbortController().signal): Promise<AgentEvent[]> {
    const events: AgentEvent[] = [];
    const input = { role: "user", origin: "user", parts: [{ type: "text", text }] } as const;
    for await (const event of this.app.runner.run({ ...input, parts: [...input.parts] }, signal))
      events.push(event);
    this.events.push(...events);
    return events;
  }

  /** The settings as another start in this project would have them; with `before` as this one would when it reads them again. */
  settings(argv: readonly string[], before?: string): Promise<Settings> {
    const environment = this.ws.env();
    const home = homeFolders(environment);
    const flags = parseFlags([...argv]);
    const doors = before === undefined ? { mode: "print" } : undefined;
    return loadSettings(flags, environment, this.ws.path, home, this.notices, doors, before);
  }

  /** What people were told so far. */
  told(): string[] {
    return this.notices.take().map(({ message }) => message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
    await this.ws[Symbol.asyncDispose]();
  }
}

/** Opens a conversation. Extensions write what they see to `globalThis.seen`, an array that is empty at the start. */
export async function extensionBench(options: BenchOptions): Promise<ExtensionBench> {
  const ws = await workspace(options.files ?? {});
  for (const [name, source] of Object.entries(options.extensions))
    ws.write(join(ws.home, ".pi-go", "extensions", name), source);
  if (options.config !== undefined)
    ws.write(join(ws.home, ".pi-go", "config.json"), JSON.stringify(options.config));
  const environment = ws.env();
  const home = homeFolders(environment);
  const notices = new Notices();
  const flags = parseFlags(["--no-session", "--memory-off", "--lsp", "off", ...(options.argv ?? [])]);
  const settings = await loadSettings(flags, environment, ws.path, home, notices, {
    mode: options.mode ?? "print",
    ...(options.surface === undefined ? {} : { surface: async () => options.surface! }),
  });
  const facts = { cwd: ws.path, mode: "print", model: testModel.id, provider: testModel.provider };
  const model = new FakeModel();
  const { surface } = options;
  const app = await buildApp({
    flags,
    settings,
    home,
    environment,
    cwd: ws.path,
    mode: options.mode ?? "print",
    chosen: { model: testModel, client: model, secret: null },
    session: memorySession({ ...facts, id: "session-1" } as never, Date.now),
    notices,
    modelGiven: true,
    ...(surface === undefined ? {} : { surface: async () => surface }),
    ...options.parts,
  });
  return new ExtensionBench(ws, model, app, notices);
}

/** The text of the last message of a run. */
export function answerOf(events: readonly AgentEvent[]): string {
  const end = events.at(-1);
  return end?.type === "message_end" ? end.text : "";
}
