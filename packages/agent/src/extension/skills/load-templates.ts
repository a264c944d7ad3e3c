import { join } from "node:path";
import { namesIn, textIn } from "./load-skills.ts";
import type { InspectText, PromptTemplate, SkillProblem, SkillRoot } from "./skill.ts";
import { type FileProblem, isProblem, readMarkdown } from "./skill-file.ts";

const MOST_FILES = 1_000;
const MOST_DESCRIPTION = 80;
const HAS_PLACE = /\$(?:\d|@|ARGUMENTS|\{)/;
/** What can be typed as a command. */
const NAME = /^[a-z][a-z0-9._-]{0,63}$/;

/** Loads the prompt templates (`NAME.md`) of the folders, weakest first. */
export function loadTemplates(
  roots: readonly SkillRoot[],
  inspect: InspectText,
): { templates: PromptTemplate[]; problems: SkillProblem[] } {
  const byName = new Map<string, PromptTemplate>();
  const problems: SkillProblem[] = [];
  for (const root of roots)
    for (const entry of namesIn(root.path, problems).slice(0, MOST_FILES)) {
      if (!entry.endsWith(".md")) continue;
      const file = join(root.path, entry);
      const template = loadTemplate(file, entry.slice(0, -".md".length).toLowerCase(), root, inspect);
      if ("message" in template) {
        problems.push({ file, kind: "broken", ...template });
        continue;
      }
      const other = byName.get(template.name);
      if (other !== undefined)
        problems.push({
          file: other.file,
          kind: "overridden",
          message: `the name "${other.name}" is also that of ${file}, which is used`,
        });
      byName.set(template.name, template);
    }
  const templates = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { templates, problems };
}

function loadTemplate(
  file: string,
  name: string,
  { scope, within }: SkillRoot,
  inspect: InspectText,
): PromptTemplate | FileProblem {
  if (!NAME.test(name)) return { message: `"/${name}" cannot be typed as a command: rename the file` };
  const read = readMarkdown(file, within, inspect);
  if (isProblem(read)) return read;
  const { front } = read;
  const body = (front?.body ?? read.text).trim();
  if (body === "") return { message: "it is empty" };
  const said = front === null ? undefined : textIn(front, "description")?.text;
  const hint = front === null ? undefined : textIn(front, "argument-hint")?.text;
  return {
    name,
    description: oneLine(said ?? body.split("\n")[0]!.replace(/^#+\s*/, "")),
    scope,
    file: read.path,
    argumentHint: hint?.replace(/\s+/g, " ").trim() ?? (HAS_PLACE.test(body) ? "[arguments]" : ""),
    body,
  };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MOST_DESCRIPTION ? line : `${line.slice(0, MOST_DESCRIPTION - 1).toWellFormed()}…`;
}
