import type { RunPorts, RunResult } from "../../../commands/slash/run-ports.ts";
import { PiError } from "../../../contract/errors.ts";
import type { UserMessage } from "../../../contract/messages.ts";
import type { RunReport } from "../../../plan/run/run-ports.ts";
import type { App } from "../../app.ts";
import { progressText } from "../../run-progress.ts";
import type { Program } from "../program.ts";

export interface RunPortParts {
  program: Program;
  /** Puts something before the model with its next request. */
  addToHistory(message: UserMessage): void;
}

/** Carrying out specs beside the open conversation: one at a time. */
export function runPort({ program, addToHistory }: RunPortParts): RunPorts["run"] {
  let current: { spec: string; stop: AbortController; over: Promise<void> } | null = null;
  const app = (): App => {
    if (program.app !== undefined) return program.app;
    throw new Error("the conversation is not open");
  };
  return {
    specs: async () => (program.app === undefined ? [] : (await app().plan.open()).names()),
    current: () => current?.spec ?? null,
    async look(name) {
      const { readRunnable, unfinishedRun } = await import("../../run-spec.ts");
      const { spec, checked } = readRunnable(app().doors.files, name);
      return {
        slices: spec.slices.map(({ number, title, done, parallelSafe }) => ({
          number,
          title,
          done,
          parallel: parallelSafe,
        })),
        gates: spec.gates.map((gate) => gate.name),
        checked,
        unfinished: await unfinishedRun(app(), name),
      };
    },
    async start(spec, { fresh, unchecked }, signal) {
      // Somebody may have begun another one while this one was asked for.
      if (current !== null)
        throw new PiError({
          code: "run_in_progress",
          message: `${current.spec} is carried out already`,
          hint: "/run stop stops it; its work is kept.",
        });
      const stop = new AbortController();
      const over = Promise.withResolvers<void>();
      current = { spec, stop, over: over.promise };
      try {
        return await carried(spec, { fresh, unchecked, signal: AbortSignal.any([signal, stop.signal]) });
      } finally {
        current = null;
        over.resolve();
      }
    },
    async stop() {
      current?.stop.abort();
      await current?.over;
    },
  };

  async function carried(
    spec: string,
    { fresh, unchecked, signal }: { fresh: boolean; unchecked: boolean; signal: AbortSignal },
  ): Promise<RunResult> {
    const { carryOut, DEFAULT_GATE_MS, DEFAULT_RETRIES } = await import("../../run-spec.ts");
    const { settings, chosen, parts } = program;
    const { home, environment } = parts.place;
    const report = await carryOut(
      app(),
      { settings: settings!, chosen: chosen!, home, environment },
      {
        spec,
        fresh,
        unchecked,
        retries: DEFAULT_RETRIES,
        gateMs: DEFAULT_GATE_MS,
        tell(progress) {
          const line = progressText(progress);
          if (line !== null) program.tell(line.level, line.text);
        },
        signal,
      },
    );
    addToHistory(note(report));
    return { ...report, summary: `specs/${spec}/SUMMARY.md` };
  }
}

/** What the model of the conversation is told of a run that went on beside it. */
function note({ spec, outcome, message }: RunReport): UserMessage {
  const text = `The person had the spec ${spec} carried out by subagents (/run): ${outcome}. ${message}\nThe report is specs/${spec}/SUMMARY.md; files may have changed since you read them.`;
  return { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
}
