import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { errorMessage, systemCode } from "../../contract/errors.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
import { type FrontMatter, FrontMatterError, readFrontMatter } from "./front-matter.ts";
import type { InspectText, SkillRoot } from "./skill.ts";

/** Bytes of a file with a skill or a template. */
const MOST_BYTES = 256 * 1024;

/** Why a file cannot be used, and where. */
export interface FileProblem {
  line?: number;
  message: string;
}

/** A Markdown file, read and looked through. */
export interface MarkdownFile {
  /** Real path. */
  path: string;
  text: string;
  front: FrontMatter | null;
}

/** Reads a skill or template; a {@link FileProblem} says why it cannot be used. Never throws and never waits. */
export function readMarkdown(
  path: string,
  within: SkillRoot["within"],
  inspect: InspectText,
): MarkdownFile | FileProblem {
  let real: string;
  try {
    real = realpathSync(path);
  } catch (thrown) {
    return { message: systemCode(thrown) === "ENOENT" ? "it leads to no file" : errorMessage(thrown) };
  }
  if (within !== null && !real.startsWith(within.endsWith(sep) ? within : within + sep))
    return { message: `it is a link to ${real}, outside of the project` };
  const text = readText(real);
  if (typeof text !== "string") return text;
  const { problem, line } = inspect(text);
  if (problem !== undefined)
    return { message: `it is not used: ${problem}`, ...(line === undefined ? {} : { line }) };
  try {
    return { path: real, text, front: readFrontMatter(text) };
  } catch (thrown) {
    if (thrown instanceof FrontMatterError) return { line: thrown.line, message: thrown.message };
    throw thrown;
  }
}

/** True for a reading that failed. */
export function isProblem(read: MarkdownFile | FileProblem): read is FileProblem {
  return "message" in read;
}

function readText(path: string): string | FileProblem {
  try {
    const text = readSmallFile(path, MOST_BYTES);
    return /[\0\uFFFD]/.test(text) ? { message: "it is not UTF-8 text" } : text;
  } catch (thrown) {
    return { message: `it cannot be read: ${errorMessage(thrown)}` };
  }
}
