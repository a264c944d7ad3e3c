import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer, say, testHost, testNode, type Workspace, workspace } from "@pi-ts/testkit";
import { openSqliteStore } from "../packages/remem/src/store/sqlite/open-store.ts";
import { type Command, compare, runOnce } from "./measure.ts";
import { openEngine } from "./memory/open-engine.ts";
import { observation, questions, vocabulary } from "./memory/synthetic-memories.ts";
import { type Figure, ms } from "./report.ts";

const EXTENSION = join(import.meta.dir, "..", "packages", "remem", "dist", "hosts", "pi.js");
const BATCH = 500;
const PROMPTS = 8;
const START_GOAL_MS = 30;
const PROMPT_GOAL_MS = 20;

/**
 * What memory adds to the real Pi: to its start where nothing is remembered, and to a prompt on a store of so many memories. Whole processes
 * with and without the extension, in turn; the best of each, because other work of the machine costs more than what is looked for.
 */
export async function benchHosts(runs: number, memories: number): Promise<Figure[]> {
  const pi = testHost("@earendil-works/pi-coding-agent/dist/bundle/cli.js");
  const node = testNode();
  if (pi === null || node === null) {
    process.stderr.write("hosts: Pi is not installed (npm ci --prefix test-hosts): nothing is measured\n");
    return [];
  }
  await using empty = await workspace({});
  await using filled = await workspace({});
  await using server = await modelServer();
  server.otherwise(() => [say("done")]);
  const words = vocabulary();
  await fill(filled, memories, words);
  const question = questions(7, words);
  const prompts = Array.from({ length: PROMPTS }, question);
  for (const space of [empty, filled]) writeModel(space, server.baseUrl("openai-chat"));
  const command = (space: Workspace, extensions: readonly string[], said: readonly string[]): Command => ({
    argv: [
      node,
      pi,
      ...["--provider", "bench", "--model", "bench", "--no-session"],
      ...extensions,
      "-p",
      ...said,
    ],
    cwd: space.path,
    environment: space.env({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
  });
  const memory = ["-e", EXTENSION];
  const costs = await compare(runs, {
    bare: () => runOnce(command(empty, [], ["hi"])),
    start: () => runOnce(command(empty, memory, ["hi"])),
    bareOne: () => runOnce(command(filled, [], prompts.slice(0, 1))),
    one: () => runOnce(command(filled, memory, prompts.slice(0, 1))),
    bareAll: () => runOnce(command(filled, [], prompts)),
    all: () => runOnce(command(filled, memory, prompts)),
  });
  const best = (name: string): number => Math.min(...costs[name]!.map(({ wallMs }) => wallMs));
  const start = best("start") - best("bare");
  const first = best("one") - best("bareOne");
  const prompt = (best("all") - best("one") - (best("bareAll") - best("bareOne"))) / (PROMPTS - 1);
  return [
    {
      name: "memory in Pi: its start, nothing remembered",
      value: `${ms(start)} more`,
      beside: `Pi alone: ${ms(best("bare"))}`,
      goal: `≤ ${START_GOAL_MS} ms`,
      met: start <= START_GOAL_MS,
    },
    {
      name: `memory in Pi: each prompt, ${memories.toLocaleString("en-US")} memories`,
      value: `${ms(prompt)} more`,
      beside: "",
      goal: `≤ ${PROMPT_GOAL_MS} ms`,
      met: prompt <= PROMPT_GOAL_MS,
    },
    {
      name: `memory in Pi: start and first prompt, ${memories.toLocaleString("en-US")} memories`,
      value: `${ms(first)} more`,
      beside: `Pi alone: ${ms(best("bareOne"))}`,
      goal: "none",
      met: true,
    },
  ];
}

async function fill(space: Workspace, memories: number, words: readonly string[]): Promise<void> {
  const folder = join(space.home, ".pi-go", "memory");
  mkdirSync(folder, { recursive: true });
  const clock = { now: () => Date.now() };
  const path = join(folder, "claude-mem.db");
  await using opened = await openEngine(openSqliteStore({ path, clock }));
  for (let start = 0; start < memories; start += BATCH)
    await opened.engine.remember(
      Array.from({ length: Math.min(BATCH, memories - start) }, (_, offset) => ({
        ...observation(start + offset, words),
        scope: { kind: "global" as const },
      })),
    );
}

function writeModel(space: Workspace, baseUrl: string): void {
  const folder = join(space.home, ".pi", "agent");
  mkdirSync(folder, { recursive: true });
  const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const limits = { contextWindow: 1_000_000, maxTokens: 4_096 };
  const model = { id: "bench", name: "bench", reasoning: false, input: ["text"], cost, ...limits };
  const provider = { baseUrl, api: "openai-completions", apiKey: "bench-key", models: [model] };
  writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { bench: provider } }));
}
