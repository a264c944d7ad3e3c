import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSpillDoor } from "./spill.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "spill-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

test("spilled output is private to the user, also in a folder that was open to others [X05]", () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, "a", "b");
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const file = createSpillDoor(folder).open("bash npm test")!;
  file.write(encode("out"));
  file.close();
  expect(readFileSync(file.path, "utf8")).toBe("out");
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("bytes over the limit are counted and dropped [B06]", () => {
  using temporary = temporaryFolder();
  const file = createSpillDoor(temporary.path).open("x", 5)!;
  file.write(encode("abc"));
  file.write(encode("defg"));
  file.write(encode("h"));
  file.close();
  expect([file.written, file.dropped, readFileSync(file.path, "utf8")]).toEqual([5, 3, "abcde"]);
});

test("a label cannot leave the folder and an existing file is never reused", () => {
  using temporary = temporaryFolder();
  const door = createSpillDoor(temporary.path, () => "same");
  const file = door.open("../../etc/x")!;
  expect(file.path).toBe(join(temporary.path, "..-..-etc-x-same.txt"));
  expect(door.open("../../etc/x")).toBeNull();
  file.close();
});

test("a place that cannot hold files gives null instead of an error [B10]", () => {
  using temporary = temporaryFolder();
  writeFileSync(join(temporary.path, "file"), "");
  expect(createSpillDoor(join(temporary.path, "file", "sub")).open("x")).toBeNull();
});

test("a disk that fills up drops the rest and does not throw [B10]", () => {
  using temporary = temporaryFolder();
  const file = createSpillDoor(temporary.path).open("x")!;
  file.close();
  file.write(encode("late"));
  expect([file.written, file.dropped]).toEqual([0, 4]);
});
