import { pathToFileURL } from "node:url";
import { type ModelServer, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { conversation, MISSING, serve, setUpOpencode, V1 } from "../e2e/hosts/opencode-host.ts";
import { median } from "./measure.ts";
import { fillHome, promptsFor } from "./memory/filled-home.ts";
import { type Figure, ms } from "./report.ts";

const PROMPTS = 8;
const GOAL_MS = 20;

/** How long each prompt of a session took until the model had its request, in milliseconds. */
type Row = readonly number[];

/**
 * What memory adds in the real OpenCode between a prompt and the first request to the model, on a store of so many memories. The same
 * session is held with and without the plugin, in turn, in a fresh `opencode serve` each time; the plugin has its usual settings.
 */
export async function benchOpencode(runs: number, memories: number): Promise<Figure[]> {
  if (MISSING !== "") {
    process.stderr.write(`hosts: nothing is measured in OpenCode${MISSING}\n`);
    return [];
  }
  await using bare = await workspace({}, { git: true });
  await using remembering = await workspace({}, { git: true });
  await using server = await modelServer();
  server.otherwise(() => [say("done")]);
  await fillHome(remembering, memories);
  setUpOpencode(bare, { server, plugin: [] });
  setUpOpencode(remembering, { server, plugin: [pathToFileURL(V1!).href] });
  const prompts = promptsFor(PROMPTS);
  const without: Row[] = [];
  const withMemory: Row[] = [];
  for (let run = 0; run < runs; run++) {
    without.push(await converse(bare, server, prompts, false));
    withMemory.push(await converse(remembering, server, prompts, true));
  }
  const added = (of: (row: Row) => number): number =>
    Math.min(...withMemory.map(of)) - Math.min(...without.map(of));
  const later = (row: Row): number => median(row.slice(1));
  const first = (row: Row): number => row[0]!;
  const count = `${memories.toLocaleString("en-US")} memories`;
  return [
    {
      name: `memory in OpenCode: each prompt until its request, ${count}`,
      value: `${ms(added(later))} more`,
      beside: `OpenCode alone: ${ms(Math.min(...without.map(later)))}`,
      goal: `≤ ${GOAL_MS} ms`,
      met: added(later) <= GOAL_MS,
    },
    {
      name: `memory in OpenCode: the first prompt until its request, ${count}`,
      value: `${ms(added(first))} more`,
      beside: `OpenCode alone: ${ms(Math.min(...without.map(first)))}`,
      goal: "none",
      met: true,
    },
  ];
}

/** Holds one session in a fresh program. Throws when memory is not as expected: that would measure nothing. */
async function converse(
  space: Workspace,
  server: ModelServer,
  prompts: readonly string[],
  remembers: boolean,
): Promise<Row> {
  await using host = await serve(space);
  const session = await host.session();
  const row: number[] = [];
  let recalled = false;
  for (const prompt of prompts) {
    const before = conversation(server).length;
    const sent = Date.now();
    await host.prompt(session, prompt);
    const request = conversation(server)[before];
    if (request === undefined) throw new Error("OpenCode asked no model");
    recalled ||= request.text.includes("<recalled-memory");
    row.push(request.at - sent);
  }
  if (recalled !== remembers)
    throw new Error(`OpenCode ${recalled ? "recalled" : "did not recall"} memories`);
  return row;
}
