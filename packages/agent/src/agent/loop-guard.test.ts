import { expect, test } from "bun:test";
import type { AgentEvent } from "../contract/events.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ToolOutcome } from "../contract/tool.ts";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call } from "./test-support/fake-model.ts";

/** A model that goes on for at most `turns` turns with the calls that `next` gives for each. */
async function loop(
  turns: number,
  next: (turn: number) => JsonObject,
  run: (turn: number) => ToolOutcome,
  name = "poll",
) {
  let turn = 0;
  const b = bench({
    tools: [tool("poll", { input: { type: "object" }, run: () => Promise.resolve(run(turn)) })],
  });
  b.model.otherwise = () => {
    turn = b.model.requests.length;
    if (turn > turns) return [b.model.end([{ type: "text", text: "done" }])];
    return [b.model.end([call(`c${turn}`, name, next(turn))])];
  };
  return { events: await b.run(), requests: b.model.requests.length, b };
}

const stop = (events: AgentEvent[]) => of(events, "message_end")[0]?.stop_reason;
const warned = (events: AgentEvent[]) =>
  of(events, "tool_result").map((event) => event.content.includes("[Warning"));

test("the same call with the same result is warned of from the third time and stopped at the tenth [P18]", async () => {
  const { events, requests } = await loop(
    30,
    () => ({ job: 1 }),
    () => found("still waiting"),
  );
  expect(requests).toBe(10);
  expect(stop(events)).toBe("limit");
  expect(of(events, "error")[0]).toMatchObject({ code: "loop_detected" });
  expect(warned(events)).toEqual([false, false, true, true, true, true, true, true, true, false]);
});

test("after a stop the user can go on with a valid history [P18]", async () => {
  const { b } = await loop(
    30,
    () => ({ job: 1 }),
    () => found("still waiting"),
  );
  b.model.otherwise = undefined;
  b.model.says("I will try another way");
  expect(stop(await b.run("try another way"))).toBe("end");
});

test("a result that changes is honest polling, twenty times over [P18]", async () => {
  const { events } = await loop(
    20,
    () => ({ job: 1 }),
    (turn) => found(`${turn * 5} %`),
  );
  expect(stop(events)).toBe("end");
  expect(warned(events)).not.toContain(true);
});

test("a changed result starts the count anew [P18]", async () => {
  const { events } = await loop(
    12,
    () => ({ job: 1 }),
    (turn) => found(turn <= 6 ? "waiting" : "running"),
  );
  expect(stop(events)).toBe("end");
});

test("forty edits of forty files with one and the same answer are honest work [P18]", async () => {
  const { events } = await loop(
    40,
    (turn) => ({ file: `f${turn}` }),
    () => found("1 replacement"),
  );
  expect(stop(events)).toBe("end");
  expect(warned(events)).not.toContain(true);
});

test("paging through a file is honest work [P18]", async () => {
  const { events } = await loop(
    30,
    (turn) => ({ file: "a", offset: turn * 100 }),
    () => found("lines of blanks"),
  );
  expect(stop(events)).toBe("end");
});

test.each([2, 3])("going round in %d calls is found too [P18]", async (length) => {
  const { events, requests } = await loop(
    60,
    (turn) => ({ step: turn % length }),
    (turn) => found(`state ${turn % length}`),
  );
  expect(stop(events)).toBe("limit");
  expect(requests).toBe(10 * length);
});

test("the order of the arguments makes no difference [P18]", async () => {
  const { requests } = await loop(
    30,
    (turn) => (turn % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 }),
    () => found("same"),
  );
  expect(requests).toBe(10);
});

test("one failing call with tiny changes is stopped when it always fails in the same words [P18]", async () => {
  const failed: ToolOutcome = { outcome: "failed", text: "old_string not found", isError: true, details: {} };
  const { events, requests } = await loop(
    30,
    (turn) => ({ old: " ".repeat(turn) }),
    () => failed,
  );
  expect(requests).toBe(10);
  expect(stop(events)).toBe("limit");
});

test("failures in changing words are an honest search [P18]", async () => {
  const { events } = await loop(
    20,
    (turn) => ({ file: `f${turn}` }),
    (turn) => ({ outcome: "failed", text: `f${turn} does not exist`, isError: true, details: {} }),
  );
  expect(stop(events)).toBe("end");
});

test("a stubborn model that asks for a tool which does not exist is stopped, whatever it sends [P01][P18]", async () => {
  const { events, requests } = await loop(
    60,
    (turn) => ({ n: turn }),
    () => found(""),
    "nope",
  );
  expect(requests).toBe(10);
  expect(stop(events)).toBe("limit");
});

test("a changing picture is a changed result", async () => {
  const { events } = await loop(
    15,
    () => ({}),
    (turn) => ({
      ...found("screenshot"),
      images: [{ type: "image", mimeType: "image/png", data: `A${turn}` }],
    }),
  );
  expect(stop(events)).toBe("end");
});
