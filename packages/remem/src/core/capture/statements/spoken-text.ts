import { FRAME } from "../../recall/frame.ts";

/** Frames of recalled memories, whole or cut off, and tool or system blocks in the form hosts write them. */
const FRAMES = new RegExp(`${FRAME.open}\\b[\\s\\S]*?(?:${FRAME.close}|$)`, "giu");
const TAGGED = /<([a-z][\w-]{2,40})(?:\s[^<>]*)?>[\s\S]*?<\/\1\s*>/giu;
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gmu;
const INLINE_CODE = /`[^`\n]*`/gu;
const QUOTED =
  /(["“„«「『])(?:(?!["”“»」』]).){12,}?["”“»」』]|(?<![\p{L}\p{N}])['‘](?=\S)(?:[^'’\n]|['’](?=\p{L})){12,}['’](?![\p{L}\p{N}])/gsu;

/** Lines nobody types: logs, code, tables, diffs, stack traces, listings. */
const NOT_SPOKEN =
  /^\s*(>|\||[+-]{3} |@@ |at \S+ \(|Traceback|File "|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(INFO|WARN|ERROR|DEBUG|FATAL)\b|\$ |# |\/\/|\/\*|\*\/|(import|export|const|let|var|function|class|def|return|public|private|fn|func|package|use|#include)\b[^.!?]*[{};()=]|[{}[\]();]+\s*$|\d+[:|]\s)/u;
const CODE_SIGNS = /[{}()[\];=<>|\\^~$]/gu;
const CODE_SHARE = 0.08;
const LONGEST_SPOKEN = 4_000;
/** More lines in a row than this that do not end like sentences were pasted. */
const PASTED_LINES = 6;
const PASTED_LINE_LENGTH = 40;

/** The text without frames of recalled memories: they never count as said again. */
export function withoutFrames(text: string): string {
  return text.replace(FRAMES, " ");
}

/**
 * What of a prompt its author said in own words: without recalled memories, tagged blocks, code, quotations, quoted lines, logs
 * and pasted blocks. What goes in error only costs a statement; the prompt itself is kept as it is.
 */
export function spokenText(text: string): string {
  const prose = withoutFrames(text)
    .replaceAll("\r\n", "\n")
    .replace(FENCED, "\n")
    .replace(TAGGED, "\n")
    .slice(0, LONGEST_SPOKEN);
  return prose
    .split(/\n\s*\n/u)
    .filter((block) => !isPasted(block))
    .flatMap((block) => block.split("\n").filter((line) => !NOT_SPOKEN.test(line) && !looksLikeCode(line)))
    .join("\n")
    .replace(QUOTED, " “…” ");
}

function isPasted(block: string): boolean {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < PASTED_LINES)
    return lines.some((line) => /^( {4}|\t)\S/u.test(line)) && lines.length > 1;
  const listed = lines.filter((line) => /^\s*([-*•]|\d+[.)])\s/u.test(line)).length;
  if (listed > lines.length / 2) return lines.length > 3 * PASTED_LINES;
  const sentences = lines.filter((line) => /[.!?。！？:]\s*$/u.test(line)).length;
  const long = lines.filter((line) => line.length > PASTED_LINE_LENGTH).length;
  return sentences < lines.length / 2 || long > lines.length / 2;
}

function looksLikeCode(line: string): boolean {
  const bare = line.replace(INLINE_CODE, "");
  return bare.length > 0 && (bare.match(CODE_SIGNS)?.length ?? 0) / bare.length > CODE_SHARE;
}

/** A line that asks for remembering what follows below. */
const HEAD =
  /^\s*((please|pls|hey|also)[,:]? )*(remember|memori[sz]e|note|keep in mind|don't forget|merk(e)? dir|retiens|recuerda|lembre-se|记住|記住)( bitte)?( this| these| that| the following| folgendes| das| ceci| esto| isto| disto)?( things| rules| facts)?\s*[:：]\s*$/iu;
const LISTED = /^\s*([-*•]|\d+[.)])\s+/u;

/** The lines, with what stands above a list, or a line, before each of its own. */
function underHeads(lines: readonly string[]): string[] {
  const result: string[] = [];
  let head = false;
  let listed = false;
  for (const line of lines) {
    if (HEAD.test(line)) {
      head = true;
      listed = false;
      continue;
    }
    const item = LISTED.test(line);
    if (head && (item || !listed)) result.push(`Remember: ${line.replace(LISTED, "")}`);
    else result.push(line);
    listed = item;
    head &&= item;
  }
  return result;
}

/** Its sentences, one line each, list marks taken off. What a line asks to be remembered below it is asked for in each of them. */
export function sentences(text: string): string[] {
  return underHeads(text.split("\n"))
    .flatMap((line) => line.replace(LISTED, "").split(/(?<=[.!?])\s+(?=\P{Ll})|(?<=[。！？])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
