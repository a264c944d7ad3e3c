import type { CliMemory } from "./cli-memory.ts";
import type { CliWorld } from "./cli-world.ts";
import type { Block } from "./output/block.ts";

/** A value that `--json` can print. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** One option of a command. */
export interface OptionDefinition {
  /** The name of its value in `help`; absent: a switch. */
  readonly value?: string;
  readonly short?: string;
  readonly multiple?: boolean;
  readonly summary: string;
}

/** A command line that was understood. */
export interface CommandCall {
  readonly words: readonly string[];
  flag(name: string): boolean;
  value(name: string): string | undefined;
  /** All values of an option that may be repeated; each may hold several, separated by commas. */
  values(name: string): readonly string[];
  /** Whether the result is printed as JSON. */
  readonly json: boolean;
  readonly world: CliWorld;
  readonly memory: CliMemory;
}

/** What a command came to. */
export interface CommandOutcome {
  /** Default: done (0). */
  readonly exitCode?: number;
  /** What people read. */
  readonly blocks: readonly Block[];
  /** What `--json` prints under `data`. Names are stable. */
  readonly data: { readonly [key: string]: Json | undefined };
}

/** One command of `remem`. */
export interface CommandDefinition {
  readonly name: string;
  readonly summary: string;
  /** What follows the name, for `help`. */
  readonly usage: string;
  /** How many words it takes. */
  readonly words: { readonly least: number; readonly most: number };
  readonly options: Readonly<Record<string, OptionDefinition>>;
  /** What else `help COMMAND` says: one paragraph each. */
  readonly notes?: readonly string[];
  run(call: CommandCall): Promise<CommandOutcome>;
}
