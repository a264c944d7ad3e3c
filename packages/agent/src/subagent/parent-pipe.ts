import { PiError } from "../contract/errors.ts";
import { isJsonObject } from "../contract/json.ts";
import { createLineSplitter } from "../platform/json-lines.ts";
import type { Handoff } from "./handoff.ts";

/** A subagent's end of the pipe from its parent: the handoff, then messages about its place. It closes when the parent is gone. */
export class ParentPipe {
  readonly #handoff = Promise.withResolvers<string | null>();
  readonly #onGone: () => void;
  #waiting: (() => void)[] = [];

  /** `onGone` is called once, when the parent has closed the pipe or died. */
  constructor(stdin: ReadableStream<Uint8Array>, onGone: () => void) {
    this.#onGone = onGone;
    void this.#read(stdin);
  }

  /** What the parent hands over. Rejects with a usage error when it is no parent of this version. */
  async handoff(version: string): Promise<Handoff> {
    const line = await this.#handoff.promise;
    const value = line === null ? null : parsed(line);
    if (value === null)
      throw new PiError({
        code: "usage",
        message: "this is no subagent: no task came on stdin",
        hint: "Subagents are started by pi itself; for a script there is pi -p",
        exitCode: 2,
      });
    if (value.version !== version)
      throw new PiError({
        code: "agent_version",
        message: `this program is version ${version}, and the one that started it ${String(value.version).slice(0, 40)}`,
        hint: "pi was updated while it ran: start it anew",
      });
    return value;
  }

  /** Resolves when the parent has a place for it again, or is gone. */
  taken(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #read(stdin: ReadableStream<Uint8Array>): Promise<void> {
    const lines = createLineSplitter();
    const decoder = new TextDecoder();
    let first = true;
    try {
      for await (const chunk of stdin)
        for (const { bytes } of lines.push(chunk)) {
          if (first) this.#handoff.resolve(bytes === null ? null : decoder.decode(bytes));
          else this.#wake();
          first = false;
        }
    } catch {
      // a pipe that breaks is one whose other end is gone
    }
    this.#handoff.resolve(null);
    this.#wake();
    this.#onGone();
  }

  /** Every message after the handoff says that there is a place again. */
  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

function parsed(line: string): Handoff | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && isJsonObject(value["agent"]) ? (value as unknown as Handoff) : null;
  } catch {
    // a person tried it
    return null;
  }
}
