import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { executable, link, workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool, sawWhole } from "../shared/test-support/file-tool-context.ts";
import { editTool } from "./edit.ts";

test("one unique match is replaced and the result shows the place [A-TOOL-03]", async () => {
  await using ws = await workspace({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n" });
  const input = { file_path: "a.txt", old_string: "4\n", new_string: "four\nand\n" };
  const outcome = await runTool(editTool, fileToolContext(ws.path), input);
  expect(outcome.text).toBe("Edited a.txt: 1 replacement.\n2\t2\n3\t3\n4\tfour\n5\tand\n6\t5\n7\t6");
  expect(outcome.details).toMatchObject({ path: "a.txt", replacements: 1, lines: [4] });
  expect(ws.read("a.txt")).toBe("1\n2\n3\nfour\nand\n5\n6\n7\n");
});

test("a missing new_string deletes, replace_all replaces every match [A-TOOL-03]", async () => {
  await using ws = await workspace({ "a.txt": "x1x2x3" });
  const context = fileToolContext(ws.path);
  await runTool(editTool, context, { file_path: "a.txt", old_string: "1" });
  const all = await runTool(editTool, context, {
    file_path: "a.txt",
    old_string: "x",
    new_string: "yx",
    replace_all: true,
  });
  expect(all.details).toMatchObject({ replacements: 3 });
  expect(ws.read("a.txt")).toBe("yxyx2yx3");
});

test("several edits are applied in order, and none if one fails [F10]", async () => {
  await using ws = await workspace({ "a.txt": "one\ntwo\n" });
  const context = fileToolContext(ws.path);
  const edits = [
    { old_string: "one", new_string: "1\n1" },
    { old_string: "two", new_string: "2" },
    { old_string: "1\n2", new_string: "1 and 2" },
  ];
  const good = await runTool(editTool, context, { file_path: "a.txt", edits });
  expect(ws.read("a.txt")).toBe("1\n1 and 2\n");
  expect(good.text).toBe("Edited a.txt: 3 replacements.\n1\t1\n2\t1 and 2");
  const bad = await runTool(editTool, context, {
    file_path: "a.txt",
    edits: [
      { old_string: "and", new_string: "or" },
      { old_string: "nowhere", new_string: "x" },
    ],
  });
  expect([bad.isError, bad.text.startsWith("Edit 2 of 2: old_string is not in a.txt.")]).toEqual([
    true,
    true,
  ]);
  expect(ws.read("a.txt")).toBe("1\n1 and 2\n");
});

test("a replacement is literal [F04]", async () => {
  await using ws = await workspace({ "a.txt": "X." });
  const text = "cost $& $$ $1 $` $' \\n end";
  await runTool(editTool, fileToolContext(ws.path), {
    file_path: "a.txt",
    old_string: "X",
    new_string: text,
  });
  expect(ws.read("a.txt")).toBe(`${text}.`);
});

test("pattern characters in old_string are literal too, also with CRLF and quotes [F01][F04]", async () => {
  const old = 'f(a.*)[b]{2}^$|\\ "q"\n+?';
  await using ws = await workspace({ "a.txt": `-${old.replace("\n", "\r\n")}-` });
  const input = { file_path: "a.txt", old_string: old, new_string: "ok" };
  expect((await runTool(editTool, fileToolContext(ws.path), input)).isError).toBe(false);
  expect(ws.read("a.txt")).toBe("-ok-");
});

test("an edit keeps mode, link and everything else [K01]", async () => {
  await using ws = await workspace({ "run.sh": executable("echo one\n"), l: link("run.sh") });
  await runTool(editTool, fileToolContext(ws.path), { file_path: "l", old_string: "one", new_string: "two" });
  expect(ws.snapshot()).toEqual({ l: "link -> run.sh", "run.sh": "file 755 echo two\n" });
});

test("an edit of a file that changed outside says so and does not make it known whole [F06]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" });
  const context = fileToolContext(ws.path);
  sawWhole(context, "a.txt");
  ws.write("a.txt", "one\noutside\n");
  const outcome = await runTool(editTool, context, {
    file_path: "a.txt",
    old_string: "one",
    new_string: "1",
  });
  expect(outcome.text).toContain("The file had changed since you read it");
  expect(ws.read("a.txt")).toBe("1\noutside\n");
  expect(context.ledger.seen(context.files.key("a.txt"))).toBe("part");
});

test("all spellings of a file share one lock [F05]", async () => {
  await using ws = await workspace({ "a.txt": "", l: link("a.txt") });
  const context = fileToolContext(ws.path);
  const keys = ["a.txt", "./a.txt", "l", ws.at("a.txt")].map((file_path) =>
    editTool.lockKey?.({ file_path }, context),
  );
  expect(new Set(keys).size).toBe(1);
});

test("an empty old_string makes a missing or empty file and nothing else", async () => {
  await using ws = await workspace({ "full.txt": "x", "empty.txt": "" });
  const context = fileToolContext(ws.path);
  const edit = (file_path: string) =>
    runTool(editTool, context, { file_path, old_string: "", new_string: "new\n" });
  expect((await edit("a/new.txt")).text).toBe("Created a/new.txt (4 bytes).");
  expect((await edit("empty.txt")).text).toBe("Filled empty.txt (4 bytes).");
  const refusal = await edit("full.txt");
  expect([refusal.isError, refusal.text.includes("to replace all, use write")]).toEqual([true, true]);
  expect([ws.read("a/new.txt"), ws.read("empty.txt"), ws.read("full.txt")]).toEqual(["new\n", "new\n", "x"]);
});

test("nothing to do, equal strings, half characters, binary and secret files fail and change nothing [F10][F15][F19][X04]", async () => {
  await using ws = await workspace({ "a.txt": "one", "b.bin": "a\0b", ".env": "KEY=1" });
  const context = fileToolContext(ws.path);
  const before = ws.snapshot();
  const code = async (file_path: string, old_string?: string, new_string?: string) => {
    const input = {
      file_path,
      ...(old_string === undefined ? {} : { old_string }),
      ...(new_string === undefined ? {} : { new_string }),
    };
    const { isError, details } = await runTool(editTool, context, input);
    return `${isError} ${details["code"]}`;
  };
  expect(await code("a.txt")).toBe("true no_edit");
  expect(await code("a.txt", "one", "one")).toBe("true identical");
  expect(await code("a.txt", "one", "\ud83d")).toBe("true text");
  expect(await code("a.txt", "none", "x")).toBe("true none");
  expect(await code("b.bin", "a", "x")).toBe("true binary");
  expect(await code(".env", "1", "2")).toBe("true file_secret");
  expect(await code("../outside/x", "1", "2")).toBe("true file_outside");
  expect(await code("missing.txt", "1", "2")).toBe("true file_missing");
  expect(ws.snapshot()).toEqual(before);
});

test("an edit that would change nothing does not touch the file", async () => {
  await using ws = await workspace({ "a.txt": "one" });
  const before = statSync(ws.at("a.txt")).ino;
  await runTool(editTool, fileToolContext(ws.path), {
    file_path: "a.txt",
    old_string: "no",
    new_string: "x",
  });
  expect(statSync(ws.at("a.txt")).ino).toBe(before);
});

test("a result of many places stays short", async () => {
  await using ws = await workspace({ "a.txt": "a\nb\nc\nd\ne\nx\n".repeat(500) });
  const input = { file_path: "a.txt", old_string: "x", new_string: "y", replace_all: true };
  const outcome = await runTool(editTool, fileToolContext(ws.path), input);
  expect(outcome.text.length).toBeLessThan(500);
  expect(outcome.text).toContain("more changed places");
  const long = { file_path: "a.txt", old_string: "y\na\nb\nc\nd\ne\ny\na", new_string: "z\n".repeat(2000) };
  const refused = await runTool(editTool, fileToolContext(ws.path), long);
  expect([refused.isError, refused.text.length < 600]).toEqual([true, true]);
});
