/** Commands (`pi models`, `/models`): arguments by schema, results as data, so that every surface shows them its own way. */
import type { JsonObject } from "./json.ts";

export interface CommandOption {
  name: string;
  /** One letter: `-v`. */
  short?: string;
  kind: "flag" | "value";
  summary: string;
}

/** What a surface shows. `table` rows are cells; `data` is what `--json` prints. */
export interface CommandResult {
  exitCode: number;
  blocks: CommandBlock[];
  data?: JsonObject;
}

export type CommandBlock =
  | { kind: "text"; text: string }
  | { kind: "table"; head: string[]; rows: string[][] }
  /** Markdown, rendered where the surface can. */
  | { kind: "markdown"; text: string }
  /** A unified diff, coloured where the surface can. */
  | { kind: "diff"; text: string };

export interface ParsedArguments {
  words: string[];
  options: Record<string, string | true>;
}

/** One command. `Ports` is what `cli/app.ts` hands it. */
export interface CommandDefinition<Ports> {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options: readonly CommandOption[];
  /** What the process exits with when the command line is wrong; default 2. */
  readonly usageExitCode?: number;
  /** True when these words and options are this command's; false makes the whole line a prompt. */
  accepts(parsed: ParsedArguments): boolean;
  run(parsed: ParsedArguments, ports: Ports, signal: AbortSignal): Promise<CommandResult>;
}
