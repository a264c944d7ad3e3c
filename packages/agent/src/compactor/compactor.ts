import type { Callbacks, PendingCall } from "../contract/callbacks.ts";
import { errorMessage } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import type { SpillDoor, ToolOutcome } from "../contract/tool.ts";
import { formatCount } from "../platform/format-count.ts";
import { type CompactorLimits, DEFAULT_LIMITS } from "./limits.ts";
import { kindsOfCommand, looksLike } from "./output-kind.ts";
import { type PipelineResult, runStages, STAGES } from "./pipeline.ts";
import { type ReportFrame, reportFrame } from "./report-frame.ts";
import type { LeftOut, OutputKind, Stage } from "./stage.ts";
import { type CompactorStatistics, StatisticsCounter } from "./statistics.ts";

export interface CompactorOptions {
  /** Asked at each result, so that it can be switched while a session runs. */
  enabled(): boolean;
  /** Keeps the whole text of what was shortened; where it refuses nothing is left out. */
  spill: SpillDoor;
  /**
   * Reads output that a tool has already kept in a file, or gives null: not there, too large, or no file of the spill door (the
   * path comes from a text that a command may have written). With it the parts that the tool cut are taken into account.
   */
  readSpilled?(path: string): string | null;
  limits?: Partial<CompactorLimits>;
  /** For tests. */
  stages?: readonly Stage[];
}

/** Shortens long output of tools, as a callback after them. */
export interface Compactor extends Callbacks {
  statistics(): CompactorStatistics;
  reset(): void;
  afterTool(call: PendingCall, outcome: ToolOutcome, signal: AbortSignal): Promise<ToolOutcome | undefined>;
}

/** Which output of a tool without commands is which kind of data. */
const TOOL_KINDS: Readonly<Record<string, readonly OutputKind[]>> = {
  grep: ["matches"],
  find: ["listing"],
  "git-file-diff": ["diff"],
  "git-hunk": ["diff"],
  "git-overview": [],
  ls: [],
  tree: [],
};
const COMMAND_TOOLS = new Set(["bash", "bash-output"]);
const LEAST_SAVED = 100;

/** A compactor. What it removes stays in a file that the text names; it never throws and never makes a text longer. */
export function createCompactor(options: CompactorOptions): Compactor {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const counter = new StatisticsCounter();

  function compact(call: PendingCall, outcome: ToolOutcome): ToolOutcome | undefined {
    const isCommand = COMMAND_TOOLS.has(call.name);
    const { text, details } = outcome;
    const frame: ReportFrame = isCommand
      ? reportFrame(text, details["truncated"] === true)
      : { body: text, closing: "" };
    const command = call.input["command"] ?? details["command"];
    const lines = frame.body.split("\n");
    const kinds = isCommand
      ? kindsOfCommand(typeof command === "string" ? command : "", lines)
      : new Set(TOOL_KINDS[call.name]?.filter((kind) => kind === "matches" || looksLike(kind, lines)));
    const run = (from: readonly string[], lossy: boolean) =>
      runStages(from, { limits, kinds }, lossy, options.stages ?? STAGES);

    const whole = wholeOutput(frame, kinds);
    if (whole !== undefined) {
      const shortened = finish(call.name, outcome, frame, run(whole, true));
      if (shortened) return shortened;
    }
    const lossy = kinds.size > 0;
    return (
      finish(call.name, outcome, frame, run(lines, lossy)) ??
      (lossy ? finish(call.name, outcome, frame, run(lines, false)) : undefined)
    );
  }

  /** All of what a tool cut, where it is of a kind of which the important lines are known. */
  function wholeOutput(frame: ReportFrame, kinds: ReadonlySet<OutputKind>): readonly string[] | undefined {
    if (frame.spilled === undefined || !options.readSpilled) return undefined;
    if (!(["test", "build", "lint", "package"] as const).some((kind) => kinds.has(kind))) return undefined;
    const text = options.readSpilled(frame.spilled);
    return text === null ? undefined : text.replace(/\n+$/, "").split("\n");
  }

  function finish(
    tool: string,
    outcome: ToolOutcome,
    frame: ReportFrame,
    result: PipelineResult,
  ): ToolOutcome | undefined {
    for (const failure of result.failures) counter.failure(tool, failure.stage, failure.message);
    if (result.applied.length === 0) return undefined;
    const before = outcome.text.length;
    const body = result.lines.join("\n");
    const said = describe(result.leftOut);
    const enough = before - body.length - frame.closing.length - said.length;
    if (enough < LEAST_SAVED) return undefined;
    let note = "";
    let path: string | null = null;
    if (result.leftOut.length > 0) {
      path = frame.spilled ?? keepWhole(tool, outcome.text);
      if (path === null) return undefined;
      note = `\n[${said} left out; all output: ${path}]`;
    }
    const text = `${body}${note}${frame.closing}`;
    if (text.length >= before) return undefined;
    for (const { stage, before: from, after } of result.applied) counter.technique(tool, stage, from, after);
    const compacted: JsonObject = {
      techniques: result.applied.map(({ stage }) => stage),
      chars_before: before,
      chars_after: text.length,
      left_out: Object.fromEntries(result.leftOut.map(({ many, count }) => [many, count])),
      output: path,
    };
    return { ...outcome, text, details: { ...outcome.details, compacted } };
  }

  function keepWhole(tool: string, text: string): string | null {
    const file = options.spill.open(`${tool} whole`);
    if (file === null) return null;
    file.write(new TextEncoder().encode(text));
    file.close();
    return file.dropped === 0 ? file.path : null;
  }

  return {
    name: "compactor",
    statistics: () => counter.snapshot(),
    reset: () => counter.reset(),
    async afterTool(call, outcome) {
      if (!options.enabled() || outcome.text.length <= limits.short) return undefined;
      const known =
        COMMAND_TOOLS.has(call.name) || Object.hasOwn(TOOL_KINDS, call.name) || call.name.includes("__");
      if (!known || (outcome.isError && !COMMAND_TOOLS.has(call.name))) return undefined;
      try {
        const shortened = compact(call, outcome);
        counter.result(call.name, outcome.text.length, shortened?.text.length ?? outcome.text.length);
        return shortened;
      } catch (thrown) {
        // Shortening is a comfort: it must not cost a result.
        counter.failure(call.name, "compactor", errorMessage(thrown));
        return undefined;
      }
    },
  };
}

/** `1,204 passing tests, 3 build steps`. */
function describe(leftOut: readonly LeftOut[]): string {
  return leftOut
    .map(({ count, one, many }) => `${formatCount(count)} ${count === 1 ? one : many}`)
    .join(", ");
}
