import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorMessage, systemCode } from "../../contract/errors.ts";
import type { FrontMatter } from "./front-matter.ts";
import type { InspectText, Skill, SkillProblem, SkillRoot } from "./skill.ts";
import { type FileProblem, isProblem, readMarkdown } from "./skill-file.ts";

/** Files that one folder may bring. */
const MOST_FILES = 1_000;
/** Longer names cannot be typed, and others could lead out of a folder or break a line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SUFFIX = ".SKILL.md";

/** What a set of folders holds: every file is a skill or has a problem that says why not. */
export interface LoadedSkills {
  /** In the order of their names. */
  skills: Skill[];
  problems: SkillProblem[];
}

/** Loads `NAME/SKILL.md` and `NAME.SKILL.md` of the folders, weakest first: of two skills with one name the later folder's is used. */
export function loadSkills(roots: readonly SkillRoot[], inspect: InspectText): LoadedSkills {
  const byName = new Map<string, Skill>();
  const problems: SkillProblem[] = [];
  const files = new Set<string>();
  for (const root of roots)
    for (const file of skillFiles(root.path, problems)) {
      const skill = loadSkill(file, root, inspect);
      if ("message" in skill) {
        problems.push({ file, kind: "broken", ...skill });
        continue;
      }
      // The same file by another path (a link between two agents' folders) is one skill.
      if (files.has(skill.file)) continue;
      files.add(skill.file);
      const key = skill.name.toLowerCase();
      const other = byName.get(key);
      if (other !== undefined) problems.push(overridden(other, skill));
      byName.set(key, skill);
    }
  const skills = [...byName.values()].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return { skills, problems };
}

function overridden(loser: Skill, winner: Skill): SkillProblem {
  const message = `the name "${loser.name}" is also that of ${winner.file}, which is used`;
  return { file: loser.file, kind: "overridden", message };
}

function skillFiles(root: string, problems: SkillProblem[]): string[] {
  const names = namesIn(root, problems);
  const files = names.flatMap((name) => {
    if (name.endsWith(SUFFIX)) return [join(root, name)];
    return hasEntry(join(root, name), "SKILL.md") ? [join(root, name, "SKILL.md")] : [];
  });
  if (files.length > MOST_FILES)
    problems.push({
      file: root,
      kind: "broken",
      message: `it holds ${files.length} skills; the first ${MOST_FILES} are looked at`,
    });
  return files.slice(0, MOST_FILES);
}

/** The entries of a folder in byte order; none when it is not there. */
export function namesIn(folder: string, problems: SkillProblem[]): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT" && systemCode(thrown) !== "ENOTDIR")
      problems.push({
        file: folder,
        kind: "broken",
        message: `it cannot be listed: ${errorMessage(thrown)}`,
      });
    return [];
  }
}

function hasEntry(folder: string, name: string): boolean {
  try {
    return readdirSync(folder).includes(name);
  } catch {
    // a file, or a folder that is not ours to enter
    return false;
  }
}

function loadSkill(file: string, root: SkillRoot, inspect: InspectText): Skill | FileProblem {
  const read = readMarkdown(file, root.within, inspect);
  if (isProblem(read)) return read;
  const { front } = read;
  if (front === null)
    return {
      line: 1,
      message: "it has no front matter: a skill begins with ---, name and description, and ---",
    };
  const given = textIn(front, "name");
  const name = given?.text ?? nameOf(file);
  if (!NAME.test(name))
    return {
      line: given?.line ?? 1,
      message: `"${name.slice(0, 80)}" cannot be its name: letters, digits, -, _ and . (at most 64, the first a letter or digit)`,
    };
  const description = textIn(front, "description")?.text.replace(/\s+/g, " ").trim() ?? "";
  if (description === "")
    return {
      line: front.values.get("description")?.line ?? 1,
      message: "it has no description, so that nobody could tell when to use it",
    };
  if (front.body.trim() === "")
    return { line: front.bodyLine, message: "there is nothing after its front matter" };
  return {
    name,
    description,
    scope: root.scope,
    file: read.path,
    folder: dirname(read.path),
    argumentHint: textIn(front, "argument-hint")?.text.replace(/\s+/g, " ").trim() ?? "",
    // As YAML has it, in any of its spellings.
    manual: /^(true|yes|on)$/i.test(textIn(front, "disable-model-invocation")?.text ?? ""),
  };
}

/** The name that a file's place gives a skill. */
function nameOf(file: string): string {
  const name = basename(file);
  return name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : basename(dirname(file));
}

/** A text of the front matter; undefined when the key is not there or has no text. */
export function textIn(front: FrontMatter, key: string): { text: string; line: number } | undefined {
  const found = front.values.get(key);
  if (found === undefined || found.value === null) return undefined;
  const text = typeof found.value === "string" ? found.value : `[${found.value.join(", ")}]`;
  return { text, line: found.line };
}
