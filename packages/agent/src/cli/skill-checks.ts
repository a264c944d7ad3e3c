import type { DoctorCheck } from "../commands/doctor.ts";
import { lateSkills } from "./late-skills.ts";
import { Notices } from "./notices.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

/** The lines of `pi doctor` about skills and prompts: how many there are, and every file that could not be loaded, with its line. */
export async function skillChecks(
  settings: Settings,
  { home, cwd }: Pick<Place, "home" | "cwd">,
): Promise<DoctorCheck[]> {
  // Files that do not load are lines of their own here.
  const { library } = await lateSkills({ settings, home, cwd, notices: new Notices() });
  if (library === null) return [{ name: "skills", state: "ok", found: "none" }];
  const broken = library.problems().filter(({ kind }) => kind === "broken");
  const found = `skills: ${library.skills().length}, prompts: ${library.templates().length}`;
  return [
    { name: "skills", state: "ok", found },
    ...broken.map(
      ({ file, line, message }): DoctorCheck => ({
        name: "skill file",
        state: "limited",
        found: `${line === undefined ? file : `${file}:${line}`}: ${message}`,
      }),
    ),
  ];
}
