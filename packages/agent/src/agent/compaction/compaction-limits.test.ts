/** Compaction that cannot help must not run again and again. */
import { expect, test } from "bun:test";
import { bench, found, of, tool, user } from "../test-support/bench.ts";
import { call, failure, usage } from "../test-support/fake-model.ts";
import { asksForSummary, automatic, smallModel, steps } from "../test-support/long-history.ts";
import { limitsFor, summaryLimits } from "./limits.ts";

type Bench = ReturnType<typeof bench>;

const summariesOf = (b: Bench) => b.model.requests.filter(asksForSummary).length;

test.each([1_000, 8_192, 32_000, 200_000, 1_000_000])(
  "in a window of %d tokens the reserve is never over 30 %",
  (window) => {
    const limits = limitsFor(window, { threshold: 1, reserve: window }, window);
    expect(limits.trigger).toBeGreaterThanOrEqual(Math.floor(window * 0.7));
    expect(limitsFor(window, { threshold: 0.5 }, 1_000).trigger).toBeLessThanOrEqual(window / 2);
  },
);

test.each([8_192, 32_000, 200_000])(
  "in a window of %d tokens all that a compaction keeps leaves a third of the trigger free",
  (window) => {
    const { tail, user, request, reminders, files, summary, trigger } = limitsFor(
      window,
      { threshold: 0.85 },
      8_000,
    );
    expect(tail + user + request + reminders + files + summary).toBeLessThan(trigger * 0.85);
  },
);

test("a request for a summary leaves room for its answer, however small the window", () => {
  for (const window of [4_096, 8_192, 32_000, 200_000]) {
    const model = { ...smallModel, contextWindow: window, maxOutput: window };
    const { input, output } = summaryLimits(model, window, 6_000);
    expect(input + output).toBeLessThan(window);
    expect(input).toBeGreaterThan(window / 2);
  }
});

test("a system text that takes nearly all of the window causes no request for a summary, and is told of once [C04]", async () => {
  const b = bench({
    model: smallModel,
    compaction: automatic,
    system: "rule ".repeat(13_000),
    tools: [tool("look")],
    history: [user("before"), ...steps(10, 330)],
  });
  for (let n = 0; n < 6; n++) b.model.calls(call(`c${n}`, "look", { x: n }));
  b.model.says("done");
  const events = await b.run("go");
  expect(summariesOf(b)).toBe(0);
  expect(of(events, "notice")).toHaveLength(1);
  expect(of(events, "notice")[0]?.message).toContain("the system text");
  expect(of(events, "message_end")[0]?.text).toBe("done");
});

test("summaries that do not shrink anything are asked for at most twice in a run of twenty steps [C04]", async () => {
  const b = bench({
    model: smallModel,
    compaction: automatic,
    tools: [tool("look")],
    history: [user("before"), ...steps(30, 600)],
  });
  let turn = 0;
  b.model.otherwise = (request) => {
    if (asksForSummary(request))
      return [b.model.end([{ type: "text", text: "as long as before ".repeat(9_000) }])];
    turn++;
    return turn === 20
      ? [b.model.end([{ type: "text", text: "done" }])]
      : [b.model.end([call(`c${turn}`, "look", { x: turn })])];
  };
  const events = await b.run("go");
  expect(of(events, "message_end")[0]?.text).toBe("done");
  expect(summariesOf(b)).toBeLessThanOrEqual(2);
  expect(summariesOf(b)).toBeGreaterThan(0);
});

test("a service that counts far too much causes no more than two summaries [C04][Q02]", async () => {
  const b = bench({ model: smallModel, compaction: automatic, tools: [tool("look")] });
  let turn = 0;
  b.model.otherwise = (request) => {
    if (asksForSummary(request)) return [b.model.end([{ type: "text", text: "NOTES" }])];
    turn++;
    const used = usage(100, 10, { cache_read: 150_000 });
    return turn === 20
      ? [b.model.end([{ type: "text", text: "done" }], "end", used)]
      : [b.model.end([call(`c${turn}`, "look", { x: turn })], "tool", used)];
  };
  await b.run("go");
  expect(summariesOf(b)).toBeLessThanOrEqual(2);
});

test("one newest message that is larger than the window is neither summarised nor cut [C04]", async () => {
  const b = bench({ model: smallModel, compaction: automatic });
  b.model.otherwise = [failure({ code: "overflow", retryable: false })];
  const events = await b.run("p ".repeat(60_000));
  expect(summariesOf(b)).toBe(0);
  expect(b.model.requests).toHaveLength(1);
  expect(of(events, "error")[0]).toMatchObject({ code: "overflow" });
});

test("at most one compaction comes between two answers, also when the request overflows after it [C04]", async () => {
  const b = bench({
    model: smallModel,
    compaction: automatic,
    history: [user("before"), ...steps(30, 600)],
  });
  b.model.otherwise = (request) =>
    asksForSummary(request)
      ? [b.model.end([{ type: "text", text: "NOTES" }])]
      : [failure({ code: "overflow", retryable: false })];
  const events = await b.run("go");
  expect(summariesOf(b)).toBe(1);
  expect(b.model.requests.length).toBeLessThanOrEqual(3);
  expect(of(events, "error")[0]).toMatchObject({ code: "overflow" });
});

test("a window that turns out to be smaller than told is believed from then on [P16]", async () => {
  const model = { ...smallModel, known: false, contextWindow: 128_000 };
  const b = bench({
    model,
    compaction: automatic,
    tools: [tool("look", { run: () => Promise.resolve(found("word ".repeat(600))) })],
  });
  let turn = 0;
  let overflows = 0;
  b.model.otherwise = (request) => {
    if (asksForSummary(request)) return [b.model.end([{ type: "text", text: "NOTES" }])];
    if (JSON.stringify(request.messages).length > 40_000) {
      overflows++;
      return [failure({ code: "overflow", retryable: false })];
    }
    turn++;
    return turn === 80
      ? [b.model.end([{ type: "text", text: "done" }], "end", usage(0, 0))]
      : [b.model.end([call(`c${turn}`, "look", { x: turn })], "tool", usage(0, 0))];
  };
  const events = await b.run("go");
  expect(of(events, "message_end")[0]?.text).toBe("done");
  expect(overflows).toBe(1);
  expect(summariesOf(b)).toBeGreaterThan(2);
});

test("after an overflow with compaction turned off only long results are cut [P16]", async () => {
  const b = bench({ model: smallModel, history: [user("before"), ...steps(30, 600)] });
  b.model.otherwise = [failure({ code: "overflow", retryable: false })];
  await b.run("go");
  expect(summariesOf(b)).toBe(0);
  expect(b.model.requests).toHaveLength(2);
});
