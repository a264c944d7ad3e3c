import type { RunSpecRequest } from "../commands/run.ts";
import type { RunStop } from "../contract/events.ts";
import { noUsage } from "../contract/messages.ts";
import { exitCode } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import type { RunProgress, RunReport } from "../plan/run/run-ports.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import { createFileDoor } from "../sandbox/files/file-door.ts";
import { type App, buildApp } from "./app.ts";
import { askYesNo } from "./ask-terminal.ts";
import { chooseRunModel, resolveOptions } from "./choose-model.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import type { Notices } from "./notices.ts";
import { newSession } from "./open-session.ts";
import type { Place } from "./place.ts";
import { progressText } from "./run-progress.ts";
import { carryOut, DEFAULT_GATE_MS, DEFAULT_RETRIES, readRunnable } from "./run-spec.ts";
import { loadSettings } from "./settings.ts";
import { usageError } from "./usage-error.ts";

/** What `pi run` runs with. */
export interface RunSpecCommandParts {
  flags: Flags;
  place: Place;
  streams: Streams;
  interruptions: Interruptions;
  notices: Notices;
}

/** Carries out a spec as a process of its own: progress on stderr and the report on stdout, or all of it as JSON lines. Gives the exit code. */
export async function runSpecCommand(request: RunSpecRequest, parts: RunSpecCommandParts): Promise<number> {
  const { flags, place, streams, interruptions, notices } = parts;
  if (flags.continue || flags.session !== null)
    throw usageError("pi run begins a session of its own: --continue and --session do not go with it");
  const { environment, home, cwd } = place;
  const settings = await loadSettings(flags, environment, cwd, home, notices, { mode: "run" });
  // What is wrong with the spec is said first: no key and no model mends that.
  const { checked } = readRunnable(createFileDoor({ root: cwd }), request.spec);
  const options = await resolveOptions(flags, settings, environment, home, notices);
  const around = { ...place, flags, settings, notices, doors: { mode: "run" } };
  const chosen = await chooseRunModel(options, null, around);
  const facts = { cwd, mode: "run", model: chosen.model.id, provider: chosen.model.provider };
  const session = newSession({ ...flags, name: flags.name ?? `run ${request.spec}` }, facts, home, notices);
  const app = await buildApp({
    flags,
    settings,
    home,
    environment,
    cwd,
    mode: "run",
    chosen,
    session,
    notices,
  });
  const teller = flags.mode === "json" ? jsonTeller(streams, app, cwd) : textTeller(streams);
  try {
    await teller.notices(notices);
    if (!checked && !request.yes && !(await agrees(request.spec, streams, interruptions.signal))) return 1;
    const text = `Carry out the spec ${request.spec} (pi run).`;
    session.append({ role: "user", origin: "user", parts: [{ type: "text", text }] });
    const report = await carryOut(
      app,
      { settings, home, environment, chosen },
      {
        spec: request.spec,
        fresh: request.fresh,
        unchecked: !checked,
        retries: request.retries ?? DEFAULT_RETRIES,
        gateMs: request.gateSeconds === null ? DEFAULT_GATE_MS : request.gateSeconds * 1_000,
        tell: (progress) => void teller.progress(progress),
        signal: interruptions.signal,
      },
    );
    await teller.notices(notices);
    await teller.end(report);
    return codeOf(report, interruptions);
  } finally {
    await app.close();
    // After the last event there is only stderr.
    await textTeller(streams).notices(notices);
  }
}

/** How a run stopped, as other runs of the program tell it. */
function stopOf({ outcome, usedUp }: RunReport): RunStop {
  return usedUp ? "limit" : STOPS[outcome];
}

function codeOf(report: RunReport, { cause }: Interruptions): number {
  return exitCode(stopOf(report), report.message, cause);
}

/** Whether a person agrees to a run that nothing checks. Rejects with a PiError where there is nobody to ask. */
async function agrees(spec: string, streams: Streams, signal: AbortSignal): Promise<boolean> {
  const question = `Nothing would check the work on ${spec}: no gates, and slices without a verify command. Run it all the same? [y/N] `;
  const answer = await askYesNo(question, streams, signal);
  if (answer !== null) return answer;
  throw usageError(
    `nothing would check the work on ${spec}: PROMPT.md has no gates, and not every slice has a verify command`,
    "write gates (- **name**: `command` below ## Gates), or say --yes",
  );
}

interface Teller {
  progress(progress: RunProgress): Promise<void>;
  notices(notices: Notices): Promise<void>;
  end(report: RunReport): Promise<void>;
}

function textTeller({ out, err }: Streams): Teller {
  return {
    async progress(progress) {
      const line = progressText(progress);
      if (line !== null) await err(`${visibleText(line.text)}\n`);
    },
    async notices(notices) {
      for (const { level, message } of notices.take()) await err(`${level}: ${visibleText(message)}\n`);
    },
    async end({ spec, outcome, message, kept }) {
      const lines = [
        `${spec}: ${outcome}`,
        message,
        ...kept.map((place) => `kept: ${place}`),
        `report: specs/${spec}/SUMMARY.md`,
      ];
      await out(`${lines.map((line) => visibleText(line)).join("\n")}\n`);
    },
  };
}

function jsonTeller({ out }: Streams, app: App, cwd: string): Teller {
  const { id } = app.session;
  let begun = false;
  const write = async (event: object) => {
    const { id: model, provider } = app.options.model;
    const first = { type: "message_start", agent: "pi", model, provider, role: "assistant", cwd };
    const events = begun ? [event] : [first, event];
    begun = true;
    await out(events.map((each) => encodeJsonLine({ ...each, session_id: id })).join(""));
  };
  return {
    progress: write,
    async notices(notices) {
      // What keeps a run from beginning is told by others, as a stream of its own.
      if (!begun) return;
      for (const { level, message } of notices.take()) await write({ type: "notice", level, message });
    },
    async end(ended) {
      const { startedAt: _, durationMs, usedUp, ...report } = ended;
      await write({ type: "run_end", ...report, used_up: usedUp, duration_ms: durationMs });
      const total = app.subagents.spent();
      await write({
        type: "message_end",
        stop_reason: stopOf(ended),
        text: report.message,
        turns: 0,
        usage: { ...noUsage(), total },
        duration_ms: durationMs,
      });
    },
  };
}

const STOPS: Readonly<Record<RunReport["outcome"], RunStop>> = {
  merged: "end",
  nothing: "end",
  failed: "error",
  conflict: "error",
  stopped: "aborted",
};
