import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { errorMessage } from "../../../contract/errors.ts";
import type { OwnedProcess, ProcessDoor, ProcessExit } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import { createLineSplitter, encodeJsonLine, type RawLine } from "../../../platform/json-lines.ts";
import type { ServerLog } from "../server/server-log.ts";
import type { StdioSetting } from "../server-config.ts";
import { readMessages } from "./read-messages.ts";

/** A longer message ends the connection: nobody could tell which call it answers. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;
/** A server that is asked to end by the end of its input gets this long before it is told to. */
const FAREWELL_MS = 300;
/** One that never spoke has nothing to bring to an end, and a run is not to wait for it. */
const SILENT_GRACE_MS = 100;
/** After the program's end: what a child of it still holds open is not waited for any longer. */
const LAST_WORDS_MS = 200;

export interface StdioParts {
  setting: StdioSetting;
  /** The server, for lists of processes. */
  label: string;
  processes: ProcessDoor;
  log: ServerLog;
  clock: Clock;
}

/**
 * The protocol over a program's stdin and stdout, one JSON object a line. The program is owned by the process registry, so it ends
 * with us whatever it does. What is no message on its stdout goes into the log and hurts nothing.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #parts: StdioParts;
  #process: OwnedProcess | undefined;
  #exit: ProcessExit | undefined;
  #closed = false;
  #notified = false;
  #spoke = false;
  #problem: string | undefined;

  constructor(parts: StdioParts) {
    this.#parts = parts;
  }

  /** How the connection ended, for people: `exit code 1`. Null while it is open, or when we ended it. */
  get ending(): string | null {
    if (this.#problem !== undefined) return this.#problem;
    if (this.#exit === undefined) return null;
    return this.#exit.signal === null ? `exit code ${this.#exit.code}` : `ended by ${this.#exit.signal}`;
  }

  async start(): Promise<void> {
    const { setting, label, processes } = this.#parts;
    const child = processes.start({
      argv: [setting.command, ...setting.args],
      cwd: setting.cwd,
      env: setting.env,
      stdin: "pipe",
      label,
    });
    this.#process = child;
    const spoken = Promise.all([this.#read(child.stdout), this.#listen(child.stderr)]);
    void this.#end(child, spoken);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed || this.#process === undefined) throw new Error("the server is not running");
    this.#process.stdin?.write(encodeJsonLine(message));
  }

  /** Ends the program: by the end of its input, then by signals to all of its tree. Resolves when nothing of it is left. */
  async close(): Promise<void> {
    const child = this.#process;
    this.#over();
    if (child === undefined) return;
    child.stdin?.end();
    const { clock } = this.#parts;
    if (this.#exit === undefined && this.#spoke) {
      const waited = new AbortController();
      await Promise.race([child.exited, clock.sleep(FAREWELL_MS, waited.signal)]);
      waited.abort();
    }
    await child.end(this.#spoke ? undefined : SILENT_GRACE_MS);
    this.#parts.log.flush();
  }

  async #end(child: OwnedProcess, spoken: Promise<unknown>): Promise<void> {
    const exit = await child.exited;
    const waited = new AbortController();
    await Promise.race([spoken, this.#parts.clock.sleep(LAST_WORDS_MS, waited.signal)]);
    waited.abort();
    if (!this.#closed) this.#exit = exit;
    this.#parts.log.stderrEnd();
    this.#over();
    // Children that it left behind are nobody's any more.
    await child.end();
    this.#parts.log.flush();
  }

  async #read(stdout: AsyncIterable<Uint8Array>): Promise<void> {
    const lines = createLineSplitter(LONGEST_MESSAGE);
    for await (const bytes of stdout) for (const line of lines.push(bytes)) await this.#take(line);
    const rest = lines.end();
    if (rest !== null) await this.#take(rest);
    if (this.#closed || this.#exit !== undefined) return;
    // It can say nothing more, alive or not; a program that is just ending tells its code in a moment.
    const waited = new AbortController();
    await Promise.race([this.#process?.exited, this.#parts.clock.sleep(FAREWELL_MS, waited.signal)]);
    waited.abort();
    if (this.#exit === undefined && !this.#closed && this.#process?.survivors().includes(this.#process.pid))
      await this.#break("it closed its stdout");
  }

  async #take(line: RawLine): Promise<void> {
    if (line.bytes === null) {
      await this.#break(`it sent a message of ${line.length} bytes, more than ${LONGEST_MESSAGE}`);
      return;
    }
    const text = new TextDecoder().decode(line.bytes).trim();
    if (text === "" || this.#closed) return;
    const { messages, faulty } = readMessages(text);
    if (faulty) this.#parts.log.note(`stdout, no message of the protocol: ${text}`);
    for (const message of messages) await this.#hand(message);
  }

  async #hand(message: JSONRPCMessage): Promise<void> {
    this.#spoke = true;
    // The SDK hands a notification on a little later: an answer right behind it would overtake its progress.
    const isAnswer = !("method" in message);
    if (isAnswer && this.#notified) await new Promise(setImmediate);
    this.#notified = !isAnswer;
    try {
      this.onmessage?.(message);
    } catch (thrown) {
      this.onerror?.(new Error(errorMessage(thrown)));
    }
  }

  async #listen(stderr: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const bytes of stderr) this.#parts.log.stderr(bytes);
  }

  async #break(problem: string): Promise<void> {
    this.#problem ??= problem;
    this.#parts.log.note(problem);
    this.#over();
    await this.#process?.end();
  }

  #over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
