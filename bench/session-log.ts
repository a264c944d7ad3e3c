import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";

export interface SessionShape {
  messages: number;
  /** Sentences of 65 characters a message; default 16. */
  sentences?: number;
  /** After this message a summary takes the place of what came before; default: none. */
  summaryAt?: number;
  /** The text of the last message; default: like the others. */
  last?: string;
  /** The text of each message, by its number, instead of sentences. */
  text?(message: number): string;
}

const SENTENCE = "A line of work in a session, long enough to be like a real one. ";

/** Writes a session of the workspace's user, in which a person and the model took turns. */
export function writeSession(space: Workspace, id: string, shape: SessionShape): void {
  const folder = join(space.home, ".pi-go", "sessions", id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "events.jsonl");
  writeFileSync(path, "", { mode: 0o600 });
  // Piece by piece: a process inherits the peak of the one that starts it, which must stay small.
  let piece = "";
  for (const line of logLines(shape)) {
    piece += line;
    if (piece.length < 1_000_000) continue;
    appendFileSync(path, piece);
    piece = "";
  }
  appendFileSync(path, piece);
  writeFileSync(join(folder, "meta.json"), metaOf(id, space.path), { mode: 0o600 });
}

/** The text of a log. */
export function logOf(shape: SessionShape): string {
  return [...logLines(shape)].join("");
}

function* logLines({
  messages,
  sentences = 16,
  summaryAt,
  last,
  text: own,
}: SessionShape): Generator<string> {
  let lines = 0;
  let parent: string | null = null;
  const add = (body: object): string => {
    const id = `e${String(lines).padStart(8, "0")}`;
    const ts = new Date(Date.UTC(2026, 0, 1) + lines).toISOString();
    const line = `${JSON.stringify({ id, parent, ts, ...body })}\n`;
    parent = id;
    lines++;
    return line;
  };
  const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0, reasoning: 0, total: 2 };
  const source = { provider: "openai", wire: "openai-responses", model: "gpt-5.4" };
  for (let index = 0; index < messages; index++) {
    const text =
      own?.(index) ??
      (last !== undefined && index === messages - 1 ? last : `${index} ${SENTENCE.repeat(sentences)}`);
    const parts = [{ type: "text", text }];
    const message =
      index % 2 === 0
        ? { role: "user", origin: "user", parts }
        : { role: "assistant", parts, source, stop: "end", usage };
    yield add({ type: "message", message });
    if (index === summaryAt)
      yield add({
        type: "compaction",
        kind: "summary",
        upTo: parent,
        messages: [{ role: "user", origin: "summary", parts: [{ type: "text", text: "What came before." }] }],
      });
  }
}

/** The text of a `meta.json`. */
export function metaOf(id: string, cwd: string): string {
  const time = "2026-01-01T00:00:00.000Z";
  return JSON.stringify({
    id,
    app: "pi-ts",
    user: "local",
    cwd,
    mode: "print",
    model: "gpt-5.4",
    provider: "openai",
    created: time,
    updated: time,
  });
}
