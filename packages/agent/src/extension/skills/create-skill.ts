import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, PiError, systemCode } from "../../contract/errors.ts";
import type { SkillRoot } from "./skill.ts";

/** What other agents take too: lower case, digits and single hyphens. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Makes `NAME/SKILL.md` in a folder for skills, with places to fill in. Returns the file. Throws PiError `skill_name`, `skill_exists` or
 * `skill_failed`; nothing that exists is changed.
 */
export function createSkill({ path: root, scope }: SkillRoot, name: string, description: string): string {
  if (!NAME.test(name) || name.length > 64)
    throw new PiError({
      code: "skill_name",
      message: `"${name}" cannot be the name of a skill`,
      hint: "At most 64 lower-case letters and digits, with hyphens between them: release-notes.",
    });
  const folder = join(root, name);
  const file = join(folder, "SKILL.md");
  try {
    if (existsSync(join(root, `${name}.SKILL.md`))) throw exists(join(root, `${name}.SKILL.md`));
    mkdirSync(folder, { recursive: true, mode: scope === "user" ? 0o700 : 0o777 });
    writeFileSync(file, draft(name, description), { flag: "wx" });
    return file;
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST") throw exists(file);
    if (thrown instanceof PiError) throw thrown;
    throw new PiError({
      code: "skill_failed",
      message: `${file} cannot be written: ${errorMessage(thrown)}`,
      cause: thrown,
    });
  }
}

function exists(file: string): PiError {
  return new PiError({
    code: "skill_exists",
    message: `${file} is there already`,
    hint: "Choose another name, or edit that file.",
  });
}

function draft(name: string, description: string): string {
  const quoted = JSON.stringify(description.replace(/\s+/g, " ").trim());
  return `---
name: ${name}
description: ${quoted}
---

# ${name}

Say here, step by step, how the task is done in this project: which files to read, which commands to run, what to check at the end.
Longer references and scripts lie beside this file and are named here; they are read when they are needed.
`;
}
