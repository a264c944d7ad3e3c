import type { FileDoor, ReadLedger } from "../../contract/files.ts";
import type { LanguageServer } from "../language-server.ts";
import { plainWords } from "../plain-words.ts";
import type { ServerWorkspace } from "../server-workspace.ts";
import { bytesWith, type SourceText } from "../source-text.ts";
import { applyTextEdits } from "../text-edits.ts";
import { indentationOf } from "./indentation.ts";

export interface FormatParts {
  files: FileDoor;
  ledger: ReadLedger;
  workspace: ServerWorkspace;
}

/** What formatting came to. `text` is what now lies on the disk. */
export type Formatted =
  | { state: "formatted"; text: string }
  | { state: "same" }
  | { state: "not_done"; reason: string };

/** Less than this share of the characters that are no white space left, and it was no formatting. */
const LEAST_KEPT = 0.5;

/**
 * Asks a server to format a file that was just written, and writes what comes of it through the door, so that its byte order
 * mark, line ends, mode and links stay. Nothing is written unless the file still is what the server was shown. `shownWhole`: the
 * model will be told of every line that changed, so that what it had seen whole it still knows whole.
 */
export async function formatFile(
  { files, ledger, workspace }: FormatParts,
  server: LanguageServer,
  source: SourceText,
  options: { ms: number; signal: AbortSignal; shownWhole(before: string, after: string): Promise<boolean> },
): Promise<Formatted> {
  if (!server.features.can("textDocument/formatting")) return { state: "same" };
  const document = workspace.show(server, source);
  const reply = await server.request(
    "textDocument/formatting",
    { textDocument: { uri: document.uri }, options: indentationOf(source.text) },
    { ms: options.ms, signal: options.signal },
  );
  if (reply.kind !== "result") return { state: "not_done", reason: whyNot(reply, server.name) };
  const applied = applyTextEdits(source.text, reply.result, server.features.encoding);
  if ("problem" in applied)
    return { state: "not_done", reason: `${server.name} went wrong: ${applied.problem}` };
  if (solid(applied.text) < solid(source.text) * LEAST_KEPT)
    return {
      state: "not_done",
      reason: `${server.name} went wrong: its edits would remove most of the file`,
    };
  const bytes = bytesWith(source, applied.text);
  if (Buffer.compare(bytes, source.bytes) === 0) return { state: "same" };
  const text = new TextDecoder("utf-8").decode(bytes);
  const whole = await options.shownWhole(source.text, text);
  const key = files.key(source.path);
  const seen = ledger.seen(key) === "whole" && whole ? "whole" : "part";
  // No await from here on: nothing of ours can come between the check and the rename.
  if (Buffer.compare(source.bytes, files.readAll(source.path, source.bytes.length + 1)) !== 0)
    return { state: "not_done", reason: "the file was changed by something else meanwhile" };
  files.write(source.path, bytes);
  ledger.record(key, bytes, seen);
  return { state: "formatted", text };
}

function solid(text: string): number {
  return text.replace(/\s+/g, "").length;
}

function whyNot(
  reply:
    | { kind: "error"; message: string }
    | { kind: "timeout" | "aborted" }
    | { kind: "dead"; reason: string },
  name: string,
): string {
  if (reply.kind === "error") return `${name} answered: ${plainWords(reply.message)}`;
  if (reply.kind === "dead") return `${name} has failed: ${reply.reason}`;
  return reply.kind === "timeout" ? `${name} did not answer in time` : "it was interrupted";
}
