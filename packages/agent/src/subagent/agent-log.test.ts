import { expect, test } from "bun:test";
import { AgentLog } from "./agent-log.ts";

test("what is said, called and gone wrong stands in its order; text that goes on is one step [A-TUI-02]", () => {
  const log = new AgentLog();
  log.task("look");
  log.say("I ");
  log.say("look.");
  log.call("bash", { command: "npm  test" });
  log.failed("exit code 1");
  log.say("Hm.");
  expect(log.steps).toEqual([
    { kind: "task", text: "look" },
    { kind: "said", text: "I look." },
    { kind: "call", text: "bash npm test" },
    { kind: "failed", text: "exit code 1" },
    { kind: "said", text: "Hm." },
  ]);
});

test("a log of any length stays small and keeps the latest, and no step grows without end [A-TUI-02]", () => {
  const log = new AgentLog();
  for (let n = 0; n < 100; n++) log.say("x".repeat(5_000));
  log.say("the end");
  const length = log.steps.reduce((sum, { text }) => sum + text.length, 0);
  expect(length).toBeLessThanOrEqual(100_000);
  expect(log.steps.every(({ text }) => text.length <= 7_000)).toBe(true);
  expect(log.steps.at(-1)!.text).toEndWith("the end");
});
