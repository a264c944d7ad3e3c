import { expect, test } from "bun:test";
import { bounded, detached, failOpen } from "./host-guard.ts";

const SECRET = new TypeError("the text of a memory");

test("a handler that throws gives nothing, and is told by its name and the error's, without its text [R01]", async () => {
  const told: string[] = [];
  const handler = failOpen(
    "input",
    (...parts) => told.push(parts.join(" ")),
    (word: string) => {
      if (word === "bad") throw SECRET;
      return word;
    },
  );
  expect(await handler("good")).toBe("good");
  expect(await handler("bad")).toBeUndefined();
  expect(told).toEqual(["input TypeError"]);
});

test("work that nobody waits for cannot end the process, not even when telling of it fails", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  detached(
    "later",
    () => {
      resolve();
      throw new Error("nobody listens");
    },
    () => Promise.reject(SECRET),
  );
  await promise;
  expect(
    await failOpen(
      "later",
      () => undefined,
      () => 1,
    )(),
  ).toBe(1);
});

test("work that never ends is given up, and told to stop", async () => {
  let stopped = false;
  const ended = await bounded(1, undefined, (signal) => {
    signal.addEventListener("abort", () => {
      stopped = true;
    });
    return new Promise<never>(() => undefined);
  });
  expect(ended.outcome).toBe("timed_out");
  expect(stopped).toBe(true);
});

test("the host's own signal ends the waiting at once", async () => {
  const controller = new AbortController();
  const waiting = bounded(60_000, controller.signal, () => new Promise<never>(() => undefined));
  controller.abort();
  expect((await waiting).outcome).toBe("aborted");
});
