import { formatCount } from "../../platform/format-count.ts";
import { isErrorLine } from "../error-line.ts";
import { Pruner, type Stage } from "../stage.ts";

/** One warning with the lines that belong to it. */
interface Warning {
  kind: string;
  /** Where it is, for the list of those left out. */
  place: string;
  end: number;
}

const COMPILER = /^(\S.*?):(\d+)(?::\d+)?: warning: (.*?)(?:\s\[(-W[^\]]+|[\w-]+)\])?$/;
const JAVAC = /^(\S+\.(?:java|kt|scala)):(\d+): warning: (?:\[(\w[\w-]*)\] )?(.*)$/;
const MAVEN = /^\[WARNING\] (\S+?):\[(\d+),\d+\] (?:\[(\w[\w-]*)\] )?(.*)$/;
const RUST = /^warning: (?!.*generated \d+ warning)(.*)$/;
const NPM = /^npm (?:warn|WARN) (\S+) (.*)$/;
const MARKED = /^(?:\s*\(?!?\)?\s*)?(?:WARNING|WARN|Warning)\b[:\s](.*)$/;

/** Of warnings of one kind the first ones stay whole; of the others the number and their places. */
export const warningsStage: Stage = {
  name: "warnings",
  lossless: false,
  run(lines, { limits, kinds }) {
    if (!kinds.has("build") && !kinds.has("package") && !kinds.has("test")) return undefined;
    const shown = new Map<string, { count: number; at: number; places: string[] }>();
    const pruner = new Pruner(isErrorLine);
    for (let at = 0; at < lines.length; at++) {
      const warning = warningAt(lines, at);
      const block = warning && lines.slice(at, warning.end);
      if (!warning || block!.some((line) => isErrorLine(line))) {
        pruner.keep(lines[at]!);
        continue;
      }
      const known = shown.get(warning.kind) ?? { count: 0, at: 0, places: [] };
      shown.set(warning.kind, known);
      known.count++;
      if (known.count <= limits.warningsPerKind) {
        for (const line of block!) pruner.keep(line);
        known.at = pruner.lines.length;
      } else {
        pruner.count(1, "repeated warning");
        known.places.push(warning.place);
      }
      at = warning.end - 1;
    }
    const groups = [...shown]
      .filter(([, group]) => group.places.length > 0)
      .sort((a, b) => b[1].at - a[1].at);
    for (const [kind, group] of groups) pruner.lines.splice(group.at, 0, describe(kind, group.places));
    const result = pruner.result();
    return result && { ...result, lines: withoutEmptyScopes(result.lines) };
  },
};

/** `a.c: In function ‘f’:` says where the next diagnostic is; without one it says nothing. */
function withoutEmptyScopes(lines: readonly string[]): string[] {
  const scope =
    /^(\S+): (?:In|At) (?:.* )?(?:function|constructor|destructor|method|instantiation|global scope|top level)\b.*:$/;
  return lines.filter((line, index) => {
    const file = scope.exec(line)?.[1];
    return (
      file === undefined ||
      ((lines[index + 1] ?? "").startsWith(`${file}:`) && !scope.test(lines[index + 1]!)) ||
      isErrorLine(line)
    );
  });
}

function describe(kind: string, places: readonly string[]): string {
  const distinct = [...new Set(places.filter((place) => place !== ""))];
  const named = distinct.slice(0, 6).join(", ");
  const more = distinct.length > 6 ? ` and ${formatCount(distinct.length - 6)} more places` : "";
  return `[${formatCount(places.length)} more: ${kind}${named === "" ? "" : ` (${named}${more})`}]`;
}

function warningAt(lines: readonly string[], at: number): Warning | undefined {
  const line = lines[at]!;
  const java = JAVAC.exec(line) ?? MAVEN.exec(line);
  if (java) {
    const [, file = "", row = "", rule, message = ""] = java;
    return { kind: rule ?? plain(message), place: `${file}:${row}`, end: blockEnd(lines, at) };
  }
  const compiler = COMPILER.exec(line);
  if (compiler) {
    const [, file = "", row = "", message = "", flag] = compiler;
    return { kind: flag ?? plain(message), place: `${file}:${row}`, end: blockEnd(lines, at) };
  }
  const rust = RUST.exec(line);
  if (rust) {
    let end = at + 1;
    while (end < lines.length && /^\s*(?:-->|\||\d+ \||=|\.\.\.|:::|help:|note:)|^\s+\S/.test(lines[end]!))
      end++;
    const place = /^\s*--> (\S+)/.exec(lines[at + 1] ?? "")?.[1] ?? "";
    return { kind: plain(rust[1]!), place, end };
  }
  const npm = NPM.exec(line);
  if (npm) return { kind: `npm warn ${npm[1]}`, place: npm[2]!.split(/[\s:]/)[0] ?? "", end: at + 1 };
  const marked = MARKED.exec(line);
  return marked ? { kind: plain(marked[1]!), place: "", end: at + 1 } : undefined;
}

/** Source excerpts, carets and notes below a diagnostic. */
function blockEnd(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (end < lines.length && /^\s+\S|^\s*\d*\s*\||^\S.*?:\d+:\d+: note: /.test(lines[end]!)) end++;
  return end;
}

/** A message without the names and numbers that differ. */
function plain(message: string): string {
  return message
    .replace(/[`'"‘“][^`'"’”]*[`'"’”]/g, "…")
    .replace(/\b\d+(?:[.]\d+)*\b/g, "N")
    .replace(/(?:[\w.-]*[/\\])+[\w.-]+/g, "…")
    .trim()
    .slice(0, 120);
}
