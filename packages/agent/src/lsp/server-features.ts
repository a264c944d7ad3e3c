import type { InitializeResult, ServerCapabilities } from "vscode-languageserver-protocol";
import type { PositionEncoding } from "./line-map.ts";
import type { DocumentSync } from "./open-documents.ts";

/** Methods that we ask, and the capability that a server announces for each. */
const ANNOUNCED = {
  "textDocument/definition": "definitionProvider",
  "textDocument/references": "referencesProvider",
  "textDocument/hover": "hoverProvider",
  "textDocument/documentSymbol": "documentSymbolProvider",
  "textDocument/formatting": "documentFormattingProvider",
  "textDocument/diagnostic": "diagnosticProvider",
} as const satisfies Record<string, keyof ServerCapabilities>;

export type AskedMethod = keyof typeof ANNOUNCED;

/** What a server can do: what it said at the start, and what it registers and takes back later. */
export class ServerFeatures {
  readonly encoding: PositionEncoding;
  readonly sync: DocumentSync;
  readonly commands: readonly string[];
  readonly #capabilities: ServerCapabilities;
  readonly #registered = new Map<string, { method: string; options: unknown }>();

  constructor(result: unknown) {
    const { capabilities } = (result ?? {}) as Partial<InitializeResult>;
    this.#capabilities = typeof capabilities === "object" && capabilities !== null ? capabilities : {};
    const encoding = this.#capabilities.positionEncoding;
    this.encoding = encoding === "utf-8" || encoding === "utf-32" ? encoding : "utf-16";
    this.sync = syncOf(this.#capabilities.textDocumentSync);
    this.commands = this.#capabilities.executeCommandProvider?.commands ?? [];
  }

  can(method: AskedMethod): boolean {
    const announced = this.#capabilities[ANNOUNCED[method]];
    if (announced !== undefined && announced !== false && announced !== null) return true;
    return [...this.#registered.values()].some((registration) => registration.method === method);
  }

  register(params: unknown): void {
    for (const { id, method, registerOptions } of listIn(params, "registrations"))
      if (typeof id === "string" && typeof method === "string")
        this.#registered.set(id, { method, options: registerOptions });
  }

  unregister(params: unknown): void {
    // The protocol's own spelling.
    for (const { id } of listIn(params, "unregisterations"))
      if (typeof id === "string") this.#registered.delete(id);
  }

  /** Whether the server wants to hear of changes of this absolute path. */
  watches(path: string): boolean {
    for (const { method, options } of this.#registered.values()) {
      if (method !== "workspace/didChangeWatchedFiles") continue;
      for (const { globPattern } of listIn(options, "watchers"))
        if (typeof globPattern === "string" && matches(globPattern, path)) return true;
    }
    return false;
  }
}

function matches(pattern: string, path: string): boolean {
  try {
    return new Bun.Glob(
      pattern.startsWith("/") || pattern.startsWith("**") ? pattern : `**/${pattern}`,
    ).match(path);
  } catch {
    // a pattern that is none
    return false;
  }
}

function syncOf(sync: ServerCapabilities["textDocumentSync"]): DocumentSync {
  if (typeof sync === "number") return { change: sync, openClose: true, save: sync !== 0, saveText: false };
  const save = sync?.save;
  return {
    change: sync?.change ?? 0,
    openClose: sync?.openClose ?? false,
    save: save !== undefined && save !== false,
    saveText: typeof save === "object" && save.includeText === true,
  };
}

function listIn(value: unknown, name: string): Record<string, unknown>[] {
  const list = (value as Record<string, unknown> | null | undefined)?.[name];
  return Array.isArray(list) ? list.filter((entry) => typeof entry === "object" && entry !== null) : [];
}
