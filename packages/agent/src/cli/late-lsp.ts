import type { Callbacks } from "../contract/callbacks.ts";
import type { LanguageServers } from "../contract/language-servers.ts";
import type { AnyTool, ToolContext } from "../contract/tool.ts";
import type { AfterEdit } from "../lsp/after-edit/after-edit.ts";
import type { LanguageServersOfSession } from "../lsp/create-language-servers.ts";
import { systemClock } from "../platform/clock.ts";
import type { HomeFolders } from "../platform/home.ts";
import { lspDefinitionTool } from "../tools/lsp-definition/lsp-definition.ts";
import { lspDiagnosticsTool } from "../tools/lsp-diagnostics/lsp-diagnostics.ts";
import { lspHoverTool } from "../tools/lsp-hover/lsp-hover.ts";
import { lspReferencesTool } from "../tools/lsp-references/lsp-references.ts";
import { lspSymbolsTool } from "../tools/lsp-symbols/lsp-symbols.ts";
import type { Settings } from "./run-setup.ts";

export interface LanguageParts {
  settings: Settings;
  home: HomeFolders;
  environment: Readonly<Record<string, string | undefined>>;
  /** The doors of the conversation; not used before its first call. */
  doors(): Pick<ToolContext, "files" | "ledger" | "processes">;
}

/** The language servers of a conversation, loaded with the first call that needs them. */
export interface LateLanguageServers {
  /** By the setting: none, those for a file (`min`), or all five (`full`). The same over a session. */
  tools: readonly AnyTool[];
  /** Formats and checks after edits; null when they are off. */
  callbacks: Callbacks | null;
  /** Shuts all of them down. Never rejects. */
  close(): Promise<void>;
}

const NONE: LateLanguageServers = {
  tools: [],
  callbacks: null,
  close: () => Promise.resolve(),
};

export function lateLanguageServers(parts: LanguageParts): LateLanguageServers {
  const { mode } = parts.settings.config.lsp;
  if (mode === "off") return NONE;
  let loading: Promise<Loaded> | undefined;
  let loaded: Loaded | undefined;
  const servers = (): Promise<Loaded> => {
    loading ??= load(parts).then((made) => {
      loaded = made;
      return made;
    });
    return loading;
  };
  const ask: LanguageServers = {
    diagnostics: async (...question) => (await servers()).session.queries.diagnostics(...question),
    symbols: async (...question) => (await servers()).session.queries.symbols(...question),
    definition: async (...question) => (await servers()).session.queries.definition(...question),
    references: async (...question) => (await servers()).session.queries.references(...question),
    hover: async (...question) => (await servers()).session.queries.hover(...question),
  };
  const forFiles = [lspDiagnosticsTool(ask), lspSymbolsTool(ask)];
  return {
    tools:
      mode === "min"
        ? forFiles
        : [...forFiles, lspDefinitionTool(ask), lspReferencesTool(ask), lspHoverTool(ask)],
    callbacks: {
      name: "language servers",
      async beforeTool(call) {
        if (call.kind === "edit") (await servers()).afterEdit.before(call);
        return undefined;
      },
      async afterTool(call, outcome, signal) {
        if (call.kind === "run") loaded?.session.workspace.commandRan();
        return call.kind === "edit" ? await loaded?.afterEdit.after(call, outcome, signal) : undefined;
      },
    },
    close: async () => {
      await (await loading)?.session.close();
    },
  };
}

interface Loaded {
  session: LanguageServersOfSession;
  afterEdit: AfterEdit;
}

async function load({ settings, home, environment, doors }: LanguageParts): Promise<Loaded> {
  const [{ createLanguageServers }, { AfterEdit }, { searchPlaces }] = await Promise.all([
    import("../lsp/create-language-servers.ts"),
    import("../lsp/after-edit/after-edit.ts"),
    import("../lsp/find-program.ts"),
  ]);
  const { files, ledger, processes } = doors();
  const { servers, format } = settings.config.lsp;
  const session = createLanguageServers({
    files,
    processes,
    clock: systemClock,
    places: searchPlaces(environment, home.user, files.root, settings.trusted),
    servers,
  });
  const afterEdit = new AfterEdit({ servers: session, files, ledger, clock: systemClock, format });
  return { session, afterEdit };
}
