import type { SessionMeta } from "../contract/session.ts";
import type { SessionTranscript, TranscriptBranch, TranscriptEntry } from "../contract/transcript.ts";
import type { ViewEntry } from "./branch-view.ts";
import type { HeldRecords, RecordReader } from "./record-reader.ts";
import { recordTime } from "./session-id.ts";
import type { SessionTree } from "./session-tree.ts";

/**
 * Everything that was said in a session, on every branch; what branches share comes once. Throws a PiError with a FileErrorCode when
 * the log cannot be read.
 */
export function transcriptOf(
  meta: SessionMeta,
  tree: SessionTree,
  reader: RecordReader,
  held: HeldRecords = new Map(),
): SessionTranscript {
  const current = reader.read(held, tree.head, { whole: true }).entries;
  const places = new Map(current.map(({ node }, index) => [node, index]));
  const others: TranscriptBranch[] = [];
  for (const [name, head] of tree.branches) {
    if (name === tree.active) continue;
    const { entries } = reader.read(held, head, { whole: true });
    const fork = entries.findLastIndex(({ node }) => places.has(node));
    others.push({
      name,
      shared: fork < 0 ? 0 : places.get(entries[fork]!.node)! + 1,
      entries: entries.slice(fork + 1).map(entryOf),
    });
  }
  return { meta: { ...meta }, branch: tree.active, entries: current.map(entryOf), others };
}

function entryOf({ node, message }: ViewEntry): TranscriptEntry {
  return { message, time: recordTime(node.id) };
}
