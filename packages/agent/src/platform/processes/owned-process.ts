import { existsSync, statSync } from "node:fs";
import { errorMessage, PiError, systemCode } from "../../contract/errors.ts";
import type { OwnedProcess, ProcessExit, ProcessSpec } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { type ByteStream, byteStream, webPieces } from "./byte-stream.ts";
import { processTree } from "./process-tree.ts";
import { socketPieces } from "./socket-pieces.ts";

const DEFAULT_GRACE_MS = 2_000;

/** What the registry adds to a {@link ProcessSpec}. */
export interface StartOptions {
  environment: Record<string, string>;
  /** `NAME=value` in `environment` by which processes that moved away are found. */
  mark: string;
  clock: Clock;
}

/** An {@link OwnedProcess} and what its owner needs to know. */
export interface StartedProcess extends OwnedProcess {
  /** Resolves when the process has ended and both streams are read to their end or given up. */
  readonly settled: Promise<void>;
  /** False once neither the process nor anything in its group lives; cheap while the group is empty. */
  alive(): boolean;
}

/**
 * Starts a program in its own session, so that Ctrl+C and a closed terminal reach us and not it. Throws PiError
 * `process_missing` (no such program or folder) or `process_failed`.
 */
export function startProcess(spec: ProcessSpec, options: StartOptions): StartedProcess {
  const startedAt = options.clock.now();
  const child = spawn(spec, options.environment);
  const [stdout, stderr] = outputsOf(child, spec);
  // No closure here may hold `child`: a process that is owned for long would keep the buffers of its closed pipes.
  const { pid } = child;
  let running = true;
  const exited = exitOf(child).then((exit) => {
    running = false;
    return exit;
  });
  // An empty group can never have members again, whoever gets its number.
  let emptied = false;
  const tree = processTree({
    groups: () => (emptied ? [] : [pid]),
    mark: options.mark,
    clock: options.clock,
  });
  const groupAlive = () => {
    if (!running && !emptied) emptied = !tree.groupAlive();
    return !emptied;
  };
  const detachStreams = () => {
    stdout.detach();
    stderr.detach();
  };
  return {
    pid,
    label: spec.label,
    startedAt,
    stdout,
    stderr,
    stdin: spec.stdin === "pipe" ? inputOf(child.stdin) : null,
    exited,
    settled: Promise.all([exited, stdout.finished, stderr.finished]).then(() => undefined),
    alive: () => running || ((groupAlive() || tree.mayLive()) && tree.members().length > 0),
    survivors: () => tree.members(),
    survivorLabels: () => (groupAlive() || !(stdout.ended && stderr.ended) ? tree.labels() : []),
    detachStreams,
    async end(graceMs = DEFAULT_GRACE_MS) {
      await tree.end(graceMs);
      if (process.platform === "win32" && running) endWindowsTree(pid);
      await exited;
      detachStreams();
    },
  };
}

function exitOf(child: ReturnType<typeof spawn>): Promise<ProcessExit> {
  return child.exited.then(
    () => {
      const signal = child.signalCode;
      return signal === null ? { code: child.exitCode, signal } : { code: null, signal: String(signal) };
    },
    () => ({ code: null, signal: null }),
  );
}

function spawn(spec: ProcessSpec, environment: Record<string, string>) {
  const [program = ""] = spec.argv;
  const { stdin = "ignore" } = spec;
  try {
    return Bun.spawn([...spec.argv], {
      cwd: spec.cwd,
      env: environment,
      stdio: spec.movesOutputs
        ? [stdin, "ignore", "ignore", "socket-fd", "socket-fd"]
        : [stdin, "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (thrown) {
    throw startFailure(program, spec.cwd, thrown);
  }
}

function outputsOf(child: ReturnType<typeof spawn>, spec: ProcessSpec): [ByteStream, ByteStream] {
  const [, , , out, error] = child.stdio;
  if (spec.movesOutputs && typeof out === "number" && typeof error === "number")
    return [byteStream(socketPieces(out)), byteStream(socketPieces(error))];
  return [byteStream(webPieces(child.stdout!)), byteStream(webPieces(child.stderr!))];
}

/** Windows has neither groups nor SIGTERM: its own tool ends a process with all of its children. */
function endWindowsTree(pid: number): void {
  Bun.spawnSync(["taskkill", "/PID", String(pid), "/T", "/F"], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

function startFailure(program: string, cwd: string, thrown: unknown): PiError {
  if (!existsSync(cwd))
    return new PiError({
      code: "process_missing",
      message: `Cannot start ${program}: the folder ${cwd} does not exist`,
      hint: "Was it moved or deleted? Start again in a folder that exists.",
      cause: thrown,
    });
  if (systemCode(thrown) === "EACCES" && !mayEnter(cwd))
    return new PiError({
      code: "process_folder",
      message: `Cannot start ${program}: the folder ${cwd} may not be entered`,
      hint: "Nothing was run. Check the owner and mode of that folder.",
      cause: thrown,
    });
  if (systemCode(thrown) === "ENOENT")
    return new PiError({
      code: "process_missing",
      message: `Cannot start ${program}: there is no such program`,
      hint: `Install ${program} or put its folder into PATH.`,
      cause: thrown,
    });
  return new PiError({
    code: "process_failed",
    message: `Cannot start ${program}: ${errorMessage(thrown)}`,
    hint: hintFor(systemCode(thrown)),
    cause: thrown,
  });
}

function mayEnter(folder: string): boolean {
  try {
    statSync(`${folder}/.`);
    return true;
  } catch {
    return false;
  }
}

function hintFor(code: string | undefined): string {
  if (code === "EACCES" || code === "EPERM") return "Is the file executable, and may you run it?";
  if (code === "E2BIG") return "The arguments are too long for this system: put them into a file.";
  if (code === "EAGAIN" || code === "ENOMEM" || code === "EMFILE")
    return "This machine has no process, memory or descriptor left: end something and try again.";
  return "Try the program in a terminal to see whether it starts there.";
}

/** The writing end of a child's stdin. A child that reads no more is no error of the writer. */
function inputOf(sink: Bun.FileSink | number | undefined | null): OwnedProcess["stdin"] {
  if (sink === null || sink === undefined || typeof sink === "number") return null;
  const settle = (result: unknown) => {
    if (result instanceof Promise)
      result.catch(() => {
        // EPIPE: the child has closed its stdin or ended; `exited` tells
      });
  };
  return {
    write(bytes) {
      try {
        settle(sink.write(bytes));
        settle(sink.flush());
      } catch {
        // the child has closed its stdin
      }
    },
    end(bytes) {
      try {
        if (bytes !== undefined) settle(sink.write(bytes));
        settle(sink.end());
      } catch {
        // the child has closed its stdin
      }
    },
  };
}
