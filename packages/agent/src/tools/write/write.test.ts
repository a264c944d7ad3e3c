import { expect, test } from "bun:test";
import { appendFileSync, chmodSync, statSync } from "node:fs";
import { executable, link, workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool, sawWhole } from "../shared/test-support/file-tool-context.ts";
import { writeTool } from "./write.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const raw = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

test("a new file is made with its parent folders and exactly its content [A-TOOL-02][F20]", async () => {
  await using ws = await workspace({});
  const context = fileToolContext(ws.path);
  const outcome = await runTool(writeTool, context, { file_path: "a/b/c.txt", content: "one\ntwo é\n" });
  expect(outcome.text).toBe("Created a/b/c.txt (11 bytes, 2 lines).");
  expect(outcome.details).toMatchObject({ path: "a/b/c.txt", bytes_written: 11, created: true });
  expect(ws.read("a/b/c.txt")).toBe("one\ntwo é\n");
  await runTool(writeTool, context, { file_path: "n.json", content: '{"a":1}' });
  expect(ws.read("n.json")).toBe('{"a":1}');
});

test("a file that was never read, or read in part, is not overwritten [F06]", async () => {
  await using ws = await workspace({ "a.txt": "1\n2\n3\n", "empty.txt": "" });
  const context = fileToolContext(ws.path);
  const write = () => runTool(writeTool, context, { file_path: "a.txt", content: "new" });
  const unread = await write();
  expect([unread.isError, unread.details["code"]]).toEqual([true, "unread"]);
  context.ledger.record(context.files.key("a.txt"), ws.bytes("a.txt"), "part");
  expect((await write()).details["code"]).toBe("read_in_part");
  expect(ws.read("a.txt")).toBe("1\n2\n3\n");
  sawWhole(context, "a.txt");
  expect((await write()).text).toBe("Overwrote a.txt (3 bytes, 1 line).");
  expect((await runTool(writeTool, context, { file_path: "empty.txt", content: "x" })).isError).toBe(false);
});

test("a file that changed since it was read is not overwritten, our own writes never trip [F06]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" });
  const context = fileToolContext(ws.path);
  sawWhole(context, "a.txt");
  const before = statSync(ws.at("a.txt"));
  ws.write("a.txt", "onE\n");
  Bun.spawnSync(["touch", "-d", before.mtime.toISOString(), ws.at("a.txt")]);
  const refusal = await runTool(writeTool, context, { file_path: "a.txt", content: "new\n" });
  expect([refusal.isError, refusal.text]).toEqual([
    true,
    "a.txt changed since you read it. Nothing was written.\nRead it again, then decide.",
  ]);
  expect(ws.read("a.txt")).toBe("onE\n");
  sawWhole(context, "a.txt");
  for (const content of ["two\n", "three\n", "four\n"])
    expect((await runTool(writeTool, context, { file_path: "./a.txt", content })).isError).toBe(false);
  appendFileSync(ws.at("a.txt"), "outside\n");
  expect((await runTool(writeTool, context, { file_path: "a.txt", content: "x" })).isError).toBe(true);
  expect(ws.read("a.txt")).toBe("four\noutside\n");
});

test("byte order mark, UTF-16 and CRLF of the old file are kept and named [F01][F02]", async () => {
  await using ws = await workspace({
    "bom.txt": "\ufeffa\n",
    "crlf.txt": "a\r\nb\r\n",
    "mixed.txt": "a\r\nb\n",
    "wide.txt": latin1("\xff\xfea\0\r\0\n\0"),
  });
  const context = fileToolContext(ws.path);
  const rewrite = async (file_path: string, content: string) => {
    sawWhole(context, file_path);
    const { text } = await runTool(writeTool, context, { file_path, content });
    return [raw(ws.bytes(file_path)), text.slice(text.indexOf("("))];
  };
  expect(await rewrite("bom.txt", "x\ny\n")).toEqual([
    "\xef\xbb\xbfx\ny\n",
    "(7 bytes, 2 lines; byte order mark kept).",
  ]);
  expect(await rewrite("bom.txt", "\ufeffz\n")).toEqual([
    "\xef\xbb\xbfz\n",
    "(5 bytes, 1 line; byte order mark kept).",
  ]);
  expect(await rewrite("crlf.txt", "x\ny\n")).toEqual([
    "x\r\ny\r\n",
    "(6 bytes, 2 lines; CRLF line ends kept).",
  ]);
  expect(await rewrite("crlf.txt", "x\r\nz\r\n")).toEqual(["x\r\nz\r\n", "(6 bytes, 2 lines)."]);
  expect(await rewrite("mixed.txt", "x\n")).toEqual(["x\n", "(2 bytes, 1 line)."]);
  expect(await rewrite("wide.txt", "x\n")).toEqual([
    "\xff\xfex\0\r\0\n\0",
    "(8 bytes, 1 line; CRLF line ends kept; UTF-16LE kept).",
  ]);
});

test("a shorter content with a placeholder for left-out text is refused [F10]", async () => {
  const old = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n");
  await using ws = await workspace({ "a.ts": old, "b.ts": `${old}\n// ... rest unchanged ...` });
  const context = fileToolContext(ws.path);
  sawWhole(context, "a.ts", "b.ts");
  const marks = [
    "// ... rest unchanged ...",
    "# ... existing code ...",
    "/* … remaining lines omitted … */",
    "<!-- rest of the file unchanged -->",
    "[... 400 unchanged lines ...]",
    "// rest of the code stays the same",
    "    // ... other methods ...",
    "... (remaining content as before)",
  ];
  for (const mark of marks) {
    const outcome = await runTool(writeTool, context, { file_path: "a.ts", content: `line 0\n${mark}\n` });
    expect([mark, outcome.isError, outcome.details["code"]]).toEqual([mark, true, "omission"]);
  }
  expect(ws.read("a.ts")).toBe(old);
  const kept = { file_path: "b.ts", content: "line 0\n// ... rest unchanged ..." };
  expect((await runTool(writeTool, context, kept)).isError).toBe(false);
  const complete = "// handles the rest of the input\nfoo(...rest);\n// existing users keep their name\n";
  expect((await runTool(writeTool, context, { file_path: "a.ts", content: complete })).isError).toBe(false);
});

test("an overwrite keeps the mode and the link [K01]", async () => {
  await using ws = await workspace({ "run.sh": executable("old\n"), l: link("run.sh") });
  chmodSync(ws.at("run.sh"), 0o750);
  const context = fileToolContext(ws.path);
  sawWhole(context, "run.sh");
  await runTool(writeTool, context, { file_path: "l", content: "new\n" });
  expect(ws.snapshot()).toEqual({ l: "link -> run.sh", "run.sh": "file 750 new\n" });
});

test("half a character, a folder, a path outside and a secret are refused and nothing is written [F16][F19][X04]", async () => {
  await using ws = await workspace({ "dir/x": "", ".env": "KEY=value" });
  const context = fileToolContext(ws.path);
  const before = ws.snapshot();
  const write = async (file_path: string, content = "x") => {
    const { isError, details } = await runTool(writeTool, context, { file_path, content });
    return `${isError} ${details["code"]}`;
  };
  expect(await write("a.txt", "one\ntwo\ud83d")).toBe("true text");
  expect(await write("dir")).toBe("true file_is_folder");
  expect(await write("../outside/a.txt")).toBe("true file_outside");
  expect(await write(".env")).toBe("true file_secret");
  expect(await write(".git/hooks/pre-commit")).toBe("true file_denied");
  expect(ws.snapshot()).toEqual(before);
  expect(ws.snapshotOf("outside")).toEqual({});
});

test("the same content again writes nothing and says so", async () => {
  await using ws = await workspace({ "a.txt": "same\n" });
  const context = fileToolContext(ws.path);
  sawWhole(context, "a.txt");
  const outcome = await runTool(writeTool, context, { file_path: "a.txt", content: "same\n" });
  expect(outcome.text).toBe("a.txt already has exactly this content (5 bytes, 1 line); nothing was written.");
});
