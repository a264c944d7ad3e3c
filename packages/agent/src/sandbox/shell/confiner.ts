import type { OwnedProcess } from "../../contract/process.ts";

/** One operating system's way to confine commands. */
export interface Confiner {
  /** Why there is surely no confinement here; undefined when there may be one. Cheap: starts nothing. */
  unavailable(): string | undefined;
  /** Makes ready for the first command. Rejects with PiError `sandbox_missing` when the system offers none, `sandbox_failed` else. */
  prepare(): Promise<void>;
  /** Runs a command confined; rejects when it cannot. */
  start(command: string, options: { cwd: string }): Promise<OwnedProcess>;
}
