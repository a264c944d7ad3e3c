import type { RunStop } from "../../contract/events.ts";

/** What ended a run from outside; null when nothing did. */
export type Interruption = "SIGINT" | "SIGTERM" | "SIGHUP" | "timeout" | "stdout_closed" | "fault" | null;

const interrupted = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  timeout: 124,
  stdout_closed: 141,
  fault: 1,
} as const;

/** The process exit code for how a run ended (contract section 2): an answer without text (white space is none) is a failure too. */
export function exitCode(stop: RunStop, text: string, interruption: Interruption): number {
  switch (stop) {
    case "end":
      return text.trim() === "" ? 1 : 0;
    case "max_turns":
    case "limit":
      return 3;
    case "aborted":
      return interruption === null ? 130 : interrupted[interruption];
    case "length":
    case "error":
      return 1;
  }
}
