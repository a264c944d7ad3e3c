import { mkdirSync, writeFileSync } from "node:fs";
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
  writeFileSync(join(folder, "events.jsonl"), logOf(shape), { mode: 0o600 });
  writeFileSync(join(folder, "meta.json"), metaOf(id, space.path), { mode: 0o600 });
}

/** The text of a log. */
export function logOf({ messages, sentences = 16, summaryAt, last, text: own }: SessionShape): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (body: object) => {
    const id = `e${String(lines.length).padStart(8, "0")}`;
    const ts = new Date(Date.UTC(2026, 0, 1) + lines.length).toISOString();
    lines.push(JSON.stringify({ id, parent, ts, ...body }));
    parent = id;
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
    add({ type: "message", message });
    if (index === summaryAt)
      add({
        type: "compaction",
        kind: "summary",
        upTo: parent,
        messages: [{ role: "user", origin: "summary", parts: [{ type: "text", text: "What came before." }] }],
      });
  }
  return `${lines.join("\n")}\n`;
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
