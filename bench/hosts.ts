import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer, say, testHost, testNode, type Workspace, workspace } from "@pi-ts/testkit";
import { benchOpencode } from "./hosts-opencode.ts";
import { type Command, type Cost, compare, runOnce } from "./measure.ts";
import { fillHome, promptsFor } from "./memory/filled-home.ts";
import { type Figure, ms } from "./report.ts";

const EXTENSION = join(import.meta.dir, "..", "packages", "remem", "dist", "hosts", "pi.js");
const PROMPTS = 8;
const START_GOAL_MS = 30;
const PROMPT_GOAL_MS = 20;

/** What memory adds to the real hosts, those of them that are installed. */
export async function benchHosts(runs: number, memories: number): Promise<Figure[]> {
  return [...(await benchPi(runs, memories)), ...(await benchOpencode(Math.ceil(runs / 3), memories))];
}

/**
 * What memory adds to the real Pi: to its start where nothing is remembered, and to a prompt on a store of so many memories. Whole processes
 * with and without the extension, in turn; the best of each, because other work of the machine costs more than what is looked for.
 */
async function benchPi(runs: number, memories: number): Promise<Figure[]> {
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
  await fillHome(filled, memories);
  const prompts = promptsFor(PROMPTS);
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
  const nothing = join(empty.path, "nothing.mjs");
  writeFileSync(nothing, "export default function () {}\n");
  const costs = await compare(runs, {
    bare: () => runOnce(command(empty, [], ["hi"])),
    nothing: () => runOnce(command(empty, ["-e", nothing], ["hi"])),
    start: () => runOnce(command(empty, memory, ["hi"])),
    bareOne: () => runOnce(command(filled, [], prompts.slice(0, 1))),
    one: () => runOnce(command(filled, memory, prompts.slice(0, 1))),
    bareAll: () => runOnce(command(filled, [], prompts)),
    all: () => runOnce(command(filled, memory, prompts)),
  });
  const costOf = (what: keyof Cost) => {
    const best = (name: string): number => Math.min(...costs[name]!.map((cost) => cost[what]));
    const first = best("one") - best("bareOne");
    return {
      bare: best("bare"),
      // With the first extension Pi loads what loads extensions.
      loader: best("nothing") - best("bare"),
      start: best("start") - best("nothing"),
      bareOne: best("bareOne"),
      first,
      prompt: (best("all") - best("bareAll") - first) / (PROMPTS - 1),
    };
  };
  const { bare, loader, start, bareOne, first, prompt } = costOf("wallMs");
  // On a busy machine it says more than the time that passed; with the threads that compile and collect garbage beside the work.
  const processor = costOf("cpuMs");
  return [
    {
      name: "memory in Pi: its start, nothing remembered",
      value: `${ms(start)} more than an extension that does nothing`,
      beside: `Pi alone: ${ms(bare)}, with that extension ${ms(loader)} more; ${ms(processor.start)} of processors`,
      goal: `≤ ${START_GOAL_MS} ms`,
      met: start <= START_GOAL_MS,
    },
    {
      name: `memory in Pi: each prompt, ${memories.toLocaleString("en-US")} memories`,
      value: `${ms(prompt)} more`,
      beside: `${ms(processor.prompt)} of processors`,
      goal: `≤ ${PROMPT_GOAL_MS} ms`,
      met: prompt <= PROMPT_GOAL_MS,
    },
    {
      name: `memory in Pi: start and first prompt, ${memories.toLocaleString("en-US")} memories`,
      value: `${ms(first)} more`,
      beside: `Pi alone: ${ms(bareOne)}; ${ms(processor.first)} of processors`,
      goal: "none",
      met: true,
    },
  ];
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
