export type { CliInput, CliOutput, CliWorld } from "./cli-world.ts";
export { isCliLine } from "./command-table.ts";
export { LineInput } from "./line-input.ts";
export { runCli } from "./run-cli.ts";
export { runOnTerminal } from "./run-on-terminal.ts";
