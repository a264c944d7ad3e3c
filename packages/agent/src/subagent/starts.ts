import { closeSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PiError, systemCode } from "../contract/errors.ts";
import { fileFailure } from "../platform/file-failure.ts";

/**
 * Counts the starts of a session over all depths and processes: one file a start, which only one process can make. A killed
 * process cannot take its starts back.
 */
export class Starts {
  readonly #folder: string;
  readonly #limit: number;

  constructor(team: string, limit: number) {
    this.#folder = join(team, "starts");
    this.#limit = limit;
  }

  /** Takes one start. Throws PiError `agent_limit` when there is none left, or a FileErrorCode when the disk refuses. */
  take(): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      for (let number = readdirSync(this.#folder).length + 1; number <= this.#limit; number++)
        if (make(join(this.#folder, String(number)))) return;
    } catch (thrown) {
      throw fileFailure("count a subagent in", this.#folder, thrown);
    }
    throw new PiError({
      code: "agent_limit",
      message: `no more subagents in this session: all ${this.#limit} starts are used (subagent.maxPerSession)`,
      hint: "Do the rest of the work yourself.",
    });
  }
}

function make(file: string): boolean {
  try {
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (thrown) {
    if (systemCode(thrown) === "EEXIST") return false;
    throw thrown;
  }
}
