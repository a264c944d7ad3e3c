import { expect, test } from "bun:test";
import { bench, of } from "./test-support/bench.ts";
import { text } from "./test-support/fake-model.ts";

const idle = { firstByteMs: 10_000, betweenMs: 2_000 };
const never = new Promise(() => undefined);

test("no answer within the first limit is a stall that is tried again [P05]", async () => {
  const b = bench({ idle });
  b.model.script(never).says("done");
  const running = b.run("go", (event) => {
    if (event.type === "retry") void b.clock.sleeping(1_000).then(() => b.clock.advance(1_000));
  });
  await b.clock.sleeping(10_000);
  b.clock.advance(10_000);
  const events = await running;
  expect(of(events, "retry")[0]?.reason).toBe("the model sent nothing for 10 s");
  expect(b.model.signals[0]?.aborted).toBe(true);
  expect(of(events, "message_end")[0]?.text).toBe("done");
});

test("silence after text was shown ends the answer after the shorter limit, without a retry [P05]", async () => {
  const b = bench({ idle });
  b.model.script(text("half"), never);
  const running = b.run();
  await b.clock.sleeping(2_000);
  // One turn of the event loop: the loop waits for the model by then.
  await new Promise((resolve) => setImmediate(resolve));
  b.clock.advance(2_000);
  const events = await running;
  expect(of(events, "error")[0]).toMatchObject({ code: "idle", retryable: true });
  expect(b.model.requests).toHaveLength(1);
});

test("a slow but steady stream survives, however long it takes [P05]", async () => {
  const b = bench({ idle });
  const beat = async () => b.clock.advance(1_900);
  b.model.script(
    text("a"),
    beat,
    text("b"),
    beat,
    { type: "activity" },
    beat,
    text("c"),
    b.model.end([{ type: "text", text: "abc" }]),
  );
  expect(of(await b.run(), "message_end")[0]).toMatchObject({ stop_reason: "end", text: "abc" });
});

test("a delta without text is no sign of life [P05]", async () => {
  const b = bench({ idle });
  const beat = async () => b.clock.advance(1_500);
  b.model.script(text("a"), beat, text(""), beat, text(""), never);
  const events = await b.run();
  expect(of(events, "error")[0]?.code).toBe("idle");
});

test("a reader that takes its time never looks like a stalled model", async () => {
  const b = bench({ idle });
  b.model.script(text("a"), text("b"), b.model.end([{ type: "text", text: "ab" }]));
  const events = await b.run("go", (event) => {
    if (event.type === "text_delta") b.clock.advance(60_000);
  });
  expect(of(events, "message_end")[0]?.stop_reason).toBe("end");
});

test("a limit of 0 waits for as long as it takes, without waking up all the time [P05]", async () => {
  const b = bench({ idle: { firstByteMs: 0, betweenMs: 0 } });
  const aDay = async () => b.clock.advance(86_400_000);
  b.model.script(aDay, text("a"), aDay, b.model.end([{ type: "text", text: "a" }]));
  expect(of(await b.run(), "message_end")[0]?.stop_reason).toBe("end");
  expect(b.clock.slept.every((ms) => ms > 86_400_000 && Number.isFinite(ms))).toBe(true);
});
