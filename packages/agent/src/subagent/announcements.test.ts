import { expect, test } from "bun:test";
import type { AgentReport, StartedAgent } from "../contract/subagents.ts";
import { Announcements } from "./announcements.ts";

/** A subagent that ends when it is told how. */
function ending(id: string) {
  const end = Promise.withResolvers<AgentReport>();
  const agent = { id, ended: end.promise } as StartedAgent;
  return {
    agent,
    async end(state: AgentReport["state"], reason: string | null = null) {
      end.resolve({ id, state, reason } as AgentReport);
      await end.promise;
    },
  };
}

function announcements() {
  const told: string[] = [];
  return { told, all: new Announcements(({ id, state }) => told.push(`${id} ${state}`)) };
}

test("each end is told once at its time, and once to the model with how to get the result [A-SUB-03]", async () => {
  const { told, all } = announcements();
  const [one, two] = [ending("task-1"), ending("task-2")];
  all.expect(one.agent);
  all.expect(two.agent);
  expect(all.take()).toBeNull();
  await two.end("failed", "no model");
  await one.end("done");
  expect(told).toEqual(["task-2 failed", "task-1 done"]);
  expect(all.take()?.split("\n")).toEqual([
    'The background subagent task-2 did not finish (failed): no model. agent {"resume": "task-2"} gives its result.',
    'The background subagent task-1 is done. agent {"resume": "task-1"} gives its result.',
  ]);
  expect(all.take()).toBeNull();
});

test("an end that the caller was given is not announced to it again [A-SUB-03]", async () => {
  const { told, all } = announcements();
  const [before, after] = [ending("task-1"), ending("task-2")];
  all.expect(before.agent);
  all.expect(after.agent);
  all.heard(before.agent);
  await before.end("done");
  await after.end("done");
  all.heard(after.agent);
  expect(told).toEqual(["task-2 done"]);
  expect(all.take()).toBeNull();
});
