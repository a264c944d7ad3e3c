import type { Finding, ScanResult, Severity, SeverityCounts } from "../contract/audit.ts";
import { characterName, codePointLabel } from "./character-names.ts";
import { NO_CHARACTER, textBytes } from "./code-points.ts";
import { eachHidden } from "./each-hidden.ts";
import type { Hit } from "./hit.ts";
import { excerpt } from "./show-hidden.ts";
import type { Verdict } from "./verdict.ts";

export interface ScanOptions {
  /** `file` (default): a whole file, which may begin with a byte order mark. `value`: a text inside of something else. */
  kind?: "file" | "value";
  /** How many findings of each severity are listed; all are counted. Default 100. */
  most?: number;
}

const MOST_LISTED = 100;

/**
 * The hidden characters of a text: what and where they are, and whether they belong there. Pure; a string may hold halves of surrogate
 * pairs, bytes may be no UTF-8. Neighbours of one kind are one finding.
 */
export function scan(input: string | Uint8Array, options: ScanOptions = {}): ScanResult {
  const bytes = typeof input === "string" ? textBytes(input) : input;
  const collector = new FindingCollector(options.most ?? MOST_LISTED);
  eachHidden(bytes, { isFile: options.kind !== "value" }, (hit, verdict) => collector.add(hit, verdict));
  return collector.result(bytes);
}

interface Collected {
  hit: Hit;
  verdict: Verdict;
}

/** No characters of any severity. */
export function noCounts(): SeverityCounts {
  return { critical: 0, warning: 0, info: 0 };
}

/** Counts hits, joins neighbours, and keeps the first findings of each severity. */
export class FindingCollector {
  readonly #most: number;
  readonly #counts = noCounts();
  readonly #kept: Record<Severity, Collected[]> = { critical: [], warning: [], info: [] };
  readonly #last: Partial<Record<Severity, Collected>> = {};
  #leftOut = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(hit: Hit, verdict: Verdict): void {
    const { severity } = verdict;
    this.#counts[severity] += hit.count;
    const last = this.#last[severity];
    if (last?.verdict === verdict && last.hit.offset + last.hit.bytes === hit.offset) {
      last.hit.bytes += hit.bytes;
      last.hit.count += hit.count;
      last.hit.mixed ||= hit.mixed || hit.codePoint !== last.hit.codePoint;
      return;
    }
    const collected: Collected = { hit: { ...hit }, verdict };
    this.#last[severity] = collected;
    const list = this.#kept[severity];
    if (list.length < this.#most) list.push(collected);
    else this.#leftOut++;
  }

  /** `bytes`: the text that the hits are of. */
  result(bytes: Uint8Array): ScanResult {
    const all = [...this.#kept.critical, ...this.#kept.warning, ...this.#kept.info];
    all.sort((a, b) => a.hit.offset - b.hit.offset);
    const column = columnCounter(bytes);
    const findings = all.map((collected) => finding(bytes, collected, column));
    return { findings, counts: { ...this.#counts }, leftOut: this.#leftOut };
  }
}

function finding(bytes: Uint8Array, collected: Collected, column: (hit: Hit) => number): Finding {
  const { hit, verdict } = collected;
  const isByte = hit.codePoint === NO_CHARACTER;
  const name = isByte ? "NOT UTF-8" : characterName(hit.codePoint);
  return {
    line: hit.line + 1,
    column: column(hit),
    offset: hit.offset,
    bytes: hit.bytes,
    count: hit.count,
    codePoint: isByte
      ? `byte 0x${bytes[hit.offset]!.toString(16).toUpperCase().padStart(2, "0")}`
      : codePointLabel(hit.codePoint),
    name: hit.mixed ? `${name} AND OTHERS` : name,
    severity: verdict.severity,
    why: verdict.why,
    context: excerpt(bytes, hit.lineStart, hit.offset, hit.bytes),
  };
}

/** Columns of hits in the order of their offsets; each byte of a line is looked at once. */
function columnCounter(bytes: Uint8Array): (hit: Hit) => number {
  let lineStart = -1;
  let offset = 0;
  let column = 1;
  return (hit) => {
    if (hit.lineStart !== lineStart) {
      lineStart = hit.lineStart;
      offset = lineStart;
      column = 1;
    }
    // 10xxxxxx continues a character.
    for (; offset < hit.offset; offset++) if ((bytes[offset]! & 0xc0) !== 0x80) column++;
    return column;
  };
}
