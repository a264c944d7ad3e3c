import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import type { HostChange } from "../../contract/interactive.ts";
import { RunningWork } from "./running-work.ts";

test("work can be stopped until it is over, and once only", async () => {
  const work = new RunningWork(() => undefined);
  expect(work.stop()).toBe(false);
  let stopped: AbortSignal | undefined;
  const over = work.run(
    (signal) =>
      new Promise((resolve) => {
        stopped = signal;
        signal.addEventListener("abort", () => resolve());
      }),
  );
  expect(work.stoppable).toBe(true);
  expect(work.stop()).toBe(true);
  expect(stopped?.aborted).toBe(true);
  expect(work.stop()).toBe(false);
  await over;
  expect(work.stoppable).toBe(false);
});

test("what work throws is told with its hint and ends only that work", async () => {
  const told: HostChange[] = [];
  const work = new RunningWork((notice) => told.push(notice));
  await work.run(() =>
    Promise.reject(new PiError({ code: "gone", message: "it is gone", hint: "look elsewhere" })),
  );
  expect(told).toEqual([{ type: "notice", level: "error", message: "it is gone", hint: "look elsewhere" }]);
  expect(work.stoppable).toBe(false);
});
