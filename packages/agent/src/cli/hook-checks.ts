import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DoctorCheck } from "../commands/doctor.ts";
import { oneLine } from "../commands/slash/shared/format.ts";
import { readHooks } from "../extension/hooks/hook-entry.ts";
import { checkPathPattern } from "../permission/path-pattern.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

const MOST_COMMAND = 120;

/** A line of `pi doctor` for each hook, with the file that names it, and for what is wrong with one. None is run. */
export function hookChecks(
  { config }: Settings,
  place: Pick<Place, "cwd" | "environment" | "home">,
): DoctorCheck[] {
  const name = "hook";
  return config.hooks.flatMap((setting): DoctorCheck[] => {
    const { source = place.home.config } = setting;
    const { hooks, problems } = readHooks([setting], checkPathPattern);
    const wrong = problems.map(
      (problem): DoctorCheck => ({ name, state: "limited", found: problem, hint: `correct it in ${source}` }),
    );
    return [
      ...hooks.map(({ event, command }): DoctorCheck => {
        const tools = setting.tools === undefined ? "" : ` ${setting.tools.join(", ")}`;
        const line = oneLine(command, MOST_COMMAND);
        const found = `${event}${tools}: ${line} (${source})`;
        const missing = missingProgram(command, place);
        if (missing === null) return { name, state: "ok", found };
        return {
          name,
          state: "limited",
          found: `${found} cannot run: there is no program ${missing}`,
          hint: `install ${missing}, or correct "command" in ${source}`,
        };
      }),
      ...wrong,
    ];
  });
}

/** What a shell runs without a program. */
const BUILT_IN = new Set(
  "[ ! . : break case cd command echo eval exec exit export false for if printf read set test trap true umask until while".split(
    " ",
  ),
);

/** The program that a command line begins with, where it surely is not there; null where it is, or where only a shell can tell. */
function missingProgram(
  command: string,
  { cwd, environment, home }: Pick<Place, "cwd" | "environment" | "home">,
): string | null {
  const [word = ""] = command.trim().split(/[\s;|&<>]/);
  // A variable, a quote, an assignment: not ours to read.
  if (!/^(~\/)?[\w./+-]+$/.test(word) || BUILT_IN.has(word)) return null;
  const there = word.includes("/")
    ? existsSync(resolve(cwd, word.replace(/^~/, home.user)))
    : Bun.which(word, { PATH: environment["PATH"] ?? "" }) !== null;
  return there ? null : word;
}
