import type { Skill } from "./skill.ts";

const HEAD = `# Skills

Instructions for certain tasks. When a task fits a description, read that skill's file before you begin and follow it; paths in it are relative to its folder.
`;
/** Characters of the whole part, some 2,000 tokens. */
const MOST_CHARACTERS = 8_000;
/** Characters of one description where there is room. */
const MOST_DESCRIPTION = 1_024;
/** A description shorter than this says nothing. */
const LEAST_DESCRIPTION = 40;
/** Room for the line that says how many are missing. */
const LAST_LINE = 80;

/**
 * The part of the system text that tells the model of skills: name, description and file of each. Where they do not all fit, every
 * description is cut to the same length, then descriptions and at last names are left out. Empty without skills.
 */
export function skillIndex(skills: readonly Skill[], shownPath: (skill: Skill) => string): string {
  const told = skills.filter((skill) => !skill.manual);
  return told.length === 0 ? "" : `${HEAD}\n${skillLines(told, shownPath, MOST_CHARACTERS - HEAD.length)}`;
}

/** Lines of skills within a number of characters. */
export function skillLines(
  skills: readonly Skill[],
  shownPath: (skill: Skill) => string,
  room = MOST_CHARACTERS,
): string {
  const names = skills.map((skill) => `- ${skill.name} (${shownPath(skill)})`);
  const length = names.reduce((sum, name) => sum + name.length + 1, 0);
  if (length > room) return shortened(names, room);
  const most = descriptionLimit(skills, room - length);
  return skills
    .map(({ description }, at) =>
      most < LEAST_DESCRIPTION ? names[at] : `${names[at]}: ${cut(description, most)}`,
    )
    .join("\n");
}

/** The length to which descriptions have to be cut so that all fit; short ones leave their room to long ones. */
function descriptionLimit(skills: readonly Skill[], room: number): number {
  const lengths = skills
    .map(({ description }) => Math.min(description.length, MOST_DESCRIPTION) + 2)
    .sort((a, b) => a - b);
  let left = room;
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - at));
    if (length > share) return Math.max(0, share - 2);
    left -= length;
  }
  return MOST_DESCRIPTION;
}

function shortened(lines: readonly string[], room: number): string {
  const kept: string[] = [];
  let left = room - LAST_LINE;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, `- … and ${lines.length - kept.length} more, in the same folders`].join("\n");
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
