import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { deadline } from "./deadline.ts";

/** A program that does nothing but its own work for a while. */
function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("an answer that came while the program was busy with itself is heard", async () => {
  const time = deadline(100);
  const asked = time.within(() => readFile(import.meta.path, "utf8"), "nothing");
  busyFor(400);
  expect(await asked).toContain("an answer that came");
});

test("work that never answers is given up, and what is left of the time is nothing", async () => {
  const time = deadline(30);
  expect(await time.within(() => new Promise<string>(() => undefined), "nothing")).toBe("nothing");
  expect(time.remaining()).toBe(0);
  expect(await time.within(async () => "late", "nothing")).toBe("nothing");
});

test("lookups share the time, and one that fails gives its fallback", async () => {
  let clock = 0;
  const time = deadline(1_000, () => clock);
  const fails = (): Promise<string> => {
    clock += 15;
    return Promise.reject(new Error("no such folder"));
  };
  expect(await time.within(fails, "nothing")).toBe("nothing");
  expect(time.remaining()).toBe(985);
});
