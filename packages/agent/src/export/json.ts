import type { SessionTranscript, TranscriptEntry } from "../contract/transcript.ts";

/** A session as JSON, a message a line; `pi sessions import` reads it back. */
export function* jsonExport(
  { meta, branch, entries, others }: SessionTranscript,
  facts: { now: number; redacted: boolean },
): Generator<string> {
  const head = {
    format: "pi-ts session",
    version: 1,
    exported: new Date(facts.now).toISOString(),
    redacted: facts.redacted,
    session: meta,
    branch,
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "messages": [`;
  yield* list(entries, "    ");
  yield '],\n  "branches": [';
  for (const [index, other] of others.entries()) {
    const name = JSON.stringify(other.name);
    yield `${index === 0 ? "" : ","}\n    { "name": ${name}, "shared": ${other.shared}, "messages": [`;
    yield* list(other.entries, "      ");
    yield "] }";
  }
  yield `${others.length === 0 ? "" : "\n  "}]\n}\n`;
}

function* list(entries: readonly TranscriptEntry[], indent: string): Generator<string> {
  for (const [index, { message, time }] of entries.entries()) {
    const timed = { time: time === null ? null : new Date(time).toISOString(), ...message };
    yield `${index === 0 ? "" : ","}\n${indent}${JSON.stringify(timed)}`;
  }
  if (entries.length > 0) yield `\n${indent.slice(2)}`;
}
