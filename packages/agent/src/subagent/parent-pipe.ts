import { PiError } from "../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { createLineSplitter } from "../platform/json-lines.ts";
import type { Handoff } from "./handoff.ts";

/** A subagent's end of the pipe from its parent: the handoff, then that there is a place, and answers. It closes when the parent is gone. */
export class ParentPipe {
  readonly #handoff = Promise.withResolvers<string | null>();
  readonly #onGone: () => void;
  readonly #onMessage: (message: JsonObject) => void;
  #waiting: (() => void)[] = [];

  /** `onGone` is called once, when the parent has closed the pipe or died; `onMessage` with what is not about its place. */
  constructor(
    stdin: ReadableStream<Uint8Array>,
    onGone: () => void,
    onMessage: (message: JsonObject) => void = () => undefined,
  ) {
    this.#onGone = onGone;
    this.#onMessage = onMessage;
    void this.#read(stdin);
  }

  /** What the parent hands over. Rejects with a usage error when it is no parent of this version. */
  async handoff(version: string): Promise<Handoff> {
    const line = await this.#handoff.promise;
    const value = line === null ? null : handoffIn(line);
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
          const line = bytes === null ? null : decoder.decode(bytes);
          if (first) this.#handoff.resolve(line);
          else if (line !== null) this.#message(parsed(line));
          first = false;
        }
    } catch {
      // a pipe that breaks is one whose other end is gone
    }
    this.#handoff.resolve(null);
    this.#wake();
    this.#onGone();
  }

  #message(message: JsonObject | null): void {
    if (message === null) return;
    if ("place" in message) this.#wake();
    else this.#onMessage(message);
  }

  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

function handoffIn(line: string): Handoff | null {
  const value = parsed(line);
  return value !== null && isJsonObject(value["agent"]) ? (value as unknown as Handoff) : null;
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : null;
  } catch {
    // a person tried it
    return null;
  }
}
