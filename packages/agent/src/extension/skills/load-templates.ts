import { join } from "node:path";
import { namesIn, textIn } from "./load-skills.ts";
import type { InspectText, PromptTemplate, SkillProblem, SkillRoot } from "./skill.ts";
import { isProblem, readMarkdown } from "./skill-file.ts";

const MOST_FILES = 1_000;
const MOST_DESCRIPTION = 80;
/** What can be typed as a command. */
const NAME = /^[a-z][a-z0-9._-]{0,63}$/;

/** Loads the prompt templates (`NAME.md`) of the folders, weakest first. */
export function loadTemplates(
  roots: readonly SkillRoot[],
  inspect: InspectText,
): { templates: PromptTemplate[]; problems: SkillProblem[] } {
  const byName = new Map<string, PromptTemplate>();
  const problems: SkillProblem[] = [];
  for (const { path, scope, within } of roots)
    for (const entry of namesIn(path, problems).slice(0, MOST_FILES)) {
      if (!entry.endsWith(".md")) continue;
      const file = join(path, entry);
      const name = entry.slice(0, -".md".length).toLowerCase();
      const read = readMarkdown(file, within, inspect);
      const broken = (message: string, line?: number) =>
        problems.push({ file, kind: "broken", message, ...(line === undefined ? {} : { line }) });
      if (isProblem(read)) {
        broken(read.message, read.line);
        continue;
      }
      const body = (read.front?.body ?? read.text.replace(/^\uFEFF/, "")).trim();
      if (!NAME.test(name)) broken(`"/${name}" cannot be typed as a command: rename the file`);
      else if (body === "") broken("it is empty");
      else {
        const other = byName.get(name);
        if (other !== undefined)
          problems.push({
            file: other.file,
            kind: "overridden",
            message: `the name "${name}" is also that of ${file}, which is used`,
          });
        const front = read.front;
        const said = front === null ? undefined : textIn(front, "description")?.text;
        const hint = front === null ? undefined : textIn(front, "argument-hint")?.text;
        byName.set(name, {
          name,
          description: oneLine(said ?? body.split("\n")[0]!.replace(/^#+\s*/, "")),
          scope,
          file: read.path,
          argumentHint:
            hint?.replace(/\s+/g, " ").trim() ?? (/\$(\d|@|ARGUMENTS|\{)/.test(body) ? "[arguments]" : ""),
          body,
        });
      }
    }
  const templates = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { templates, problems };
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MOST_DESCRIPTION ? line : `${line.slice(0, MOST_DESCRIPTION - 1).toWellFormed()}…`;
}
