import { PiError } from "../../contract/errors.ts";
import type { InspectText, Skill } from "./skill.ts";
import { isProblem, readMarkdown } from "./skill-file.ts";

/** The instructions of a skill as they are now. Throws PiError `skill_broken` when they cannot be used any more. */
export function skillBody(skill: Skill, inspect: InspectText): string {
  const read = readMarkdown(skill.file, null, inspect);
  if (!isProblem(read)) return (read.front?.body ?? read.text).trim();
  const place = read.line === undefined ? skill.file : `${skill.file}:${read.line}`;
  throw new PiError({
    code: "skill_broken",
    message: `the skill ${skill.name} cannot be used: ${place}: ${read.message}`,
    hint: "Correct the file, then /skills reload.",
  });
}

/**
 * The prompt of a person who typed `/name argument`: the instructions, and what they are for. `$ARGUMENTS` in the instructions stands for
 * the argument; where there is none it comes below them.
 */
export function skillPrompt(skill: Skill, body: string, argument: string): string {
  const text = body.replaceAll("$ARGUMENTS", () => argument);
  const rest = text === body && argument !== "" ? `\n\n${argument}` : "";
  return `Follow the skill ${skill.name}. Paths in it are relative to its folder ${skill.folder}\n\n<skill name="${skill.name}">\n${text}\n</skill>${rest}`;
}
