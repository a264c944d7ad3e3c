/** What tests of subagents share: who a request is of, and what its parent was given. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Block,
  leftovers,
  type ModelServer,
  type RecordedRequest,
  say,
  type Workspace,
} from "@pi-ts/testkit";
import { anyPi, type PiOptions } from "./pi.ts";
import { stateFolder } from "./state.ts";

/** Starts of whatever program there is, with its requests at the server. */
export const options = (server: ModelServer, more: Partial<PiOptions> = {}): PiOptions => ({
  server,
  entrance: anyPi(),
  ...more,
});

/** Whether a request is of the agent that got this word in its task. */
export const told = (word: string) => (request: RecordedRequest) =>
  request.userTexts.some((text) => text.includes(word));

/** A subagent's answers: the first calls, then the last message. */
export function plays(server: ModelServer, word: string, calls: Block[], answer: string): void {
  if (calls.length > 0)
    server.when((request) => told(word)(request) && request.results.length === 0).reply(...calls);
  server.when(told(word)).reply(say(answer));
}

/** The first request of the agent that a person talks to. */
export const first = (request: RecordedRequest) => told("go!")(request) && request.results.length === 0;

/** What the parent was given, in its last request. */
export function given(server: ModelServer): string {
  const last = server.requests.filter(told("go!")).at(-1)!;
  return last.results.map(({ text }) => text).join("\n");
}

/** A file's text; empty for one that is gone or not ours. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // a process that ended meanwhile
    return "";
  }
}

export function userConfig(ws: Workspace, config: unknown): void {
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify(config));
}

/** Pids of processes of a workspace whose command line holds a word. */
export function pidsOf(ws: Workspace, word: string): number[] {
  return leftovers(ws.marker)
    .filter((process) => process.includes(word))
    .map((process) => Number.parseInt(process, 10));
}

/** Waits until it is so; the test's own limit ends a wait for what never comes. */
export async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setImmediate(resolve));
}
