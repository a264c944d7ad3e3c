import type { ScanResult, SeverityCounts } from "../contract/audit.ts";
import { textBytes } from "./code-points.ts";
import { eachHidden } from "./each-hidden.ts";
import type { Hit } from "./hit.ts";
import { FindingCollector, noCounts } from "./scan.ts";
import { showHidden } from "./show-hidden.ts";

/** Removing characters can make others stand where they have no use; texts that need more passes are not made by people. */
const MOST_PASSES = 10;

/** Bytes without the characters of all critical and warning findings; every other byte stays, in order. */
export function removeHidden(bytes: Uint8Array): { bytes: Uint8Array; removed: SeverityCounts } {
  const removed = noCounts();
  let rest = bytes;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const hits: Hit[] = [];
    eachHidden(rest, { isFile: true }, (hit, { severity }) => {
      if (severity === "info") return;
      hits.push(hit);
      removed[severity] += hit.count;
    });
    if (hits.length === 0) break;
    rest = without(rest, inOrder(hits));
  }
  return { bytes: rest, removed };
}

function without(bytes: Uint8Array, hits: readonly Hit[]): Uint8Array {
  const kept = new Uint8Array(bytes.length);
  let length = 0;
  let from = 0;
  for (const hit of hits) {
    kept.set(bytes.subarray(from, hit.offset), length);
    length += hit.offset - from;
    from = hit.offset + hit.bytes;
  }
  kept.set(bytes.subarray(from), length);
  return kept.subarray(0, length + bytes.length - from);
}

/**
 * A text with its critical characters written out as `\u{202e}`, long runs as the first and a count, so that a
 * model reads what is there and not what was hidden. The other characters stay.
 */
export function writeOutCritical(text: string): ScanResult & { text: string } {
  const bytes = textBytes(text);
  const collector = new FindingCollector(3);
  const hits: Hit[] = [];
  eachHidden(bytes, { isFile: true }, (hit, verdict) => {
    collector.add(hit, verdict);
    if (verdict.severity === "critical") hits.push(hit);
  });
  const result = collector.result(bytes);
  if (hits.length === 0) return { ...result, text };
  return { ...result, text: withShown(bytes, inOrder(hits)) };
}

function withShown(bytes: Uint8Array, hits: readonly Hit[]): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: string[] = [];
  let from = 0;
  for (let index = 0; index < hits.length; ) {
    const start = hits[index]!.offset;
    parts.push(decoder.decode(bytes.subarray(from, start)));
    for (from = start; hits[index]?.offset === from; index++) from += hits[index]!.bytes;
    parts.push(showHidden(bytes, start, from));
  }
  parts.push(decoder.decode(bytes.subarray(from)));
  return parts.join("");
}

function inOrder(hits: Hit[]): Hit[] {
  return hits.sort((a, b) => a.offset - b.offset);
}
