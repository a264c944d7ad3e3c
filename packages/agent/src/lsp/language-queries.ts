import { PiError } from "../contract/errors.ts";
import type { FileDoor } from "../contract/files.ts";
import type {
  LanguageServers,
  Looked,
  Problem,
  SourceLocation,
  SourcePosition,
  SourceSymbol,
} from "../contract/language-servers.ts";
import { OVER } from "../contract/over.ts";
import type { Clock } from "../contract/services.ts";
import { hoverText, placesOf, symbolsOf } from "./answers.ts";
import { Deadline, waitWithin } from "./bounded.ts";
import { diagnose } from "./document-diagnostics.ts";
import { isInside } from "./inside.ts";
import type { LanguageServer } from "./language-server.ts";
import { LineMap } from "./line-map.ts";
import { notAnswered } from "./not-answered.ts";
import { problemsOf } from "./problems.ts";
import type { ServerRole } from "./server-definition.ts";
import type { AskedMethod } from "./server-features.ts";
import type { ServerWorkspace } from "./server-workspace.ts";
import { readSource, type SourceText, trySource } from "./source-text.ts";

/** The share of a question's time that is kept for asking once more after the server has become idle. */
const ASK_AGAIN_MS = 5_000;

export interface QueryParts {
  workspace: ServerWorkspace;
  files: FileDoor;
  clock: Clock;
  questionMs: number;
  settleMs: number;
}

interface Asked {
  server: LanguageServer;
  source: SourceText;
  map: LineMap;
}

/** Questions to language servers. Files are read through the door and are as they are now; the server is started if need be. */
export class LanguageQueries implements LanguageServers {
  readonly #parts: QueryParts;

  constructor(parts: QueryParts) {
    this.#parts = parts;
  }

  diagnostics(file: string, signal: AbortSignal): Promise<Looked<Problem[]>> {
    const { clock, settleMs } = this.#parts;
    return this.#ask(file, "diagnose", signal, async ({ server, source, map }, deadline) => {
      const document = server.documents.get(source.path)!;
      for (;;) {
        const found = await diagnose(server, document, { ms: deadline.left, settleMs, clock, signal });
        if (found.state !== "not_looked" || found.code !== "indexing" || deadline.left === 0)
          return found.state === "known"
            ? answer(server, problemsOf(found.items, map, server.features.encoding))
            : found;
        await this.#idle(server, deadline, signal);
        if (server.progress.doing !== null || signal.aborted) return found;
      }
    });
  }

  symbols(file: string, signal: AbortSignal): Promise<Looked<SourceSymbol[]>> {
    return this.#method(file, "textDocument/documentSymbol", {}, signal, (result, { map, server }) =>
      symbolsOf(result, map, server.features.encoding),
    );
  }

  definition(file: string, position: SourcePosition, signal: AbortSignal): Promise<Looked<SourceLocation[]>> {
    return this.#method(file, "textDocument/definition", { position }, signal, (result, { server }) =>
      this.#locations(result, server),
    );
  }

  references(file: string, position: SourcePosition, signal: AbortSignal): Promise<Looked<SourceLocation[]>> {
    const context = { includeDeclaration: true };
    return this.#method(
      file,
      "textDocument/references",
      { position, context },
      signal,
      (result, { server }) => this.#locations(result, server),
    );
  }

  hover(file: string, position: SourcePosition, signal: AbortSignal): Promise<Looked<string>> {
    return this.#method(file, "textDocument/hover", { position }, signal, hoverText);
  }

  /** Asks one method. An empty answer of a server that is still busy is asked for again when it is idle. */
  #method<Value extends { readonly length: number }>(
    file: string,
    method: AskedMethod,
    more: { position?: SourcePosition; context?: unknown },
    signal: AbortSignal,
    read: (result: unknown, asked: Asked) => Value,
  ): Promise<Looked<Value>> {
    return this.#ask(
      file,
      "navigate",
      signal,
      async (asked, deadline) => {
        const { server, source, map } = asked;
        if (!server.features.can(method))
          return {
            state: "not_looked",
            code: "unsupported",
            reason: `${server.name} cannot answer this (${method})`,
          };
        const { uri } = server.documents.get(source.path)!;
        const params = {
          ...more,
          textDocument: { uri },
          ...(more.position === undefined
            ? {}
            : { position: map.wire(more.position, server.features.encoding) }),
        };
        for (;;) {
          const reply = await server.request(method, params, { ms: deadline.left, signal });
          if (reply.kind !== "result") return notAnswered(reply, server);
          const value = read(reply.result, asked);
          const { doing } = server.progress;
          if (value.length > 0 || doing === null) return answer(server, value);
          await this.#idle(server, deadline, signal);
          if (server.progress.doing !== null || signal.aborted)
            return {
              state: "not_looked",
              code: "indexing",
              reason: `${server.name} found nothing, but is still busy: ${doing}`,
              hint: "Ask again later.",
            };
        }
      },
      more.position,
    );
  }

  async #ask<Value>(
    file: string,
    role: ServerRole,
    signal: AbortSignal,
    question: (asked: Asked, deadline: Deadline) => Promise<Looked<Value>>,
    position?: SourcePosition,
  ): Promise<Looked<Value>> {
    const { workspace, files, clock, questionMs } = this.#parts;
    const source = readSource(files, file);
    if ("state" in source) return source;
    const map = new LineMap(source.text);
    if (position !== undefined) checkPosition(source.shown, map, position);
    const deadline = new Deadline(clock, questionMs);
    const server = await workspace.serverFor(source.path, role, { ms: deadline.left, signal });
    if ("state" in server) return server;
    await workspace.refresh(server);
    // The file may have been changed while the server got ready; a server sees what lies there now.
    const now = readSource(files, file);
    if ("state" in now) return now;
    workspace.show(server, now);
    return await question(
      { server, source: now, map: now.text === source.text ? map : new LineMap(now.text) },
      deadline,
    );
  }

  /** Waits until the server is idle, leaving time to ask once more. */
  async #idle(server: LanguageServer, deadline: Deadline, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ms = Math.max(0, deadline.left - ASK_AGAIN_MS);
    const idle = server.progress.idle(AbortSignal.any([over.signal, server.ended]));
    await waitWithin(idle, { ms, clock: this.#parts.clock, signal });
    over.abort(OVER);
  }

  #locations(result: unknown, server: LanguageServer): SourceLocation[] {
    const { files } = this.#parts;
    const maps = new Map<string, LineMap | null>();
    const mapFor = (path: string): LineMap | null => {
      if (!maps.has(path)) {
        const source = isInside(path, files.root) ? trySource(files, path) : null;
        maps.set(path, source === null ? null : new LineMap(source.text));
      }
      return maps.get(path) ?? null;
    };
    return placesOf(result).map(({ path, start }) => {
      const map = mapFor(path);
      // Without its text a column is what the server counts.
      const place = map?.shown(start, server.features.encoding) ?? {
        line: start.line + 1,
        column: start.character + 1,
      };
      const outside = !isInside(path, files.root);
      return { ...place, outside, path: outside ? path : files.display(path) };
    });
  }
}

function answer<Value>(server: LanguageServer, value: Value): Looked<Value> {
  return { state: "answer", server: server.name, value };
}

function checkPosition(shown: string, map: LineMap, { line, column }: SourcePosition): void {
  const problem = (message: string, hint: string) => new PiError({ code: "lsp_position", message, hint });
  const lines = map.line(map.count - 1) === "" && map.count > 1 ? map.count - 1 : map.count;
  if (line < 1 || line > map.count)
    throw problem(
      `${shown} has ${lines === 1 ? "1 line" : `${lines} lines`}; there is no line ${line}`,
      "Lines count from 1. Read the file or search it for the name, then give its place.",
    );
  const text = map.line(line - 1);
  const characters = [...text].length;
  if (column < 1 || column > characters + 1)
    throw problem(
      `Line ${line} of ${shown} has ${characters === 1 ? "1 character" : `${characters} characters`}; there is no column ${column}`,
      `Columns count characters from 1. The line is: ${text.slice(0, 200)}`,
    );
}
