/** The ports to other programs. Every process is owned: started in its own group, without our keys, ended with us. */

/** What to start. Text encodings are the caller's business: streams are bytes. */
export interface ProcessSpec {
  argv: readonly string[];
  cwd: string;
  /** Added to the cleaned environment; what is undefined is taken from it. */
  env?: Readonly<Record<string, string | undefined>>;
  stdin?: "ignore" | "pipe" | Uint8Array;
  /**
   * The program takes its descriptors 3 and 4 for its outputs, first of all (`exec 1>&3 2>&4 3>&- 4>&-`); what it writes before is lost.
   * Reading them costs less than half. Not for Windows.
   */
  movesOutputs?: boolean;
  /** What people read in lists and errors, e.g. the command line. */
  label: string;
}

export interface ProcessExit {
  /** Null when a signal ended it. */
  code: number | null;
  signal: string | null;
}

export interface OwnedProcess {
  readonly pid: number;
  readonly label: string;
  readonly startedAt: number;
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly stdin: { write(bytes: Uint8Array | string): void; end(bytes?: Uint8Array | string): void } | null;
  /** Resolves when the process itself has ended (its streams may still be held open by a child). Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** SIGTERM to the whole tree, SIGKILL after `graceMs` (default 2,000). Resolves when all of it is gone. */
  end(graceMs?: number): Promise<void>;
  /** Processes of this tree that are still alive. */
  survivors(): number[];
  /**
   * The survivors for people ("4711 sleep 300"), cheap when there are none. Absent where the system does not tell, and
   * without those that left the group and hold none of the streams.
   */
  survivorLabels?(): string[];
  /** Stops reading the streams (a surviving child may go on writing into nothing). */
  detachStreams(): void;
}

/** Starts programs that are not the user's commands: git, ripgrep, servers. Throws PiError `process_missing` or `process_failed`. */
export interface ProcessDoor {
  start(spec: ProcessSpec): OwnedProcess;
  /** Runs to the end, bounded; for short helpers. Output over `maxBytes` (default 10 MB a stream) is cut and flagged. */
  run(
    spec: ProcessSpec,
    limits: { timeoutMs: number; maxBytes?: number; signal?: AbortSignal },
  ): Promise<ProcessResult>;
  list(): readonly OwnedProcess[];
  /** Ends everything that was started. Resolves when all of it is gone. */
  endAll(): Promise<void>;
}

export interface ProcessResult extends ProcessExit {
  stdout: Uint8Array;
  stderr: Uint8Array;
  timedOut: boolean;
  aborted: boolean;
  truncated: boolean;
}

export type SandboxTier = "read-only" | "workspace-write" | "off";

/** How commands of the `bash` tool are confined. `active` false with a tier that is not `off`: the OS offers none; `reason` says why. */
export interface Confinement {
  tier: SandboxTier;
  active: boolean;
  reason?: string;
}

/** Starts the user's shell commands, confined by the OS where it can be. */
export interface ShellDoor {
  readonly confinement: Confinement;
  /** Runs `command` with bash in `cwd` (an absolute real path inside the project). */
  start(command: string, options: { cwd: string }): Promise<OwnedProcess>;
}
