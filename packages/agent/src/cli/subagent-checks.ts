import type { DoctorCheck } from "../commands/doctor.ts";
import type { ProcessDoor } from "../contract/process.ts";
import { agentTypes } from "./agent-types.ts";
import type { Place } from "./place.ts";
import type { Settings } from "./run-setup.ts";

/** From here on git can merge without touching a work tree. */
const LEAST_GIT = [2, 38] as const;

/** The lines of `pi doctor` about subagents: whether there are any, files that are none, and a git that cannot bring changes in. */
export async function subagentChecks(
  settings: Settings,
  { home, cwd }: Pick<Place, "home" | "cwd">,
  processes: ProcessDoor,
): Promise<DoctorCheck[]> {
  const name = "subagents";
  const { maxDepth, maxPerSession } = settings.config.subagent;
  if (maxDepth === 0) return [{ name, state: "ok", found: "off by configuration (subagent.maxDepth is 0)" }];
  const { types, problems } = await agentTypes({ settings, home });
  const own = types.filter(({ file }) => file !== null).length;
  const found = `${types.length} agents${own > 0 ? `, ${own} of them from files` : ""}; at most ${maxPerSession} starts in a session`;
  return [
    { name, state: "ok", found },
    ...problems.map(
      ({ file, line, message }): DoctorCheck => ({
        name: "agent file",
        state: "limited",
        found: `${line === undefined ? file : `${file}:${line}`}: ${message}`,
      }),
    ),
    ...(await gitCheck(processes, cwd)),
  ];
}

async function gitCheck(processes: ProcessDoor, cwd: string): Promise<DoctorCheck[]> {
  try {
    const { stdout } = await processes.run(
      { argv: ["git", "--version"], cwd, label: "git" },
      { timeoutMs: 10_000 },
    );
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(new TextDecoder().decode(stdout)) ?? [];
    const [least, lesser] = LEAST_GIT;
    if (Number(major) > least || (Number(major) === least && Number(minor) >= lesser)) return [];
    return [
      {
        name: "worktrees",
        state: "limited",
        found: `git ${major}.${minor} cannot bring a subagent's change in`,
        hint: `git ${LEAST_GIT.join(".")} or later can; the change is on its branch all the same`,
      },
    ];
  } catch {
    // no git at all: that has a line of its own
    return [];
  }
}
