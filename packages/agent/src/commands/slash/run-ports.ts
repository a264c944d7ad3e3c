import type { NearPort } from "./shared/near-port.ts";

/** What `/run` needs. */
export interface RunPorts extends NearPort {
  run: {
    specs(): Promise<readonly string[]>;
    /** The name of the spec that is carried out now; null: none. */
    current(): string | null;
    /** What would be done. Rejects with a PiError that says what keeps the spec from being run. */
    look(spec: string): Promise<RunView>;
    /** Carries it out to the end, telling of each step meanwhile. Rejects with a PiError when it cannot begin. */
    start(
      spec: string,
      options: { fresh: boolean; unchecked: boolean },
      signal: AbortSignal,
    ): Promise<RunResult>;
    /** Stops the run in progress and resolves when its work is kept. */
    stop(): Promise<void>;
  };
}

export interface RunView {
  slices: readonly { number: number; title: string; done: boolean; parallel: boolean }[];
  gates: readonly string[];
  /** Something would check all of the work. */
  checked: boolean;
  /** A run of this spec was interrupted and goes on. */
  unfinished: boolean;
}

export interface RunResult {
  outcome: "merged" | "nothing" | "failed" | "conflict" | "stopped";
  message: string;
  slices: readonly { number: number; title: string; outcome: string; attempts: number }[];
  gates: readonly { name: string; passed: boolean }[];
  kept: readonly string[];
  /** The path of the whole report. */
  summary: string;
}
