import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { OutputStream } from "./output-stream.ts";

test("texts arrive whole and in order, also those written while one is under way", async () => {
  await using ws = await workspace({});
  const path = join(ws.path, "out");
  const descriptor = openSync(path, "w");
  const stream = new OutputStream(descriptor, (error) => {
    throw error;
  });
  const expected = Array.from({ length: 500 }, (_, index) => `${index} 日本語🎉\n`);
  for (const text of expected) void stream.write(text);
  await stream.flush();
  closeSync(descriptor);
  expect(readFileSync(path, "utf8")).toBe(expected.join(""));
});

test("a reader that went away is told once, and later text is dropped", async () => {
  await using ws = await workspace({});
  const descriptor = openSync(join(ws.path, "out"), "w");
  closeSync(descriptor);
  const errors: Error[] = [];
  const stream = new OutputStream(descriptor, (error) => errors.push(error));
  await stream.write("a");
  await stream.write("b");
  expect(errors).toHaveLength(1);
});
