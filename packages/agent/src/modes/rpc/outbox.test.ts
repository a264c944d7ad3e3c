import { expect, test } from "bun:test";
import { Outbox } from "./outbox.ts";

/** A sink whose reader takes what was written when the test says so. */
function bench(mostEvents = 100) {
  const written: string[] = [];
  const takes: (() => void)[] = [];
  const told: string[] = [];
  const waits: (() => void)[] = [];
  const outbox = new Outbox(
    {
      write(text, done) {
        written.push(text);
        takes.push(done);
      },
    },
    {
      mostEvents,
      grace(over) {
        told.push("waits");
        waits.push(over);
        return () => waits.splice(waits.indexOf(over), 1);
      },
      onOverflow: () => told.push("given up"),
      onDrained: () => undefined,
    },
  );
  return { outbox, written, told, take: () => takes.shift()?.(), waits };
}

test("lines go out in order, those that waited together", async () => {
  const { outbox, written, take } = bench();
  outbox.answer("a\n");
  outbox.event("b\n");
  outbox.answer("c\n");
  const flushed = outbox.flushed();
  expect(written).toEqual(["a\n"]);
  take();
  expect(written).toEqual(["a\n", "b\nc\n"]);
  take();
  await flushed;
  expect(outbox.waiting).toBe(0);
});

test("a client that takes nothing while events pile up is given up when the wait is over [H05]", () => {
  const { outbox, told, waits } = bench();
  outbox.event("x".repeat(101));
  outbox.event("more");
  expect(told).toEqual(["waits"]);
  waits[0]!();
  expect(told).toEqual(["waits", "given up"]);
  outbox.event("x".repeat(1_000));
  expect(told).toEqual(["waits", "given up"]);
});

test("a client that takes something is waited for anew [H05]", () => {
  const { outbox, told, take, waits } = bench();
  for (let each = 0; each < 3; each++) outbox.event("x".repeat(50));
  expect(waits).toHaveLength(1);
  take();
  expect(waits).toHaveLength(0);
  expect(told).toEqual(["waits"]);
});

test("beyond four times the limit there is no wait [H05]", () => {
  const { outbox, told } = bench();
  for (let each = 0; each < 9; each++) outbox.event("x".repeat(50));
  expect(told).toEqual(["waits", "given up"]);
});

test("answers never give a client up: it has asked for them", () => {
  const { outbox, told } = bench();
  outbox.answer("x".repeat(10_000));
  outbox.event("x");
  expect(told).toEqual([]);
  expect(outbox.waiting).toBe(10_000);
});
