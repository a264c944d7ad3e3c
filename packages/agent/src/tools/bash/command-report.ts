import type { ProcessExit } from "../../contract/process.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import type { RenderedOutput } from "../shared/commands/command-output.ts";
import { empty, failed, found } from "../shared/outcome.ts";

/** How a command that was waited for ended. */
export type Ending =
  | { kind: "exit"; exit: ProcessExit }
  | { kind: "timeout"; timeoutMs: number }
  | { kind: "aborted" };

/** 128 + signal(7), as shells report it. */
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

/** What the model reads of an ended command. A non-zero exit is an answer, no failure of the tool. */
export function commandReport(report: {
  ending: Ending;
  output: RenderedOutput;
  notes: readonly string[];
  durationMs: number;
}): ToolOutcome {
  const { ending, output } = report;
  const status = statusOf(ending);
  const silent = output.text === "";
  const notes = report.notes.map((note) => `[${note}]`);
  const exitCode = ending.kind === "exit" ? codeOf(ending.exit) : -1;
  const details = {
    stdout: output.stdout,
    stderr: output.stderr,
    exit_code: exitCode,
    timed_out: ending.kind === "timeout",
    truncated: output.cut,
    duration_ms: Math.round(report.durationMs),
  };
  const first = silent
    ? [`no output, ${status ?? "exit 0"}`]
    : [output.text, ...(status === undefined ? [] : [`[${status}]`])];
  const text = [...first, ...notes].join("\n");
  if (ending.kind !== "exit") return failed(text, details);
  return silent ? empty(text, details) : found(text, details);
}

/** Undefined for the plain success that needs no words. */
function statusOf(ending: Ending): string | undefined {
  if (ending.kind === "aborted") return "interrupted by the user; the command and its children were ended";
  if (ending.kind === "timeout") {
    const unit = ending.timeoutMs < 1000 ? " (timeout is in milliseconds)" : "";
    return `timed out after ${ending.timeoutMs / 1000} s${unit}; the command and its children were ended. Use a longer timeout or background`;
  }
  const { code, signal } = ending.exit;
  if (signal !== null)
    return `ended by ${signal}, exit code ${codeOf(ending.exit)}${reasonOf(codeOf(ending.exit))}`;
  return code === 0 ? undefined : `exit code ${code}${reasonOf(code ?? 0)}`;
}

function codeOf(exit: ProcessExit): number {
  if (exit.code !== null) return exit.code;
  return 128 + (SIGNAL_NUMBERS[exit.signal ?? ""] ?? 0);
}

function reasonOf(code: number): string {
  if (code === 126) return ": found but not executable";
  if (code === 127) return ": command not found";
  if (code === 137) return ": killed, perhaps out of memory";
  return code === 139 ? ": segmentation fault" : "";
}
