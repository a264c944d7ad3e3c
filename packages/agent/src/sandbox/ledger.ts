import type { ReadLedger } from "../contract/files.ts";

/** Runs of line numbers, both ends included. */
type Span = { from: number; to: number };

interface Entry {
  hash: string;
  seen: "whole" | "part";
  spans: Span[];
}

/** Content, not time: changes within one second or of equal size are noticed. 64 bits and the length make chance no risk. */
function hashOf(content: Uint8Array): string {
  return `${content.length}:${Bun.hash(content).toString(36)}`;
}

/** Adds a run and joins runs that touch. */
function joinSpans(spans: readonly Span[], added: Span): Span[] {
  const sorted = [...spans, added].sort((a, b) => a.from - b.from);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last && span.from <= last.to + 1) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** A ledger in memory. A file read in pages becomes `whole` with the page that closes the last gap. */
export function createReadLedger(): ReadLedger {
  const entries = new Map<string, Entry>();
  return {
    record(key, content, seen, lines) {
      const hash = hashOf(content);
      const before = entries.get(key);
      const same = before?.hash === hash;
      const spans = lines ? joinSpans(same ? before.spans : [], lines) : same ? before.spans : [];
      const first = spans[0];
      const covered =
        lines !== undefined && first !== undefined && first.from <= 1 && first.to >= lines.total;
      const whole = seen === "whole" || covered || (same && before.seen === "whole");
      entries.set(key, { hash, seen: whole ? "whole" : "part", spans });
    },
    state(key, content) {
      const entry = entries.get(key);
      if (!entry) return "unseen";
      return entry.hash === hashOf(content) ? "current" : "changed";
    },
    seen(key) {
      return entries.get(key)?.seen ?? "none";
    },
  };
}
