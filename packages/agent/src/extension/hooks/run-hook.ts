import { errorMessage } from "../../contract/errors.ts";
import type { ProcessDoor, ProcessResult } from "../../contract/process.ts";
import { type HookAnswer, readAnswer } from "./hook-answer.ts";
import type { Hook } from "./hook-entry.ts";

/** How a hook ended. */
export type HookEnd =
  | { kind: "answered"; answer: HookAnswer }
  /** Exit code 2, with what it wrote on stderr. */
  | { kind: "blocked"; reason: string }
  /** It did not do its work. `why` goes on from the hook's name: `ended with exit code 1: …`. */
  | { kind: "failed"; why: string }
  | { kind: "aborted" };

const BLOCKS = 2;
const NOT_FOUND = 127;
/** Bytes of each stream; more is read and dropped. */
const MOST_BYTES = 1024 * 1024;
/** Characters of stderr that a model or a person is shown. */
const MOST_REASON = 4_000;

/** What hooks are run with. */
export interface HookRunner {
  processes: Pick<ProcessDoor, "run">;
  /** The program that runs a command line, with the flag before it: `/bin/sh -c`. */
  shell: readonly string[];
  cwd: string;
}

/** Runs a hook to its end, or to its time limit or the abort, which end everything that it started. Never rejects. */
export async function runHook(
  hook: Hook,
  input: Uint8Array,
  { processes, shell, cwd }: HookRunner,
  signal: AbortSignal,
): Promise<HookEnd> {
  if (signal.aborted) return { kind: "aborted" };
  let ended: ProcessResult;
  try {
    ended = await processes.run(
      { argv: [...shell, hook.command], cwd, stdin: input, label: `hook: ${hook.command}` },
      { timeoutMs: hook.timeoutMs, maxBytes: MOST_BYTES, signal },
    );
  } catch (thrown) {
    return { kind: "failed", why: `could not be started: ${errorMessage(thrown)}` };
  }
  if (ended.aborted) return { kind: "aborted" };
  const said = spoken(ended.stderr);
  const { answer, problem } = readAnswer(hook.event, new TextDecoder().decode(ended.stdout));
  const holds = answer.block !== undefined || answer.ask !== undefined;
  if (!ended.timedOut && ended.code === BLOCKS)
    return { kind: "blocked", reason: said === "" ? (answer.block ?? "") : said };
  // A hook that says so and fails then (`set -e`, a server it left running) has made up its mind.
  if (holds) return { kind: "answered", answer };
  if (ended.timedOut)
    return { kind: "failed", why: `took longer than ${hook.timeoutMs / 1_000} s and was ended` };
  if (ended.code !== 0) return { kind: "failed", why: `${endOf(ended)}${said === "" ? "" : `: ${said}`}` };
  if (problem === undefined) return { kind: "answered", answer };
  const cut = ended.truncated ? ` (only the first ${MOST_BYTES / 1024 / 1024} MB are read)` : "";
  return { kind: "failed", why: `was not understood: ${problem}${cut}` };
}

function endOf({ code, signal }: ProcessResult): string {
  if (code === null) return `was ended by ${signal ?? "a signal"}`;
  return `ended with exit code ${code}${code === NOT_FOUND ? " (its command was not found)" : ""}`;
}

/** Stderr without colours, cut in its middle. */
function spoken(stderr: Uint8Array): string {
  const text = Bun.stripANSI(new TextDecoder().decode(stderr)).trim();
  if (text.length <= MOST_REASON) return text;
  const half = MOST_REASON / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MOST_REASON} characters left out …]\n${text.slice(-half)}`.toWellFormed();
}
