import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { editTool } from "./edit.ts";

test("hundreds of thousands of places are replaced in one go, and a few of them shown [F11]", async () => {
  await using ws = await workspace({ "a.txt": "x\r\n".repeat(300_000), "b.txt": "a".repeat(300_000) });
  const context = fileToolContext(ws.path);
  const lines = await runTool(editTool, context, {
    file_path: "a.txt",
    old_string: "x\nx\nx",
    new_string: "y\ny",
    replace_all: true,
  });
  expect(lines.details).toMatchObject({ replacements: 100_000 });
  expect(lines.text).toEndWith("more changed places");
  expect(lines.text.length).toBeLessThan(2_000);
  expect(ws.read("a.txt")).toBe("y\r\ny\r\n".repeat(100_000));
  // Each asks for the line end of the one line that holds them all.
  await runTool(editTool, context, {
    file_path: "b.txt",
    old_string: "a",
    new_string: "b\n",
    replace_all: true,
  });
  expect(ws.read("b.txt")).toBe("b\n".repeat(300_000));
});

test("an edit that would need too much memory is refused and changes nothing [F10]", async () => {
  await using ws = await workspace({ "a.txt": "a".repeat(1_200_000), "b.txt": "ab".repeat(200_000) });
  const context = fileToolContext(ws.path);
  const many = { file_path: "a.txt", old_string: "a", new_string: "b", replace_all: true };
  expect((await runTool(editTool, context, many)).text).toContain("more than 1,000,000 matches");
  const large = { file_path: "b.txt", old_string: "a", new_string: "c".repeat(1_000), replace_all: true };
  expect((await runTool(editTool, context, large)).text).toContain("would grow beyond 128 MB");
  expect([ws.read("a.txt").length, ws.read("b.txt").length]).toEqual([1_200_000, 400_000]);
});

test("a replacement of many lines shows its first and last ones [F11]", async () => {
  await using ws = await workspace({ "a.txt": "one\ntwo\nthree\n" });
  const added = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
  const outcome = await runTool(editTool, fileToolContext(ws.path), {
    file_path: "a.txt",
    old_string: "two",
    new_string: added,
  });
  expect(outcome.text).toStartWith("Edited a.txt: 1 replacement.\n1\tone\n2\tline 0\n");
  expect(outcome.text).toContain("\n… 4978 more lines\n");
  expect(outcome.text).toEndWith("5001\tline 4999\n5002\tthree");
});

test("a file of a byte order mark only is as good as empty, and keeps its mark [F02]", async () => {
  await using ws = await workspace({});
  ws.write("a.txt", Buffer.from("\ufeff"));
  const input = { file_path: "a.txt", old_string: "", new_string: "hi\n" };
  expect((await runTool(editTool, fileToolContext(ws.path), input)).outcome).toBe("found");
  expect(ws.bytes("a.txt")).toEqual(new Uint8Array(Buffer.from("\ufeffhi\n")));
});

test("half a character in the text to find is named as that [F19]", async () => {
  await using ws = await workspace({ "a.txt": "a😀b\n" });
  const input = { file_path: "a.txt", old_string: "\ud83d", new_string: "x" };
  const outcome = await runTool(editTool, fileToolContext(ws.path), input);
  expect(outcome.text).toContain("The old_string of edit 1 has half a character");
});
