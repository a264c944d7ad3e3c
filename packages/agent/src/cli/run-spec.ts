import { dirname, join } from "node:path";
import { errorMessage, PiError } from "../contract/errors.ts";
import type { FileDoor } from "../contract/files.ts";
import { RunJournal } from "../plan/run/journal.ts";
import type { RunProgress, RunReport } from "../plan/run/run-ports.ts";
import { type RunnableSpec, runSpec } from "../plan/run/run-spec.ts";
import { summaryOf } from "../plan/run/summary.ts";
import { checkPlan } from "../plan/spec/check-plan.ts";
import type { Slice } from "../plan/spec/parse-plan.ts";
import { problemText, Spec } from "../plan/spec/spec.ts";
import { SpecFiles } from "../plan/spec/spec-files.ts";
import { systemClock } from "../platform/clock.ts";
import { acquireLock } from "../platform/lock.ts";
import { nearNames } from "../platform/near-names.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import type { App } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import { openRunPlace } from "./run-places.ts";

/** What a run is started with. */
export interface RunRequest {
  spec: string;
  retries: number;
  /** How long a gate or a verify command may take; one that hangs has failed. */
  gateMs: number;
  fresh: boolean;
  /** A person has agreed to a run that nothing checks. */
  unchecked: boolean;
  tell(progress: RunProgress): void;
  signal: AbortSignal;
}

const PLAN = "plan.md";
const SUMMARY = "SUMMARY.md";

/** How often a slice, and then the whole, is given back to be mended, unless it is said. */
export const DEFAULT_RETRIES = 3;
export const DEFAULT_GATE_MS = 10 * 60_000;

/** A spec that can be run, and whether anything would check the work. Throws a PiError that says what is wrong with it. */
export function readRunnable(door: FileDoor, name: string): { spec: RunnableSpec; checked: boolean } {
  const files = new SpecFiles(door);
  const names = files.names();
  if (!names.includes(name)) throw unknownSpec(name, names);
  const spec = new Spec(name, files);
  const [prompt, plan] = [spec.read("PROMPT.md"), spec.read("plan.md")];
  if (prompt === null && plan === null)
    throw new PiError({
      code: "spec_not_ready",
      message: `${spec.folder} has neither a PROMPT.md nor a plan.md`,
      hint: `/plan ${name} goes on with it.`,
      exitCode: 2,
    });
  const { gates, doneCriteria: criteria, problems } = spec.prompt();
  const parsed = spec.plan();
  const wrong = [
    ...problems.map((problem) => problemText("PROMPT.md", problem)),
    ...(plan === null ? [] : checkPlan(parsed, { withoutVerify: true })).map((problem) =>
      problemText("plan.md", problem),
    ),
  ];
  if (wrong.length > 0)
    throw new PiError({
      code: "spec_not_ready",
      message: `${spec.folder} cannot be run: ${wrong.join("; ")}`,
      hint: "Mend it in the file, or with /plan back.",
      exitCode: 2,
    });
  const slices = plan === null ? [WHOLE] : parsed.slices;
  const checked = gates.length > 0 || slices.every(({ verify }) => verify.length > 0);
  return { spec: { name, briefing: prompt ?? plan ?? "", slices, gates, criteria }, checked };
}

/** A spec without a plan is one slice. */
const WHOLE: Slice = {
  number: 1,
  title: "everything",
  done: false,
  files: [],
  verify: [],
  depends: [],
  parallelSafe: false,
  notes: "All that the briefing asks for.",
  line: 0,
};

/** Carries out a spec and writes its `SUMMARY.md`. Rejects with a PiError for what keeps it from being begun; what happens then is in the report. */
export async function carryOut(
  app: App,
  parts: Pick<AppParts, "settings" | "home" | "environment" | "chosen">,
  request: RunRequest,
): Promise<RunReport> {
  const { spec, checked } = readRunnable(app.doors.files, request.spec);
  if (!checked && !request.unchecked)
    throw new PiError({
      code: "run_unchecked",
      message: `nothing would check the work on ${spec.name}: PROMPT.md has no gates, and not every slice has a verify command`,
      hint: "Write gates (- **name**: `command` below ## Gates), or say --yes.",
      exitCode: 2,
    });
  const off = app.planMode.on ? "plan mode is on; /plan ends it" : app.subagents.off();
  if (off !== null)
    throw new PiError({ code: "run_off", message: `a spec cannot be run now: ${off}`, exitCode: 2 });
  const place = await stateOf(app, spec.name);
  ensurePrivateFolder(dirname(place));
  const lock = acquireLock(`${place}.lock`);
  try {
    const report = await runSpec(spec, request, {
      journal: new RunJournal(`${place}.jsonl`),
      signal: request.signal,
      ports: {
        clock: systemClock,
        tell: request.tell,
        open: (resume) =>
          openRunPlace(
            {
              ...parts,
              app,
              spec: spec.name,
              gateMs: request.gateMs,
              commitMessage: () => commitMessage(spec),
            },
            resume,
          ),
      },
    });
    await writeResults(app, report);
    return report;
  } finally {
    lock.release();
  }
}

/** Whether a run of this spec was interrupted, failed or was stopped, so that the next one goes on with it. */
export async function unfinishedRun(app: App, spec: string): Promise<boolean> {
  return new RunJournal(`${await stateOf(app, spec)}.jsonl`).unfinished() !== null;
}

/** Ticks what is in the project now and writes the summary. What cannot be written is a note of the report. */
async function writeResults(app: App, report: RunReport): Promise<void> {
  const spec = new Spec(report.spec, new SpecFiles(app.doors.files));
  const joined = report.outcome === "merged" || report.outcome === "nothing";
  const done = report.slices.filter(({ outcome }) => outcome === "done" || outcome === "before");
  const files = [...(joined ? [PLAN] : []), SUMMARY].map((file) => `${spec.folder}/${file}`);
  try {
    await app.checkpoints.around(files, async () => {
      if (joined) spec.tick(new Set(done.map(({ number }) => number)));
      spec.write(SUMMARY, summaryOf(report));
    });
  } catch (thrown) {
    report.notes.push(`The summary could not be written: ${errorMessage(thrown)}.`);
  }
}

/** Where the journal of a spec's runs is, without its ending: in the git folder, so that the user's files stay as they are. */
async function stateOf({ subagents }: App, spec: string): Promise<string> {
  try {
    const { worktrees, prefix } = await (await subagents.worktrees()).repository();
    return join(
      dirname(worktrees),
      "pi-runs",
      [...prefix.split("/").filter((part) => part !== ""), spec].join("+"),
    );
  } catch (thrown) {
    throw new PiError({
      code: "run_no_copy",
      message: `a run needs a copy of the project to work on, and there can be none: ${errorMessage(thrown)}`,
      hint: "git init makes a repository; then run it again.",
      exitCode: 2,
    });
  }
}

function commitMessage({ name, slices }: RunnableSpec): string {
  const lines = slices.map(({ number, title }) => `- ${number}: ${title}`);
  return `feat: carry out the spec ${name}\n\n${lines.join("\n")}\n`;
}

function unknownSpec(name: string, names: readonly string[]): PiError {
  const near = nearNames(name, names);
  return new PiError({
    code: "spec_unknown",
    message: `there is no spec "${name.slice(0, 100)}" below specs/`,
    hint:
      names.length === 0
        ? "/plan IDEA makes one."
        : `${near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : ""}Specs: ${names.join(", ")}.`,
    exitCode: 2,
  });
}
