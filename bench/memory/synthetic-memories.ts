import { readFileSync } from "node:fs";
import type { NewMemory } from "../../packages/remem/src/core/memory/record.ts";
import { STOP_WORDS } from "../../packages/remem/src/core/text/stop-words.ts";
import { BUNDLED_VECTORS } from "../../packages/remem/src/embed/bundled-vectors.ts";
import { seeded } from "./random.ts";

/** Where all made-up memories are. */
export const SCOPE = { kind: "project", id: "bench" } as const;

const QUESTION_WORDS = 8;

/** The memory with this number: the same each time, in words as frequent as those of a language. */
export function observation(index: number, words: readonly string[]): NewMemory {
  const random = seeded(index + 1);
  const text = (length: number): string =>
    Array.from({ length }, () => words[zipf(random.below, words.length)]!).join(" ");
  return {
    kind: "discovery",
    scope: SCOPE,
    title: text(8),
    text: text(60),
    files: [`src/${words[random.below(words.length)]}/${words[random.below(words.length)]}.ts`],
    at: 1_700_000_000_000 + index * 60_000,
    provenance: {
      host: "bench",
      sessionId: `s${Math.floor(index / 30)}`,
      author: { role: "agent" },
      typed: false,
    },
  };
}

/** Questions of words as frequent as those of the memories; the same row of them for the same seed. */
export function questions(seed: number, words: readonly string[]): () => string {
  const random = seeded(seed);
  return () =>
    Array.from({ length: QUESTION_WORDS }, () => words[zipf(random.below, words.length)]!).join(" ");
}

/** Words with the frequencies of language: the n-th is about n times rarer than the first. */
function zipf(below: (limit: number) => number, count: number): number {
  return Math.min(count - 1, Math.floor(Math.exp((below(1_000_000) / 1_000_000) * Math.log(count))));
}

/** The words the bundled vectors know, from the most frequent on, without those that no question is made of. */
export function vocabulary(): string[] {
  const file = readFileSync(BUNDLED_VECTORS);
  const end = 16 + file.readUInt32LE(4) * file.readUInt32LE(8);
  return file
    .toString("utf8", end)
    .split("\n")
    .filter((word) => !STOP_WORDS.has(word));
}
