import { formatCount } from "../../platform/format-count.ts";
import type { LeftOut, Stage } from "../stage.ts";

interface Finding {
  file: string;
  place: string;
  rule: string;
  line: string;
}

/** `file:1:2: E501 text`, `file:1: [rule] text`, `file:1:2: text (rule)`. */
const CODE_FIRST =
  /^(\S[^:]*):(\d+)(?::(\d+))?:? (?:\[?([A-Z]{1,5}\d{1,5}|[a-z]+(?:[-/][a-z0-9-]+)+)\]?:?) (.+)$/;
const CODE_LAST = /^(\S[^:]*):(\d+)(?::(\d+))?: (.+?) (?:\[|\()([a-zA-Z][\w/-]+)(?:\]|\))$/;
/** Below its file's name: `  12:5  warning  text  rule`. */
const STYLISH = /^\s+(\d+:\d+)\s+(?:warning|warn|info)\s+(.+?)\s{2,}(\S+)$/;

/** biome, oxlint and others: a heading with a rule, and below it an explanation. */
const BLOCK = /^(\S+?):(\d+:\d+) ([a-z][\w/-]+)\b.*━{3,}\s*$/;

/** Of findings with explanations below them the first ones of each rule stay whole; of the others every place. */
export const lintBlocks: Stage = {
  name: "lint-blocks",
  lossless: false,
  run(lines, { limits, kinds, mustStay }) {
    if (!kinds.has("lint") || !lines.some((line) => BLOCK.test(line))) return undefined;
    const kept: string[] = [];
    const seen = new Map<string, number>();
    const rest = new Map<string, string[]>();
    let left = 0;
    for (let at = 0; at < lines.length; ) {
      const heading = BLOCK.exec(lines[at]!);
      let end = at + 1;
      if (heading) while (end < lines.length && /^\s|^$/.test(lines[end]!)) end++;
      const block = lines.slice(at, end);
      at = end;
      const rule = heading?.[3] ?? "";
      const count = (seen.get(rule) ?? 0) + 1;
      if (heading) seen.set(rule, count);
      if (!heading || count <= limits.findingsPerRule || block.some((line) => mustStay(line))) {
        kept.push(...block);
        continue;
      }
      left++;
      append(rest, rule, `${heading[1]}:${heading[2]}`);
    }
    if (left === 0) return undefined;
    for (const [rule, places] of rest)
      kept.push(`[${formatCount(places.length)} more of ${rule}: ${places.join(" ")}]`);
    return { lines: kept, leftOut: [leftOutTexts(left)] };
  },
};

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function leftOutTexts(count: number): LeftOut {
  return {
    count,
    one: "finding's text (its place is listed)",
    many: "findings' texts (their places are listed)",
  };
}

/** Groups findings by rule: the first ones whole, of the others every place. Findings called errors stay as they are. */
export const lintersStage: Stage = {
  name: "linters",
  lossless: false,
  run(lines, { limits, kinds, mustStay }) {
    if (!kinds.has("lint")) return undefined;
    const kept: string[] = [];
    const seen = new Map<string, number>();
    const rest = new Map<string, Map<string, string[]>>();
    let left = 0;
    let file = "";
    for (const line of lines) {
      if (/^(?:\/|[A-Za-z]:\\|[\w.@-]+\/)\S*$/.test(line)) file = line;
      const finding = findingOf(line, file);
      if (!finding || mustStay(line)) {
        kept.push(line);
        continue;
      }
      const count = (seen.get(finding.rule) ?? 0) + 1;
      seen.set(finding.rule, count);
      if (count <= limits.findingsPerRule) {
        kept.push(line);
        continue;
      }
      left++;
      const files = rest.get(finding.rule) ?? new Map<string, string[]>();
      rest.set(finding.rule, files);
      append(files, finding.file, finding.place);
    }
    if (left === 0) return undefined;
    for (const [rule, files] of rest) {
      const count = [...files.values()].reduce((sum, places) => sum + places.length, 0);
      const places = [...files].map(([name, at]) => `${name}:${at.join(",")}`).join(" ");
      kept.push(`[${formatCount(count)} more of ${rule}: ${places}]`);
    }
    return {
      lines: withoutEmptyFiles(kept),
      leftOut: [leftOutTexts(left)],
    };
  },
};

function findingOf(line: string, file: string): Finding | undefined {
  const first = CODE_FIRST.exec(line);
  if (first) return { file: first[1]!, place: placeOf(first), rule: first[4]!, line };
  const stylish = STYLISH.exec(line);
  if (stylish && file !== "") return { file, place: stylish[1]!, rule: stylish[3]!, line };
  const last = CODE_LAST.exec(line);
  return last ? { file: last[1]!, place: placeOf(last), rule: last[5]!, line } : undefined;
}

function placeOf(match: RegExpExecArray): string {
  return match[3] === undefined ? match[2]! : `${match[2]}:${match[3]}`;
}

/** A file's name below which nothing is left. */
function withoutEmptyFiles(lines: readonly string[]): string[] {
  return lines.filter((line, index) => {
    if (!/^(?:\/|[A-Za-z]:\\|[\w.@-]+\/)\S*$/.test(line)) return true;
    const next = lines[index + 1] ?? "";
    return !(next.trim() === "" || /^(?:\/|[A-Za-z]:\\|\[)/.test(next));
  });
}
