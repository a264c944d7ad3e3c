import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTerminal, type TerminalProgram, type Workspace } from "@pi-ts/testkit";
import type { BenchService } from "../service.ts";
import { piCommand } from "../subject.ts";

export const COLUMNS = 120;
export const ROWS = 40;

/** A model whose window takes any session of these benchmarks, so that nothing is summed up on the way. */
const MODEL = { id: "wide", contextWindow: 100_000_000, maxOutput: 100_000 };

/** Starts the interactive `pi` on a terminal, against the scripted service. */
export function startInteractive(
  space: Workspace,
  service: BenchService,
  words: readonly string[] = [],
): TerminalProgram {
  const bench = {
    baseUrl: `${service.url}/v1`,
    wire: "openai-responses",
    apiKey: "bench-key-0123456789",
    models: [MODEL],
  };
  mkdirSync(join(space.home, ".pi-go"), { recursive: true, mode: 0o700 });
  writeFileSync(join(space.home, ".pi-go", "config.json"), JSON.stringify({ providers: { bench } }));
  const { argv, cwd, environment } = piCommand(space, service.url, ["--model", "bench/wide", ...words]);
  return startTerminal(argv, { cwd, env: { ...environment }, cols: COLUMNS, rows: ROWS });
}

/** Whether the box in which prompts are typed is on the screen: its border is a line over most of the width. */
export function inputBoxShown(program: TerminalProgram): boolean {
  return program.screen().some((row) => row.includes("─".repeat(COLUMNS / 2)));
}

/** The last message of the sessions that are resumed. */
export const LAST = "THE-LAST-MESSAGE";

/** Waits for the input box or, in a resumed session, its last message, and then until all that starts behind it is up. */
export async function untilReady(program: TerminalProgram, resumed: boolean): Promise<void> {
  await program.waitFor(resumed ? LAST : inputBoxShown);
  await program.settled(500);
}
