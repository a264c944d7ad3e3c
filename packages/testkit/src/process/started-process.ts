import { type ChildProcess, spawn } from "node:child_process";

export interface ProcessOptions {
  cwd?: string;
  /** The whole environment; without it that of the test run. */
  env?: Record<string, string>;
  /**
   * Written, then the pipe is closed (unless `input` says otherwise); default: an empty pipe, closed at once.
   */
  stdin?: string | Uint8Array;
  /**
   * `open`: the pipe stays open for `write`; `null`: /dev/null; `closed`: the process has no descriptor 0 at all
   * (POSIX; elsewhere like `null`).
   */
  input?: "open" | "null" | "closed";
}

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long output that was written before the end may take to arrive after it. */
const DRAIN_MS = 1_000;
/** Only ends a hung test. */
const HANG_GUARD_MS = 90_000;

/** A running process that owns its process group. Made by `startProcess`; disposal kills the whole group. */
export class StartedProcess implements AsyncDisposable {
  readonly pid: number;
  /** Resolves when the process has ended and its output is closed; rejects when it could not start. */
  readonly exited: Promise<ProcessEnd>;
  stdout = "";
  stderr = "";
  readonly #child: ChildProcess;
  readonly #watchers = new Set<() => void>();
  #ended = false;

  constructor(argv: readonly string[], options: ProcessOptions) {
    const [command, ...words] = argv;
    if (command === undefined) throw new Error("startProcess: argv is empty");
    const bare = options.input === "closed" && process.platform !== "win32";
    const real = bare ? ["sh", "-c", 'exec "$@" <&-', "sh", ...argv] : [command, ...words];
    this.#child = spawn(real[0] ?? command, real.slice(1), {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: [options.input === "null" || options.input === "closed" ? "ignore" : "pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.pid = this.#child.pid ?? -1;
    this.#collect("stdout");
    this.#collect("stderr");
    this.exited = new Promise((resolve, reject) => {
      this.#child.once("error", (error) => {
        this.#ended = true;
        this.#changed();
        reject(new Error(`cannot start ${command}: ${error.message}`));
      });
      // A grandchild may hold the pipes for ever: what it prints after the end of the process is not waited for.
      this.#child.once("exit", () => setTimeout(() => this.#letGo(), DRAIN_MS).unref());
      this.#child.once("close", (code, signal) => {
        this.#ended = true;
        this.#changed();
        resolve({ code, signal });
      });
    });
    this.exited.catch(() => {
      // whoever awaits it gets the error; nobody awaiting it is no crash
    });
    // A process may end without reading its input.
    this.#child.stdin?.on("error", () => undefined);
    if (options.input !== "open") this.#child.stdin?.end(options.stdin ?? "");
    else if (options.stdin !== undefined) this.#child.stdin?.write(options.stdin);
  }

  /** Waits until stdout or stderr (each on its own) matches. Fails when the process ends before. */
  async waitForOutput(pattern: RegExp): Promise<RegExpExecArray> {
    const plain = new RegExp(pattern, pattern.flags.replace(/[gy]/g, ""));
    return this.#until(() => plain.exec(this.stdout) ?? plain.exec(this.stderr), String(pattern));
  }

  /** Writes to stdin (started with `input: "open"`). */
  write(data: string | Uint8Array): void {
    this.#child.stdin?.write(data);
  }

  closeStdin(): void {
    this.#child.stdin?.end();
  }

  /** Takes the reader of stdout away, as `| head -1` does: the next write of the process gets EPIPE. */
  closeStdout(): void {
    this.#child.stdout?.destroy();
  }

  /** Sends a signal to the process itself; false when it was gone. */
  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    return this.#child.kill(signal);
  }

  /** Sends a signal to the whole group, as Ctrl-C on a terminal does. */
  killGroup(signal: NodeJS.Signals = "SIGKILL"): void {
    if (this.pid <= 0) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-this.pid, signal);
    } catch {
      // nobody of the group is alive
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.killGroup("SIGKILL");
    this.#letGo();
    await this.exited.catch(() => undefined);
  }

  #letGo(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.stdin?.destroy();
  }

  #collect(name: "stdout" | "stderr"): void {
    const decoder = new TextDecoder();
    this.#child[name]?.on("data", (data: Uint8Array) => {
      this[name] += decoder.decode(data, { stream: true });
      this.#changed();
    });
    this.#child[name]?.on("error", () => undefined);
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }

  #until<T>(find: () => T | null, wanted: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const told = (): string => `stdout: ${this.stdout.slice(-2000)}\nstderr: ${this.stderr.slice(-2000)}`;
      const finish = (act: () => void): void => {
        clearTimeout(guard);
        this.#watchers.delete(check);
        act();
      };
      const check = (): void => {
        const found = find();
        if (found !== null) finish(() => resolve(found));
        else if (this.#ended)
          finish(() => reject(new Error(`the process ended without ${wanted}\n${told()}`)));
      };
      const guard = setTimeout(
        () => finish(() => reject(new Error(`the process never printed ${wanted}\n${told()}`))),
        HANG_GUARD_MS,
      );
      this.#watchers.add(check);
      check();
    });
  }
}

/** Starts a process in a group of its own. Dispose of it with `await using`. */
export function startProcess(argv: readonly string[], options: ProcessOptions = {}): StartedProcess {
  return new StartedProcess(argv, options);
}
