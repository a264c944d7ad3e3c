import type { Clock } from "../core/ports/clock.ts";
import type { SettingsLayer } from "../runtime/config/memory-config.ts";

/** Everything a command may touch besides files: handed over, so that another program can run commands as its own. */
export interface CliWorld {
  /** How the user starts it, as it stands in usage and hints: `remem`, `pi memory`. */
  readonly program: string;
  readonly version: string;
  /** The current folder. The project is found from it. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Fires when the user stops the command. */
  readonly signal: AbortSignal;
  /** Settings of the program that runs the command; they win over the user's file. */
  readonly settings?: SettingsLayer;
  readonly input: CliInput;
  readonly output: CliOutput;
  /** Runs a program on the user's terminal and gives its exit code. Rejects when it cannot be started. */
  readonly runOnTerminal: (commandLine: string) => Promise<number>;
}

export interface CliInput {
  readonly isTerminal: boolean;
  /** The next line without its end; null at the end of the input. */
  line(): Promise<string | null>;
  /** All that is piped in. */
  all(): Promise<string>;
}

export interface CliOutput {
  readonly isTerminal: boolean;
  /** Width of the terminal; 0 where there is none. */
  readonly columns: number;
  /** Whether emphasis may be shown. */
  readonly styled: boolean;
  /** Results. Awaiting it is back-pressure. */
  out(text: string): Promise<void>;
  /** Notices, questions, failures. */
  err(text: string): Promise<void>;
}
