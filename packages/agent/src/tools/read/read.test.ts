import { expect, test } from "bun:test";
import { runProcess, workspace } from "@pi-ts/testkit";
import type { ToolContext } from "../../contract/tool.ts";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { readTool } from "./read.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
const numbered = (from: number, to: number) =>
  lines(from, to).map((line, index) => `${from + index}\t${line}`);

test("a small file is shown whole with numbers and nothing added [A-TOOL-01]", async () => {
  await using ws = await workspace({ "a.txt": "one\n\ttwo\n" });
  const outcome = await runTool(readTool, fileToolContext(ws.path), { file_path: "a.txt" });
  expect(outcome.text).toBe("1\tone\n2\t\ttwo");
  expect(outcome.outcome).toBe("found");
  expect(outcome.details).toMatchObject({ total_lines: 2, truncated: false, path: "a.txt" });
});

test("a long file is cut at 2,000 lines and says how to go on [A-TOOL-01][S05]", async () => {
  await using ws = await workspace({ "a.txt": `${lines(1, 4500).join("\n")}\n` });
  const context = fileToolContext(ws.path);
  const first = await runTool(readTool, context, { file_path: "a.txt" });
  expect(first.text).toBe(`${numbered(1, 2000).join("\n")}\n[lines 1-2000 of 4,500; go on with offset 2001]`);
  expect(first.details).toMatchObject({ total_lines: 4500, truncated: true, next_offset: 2001 });
  const part = await runTool(readTool, context, { file_path: "a.txt", offset: 10, limit: 5 });
  expect(part.text).toBe(`${numbered(10, 14).join("\n")}\n[lines 10-14 of 4,500; go on with offset 15]`);
  expect(part.details).toMatchObject({ truncated: false, first_line: 10, last_line: 14 });
  const last = await runTool(readTool, context, { file_path: "a.txt", offset: 4499 });
  expect(last.text).toBe("4499\tline 4499\n4500\tline 4500\n[lines 4499-4500 of 4,500]");
});

test("100 KB end a page at a whole line [A-TOOL-01][F12]", async () => {
  const line = "😀".repeat(100);
  await using ws = await workspace({ "a.txt": `${line}\n`.repeat(1000) });
  const outcome = await runTool(readTool, fileToolContext(ws.path), { file_path: "a.txt" });
  const shown = Number(outcome.details["last_line"]);
  expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(100 * 1024);
  expect(Buffer.byteLength(outcome.text)).toBeGreaterThan(95 * 1024);
  expect(
    outcome.text.endsWith(`${shown}\t${line}\n[lines 1-${shown} of 1,000; go on with offset ${shown + 1}]`),
  ).toBe(true);
});

test("a very long line is paged inside, and its pages are the line [F12][F19]", async () => {
  const line = `{"k":"${"é😀x".repeat(60_000)}"}`;
  await using ws = await workspace({ "a.json": `${line}\nnext\n` });
  const context = fileToolContext(ws.path);
  let column: number | undefined = 1;
  let joined = "";
  for (let page = 0; column !== undefined && page < 20; page++) {
    const outcome = await runTool(readTool, context, { file_path: "a.json", limit: 1, column });
    expect(Buffer.byteLength(outcome.text)).toBeLessThanOrEqual(100 * 1024);
    joined += outcome.text.slice(2, outcome.text.lastIndexOf("\n["));
    column = outcome.details["next_column"] as number | undefined;
  }
  expect(joined).toBe(line);
  const first = await runTool(readTool, context, { file_path: "a.json" });
  expect(first.text).toMatch(
    /line 1: bytes 1-\d+ of 420,008; go on with offset 1, column \d+, or from the next line: offset 2\]$/,
  );
});

test("past the end, offset 0, negative and limit 0 each get an answer of their own [F13]", async () => {
  await using ws = await workspace({ "a.txt": "one\ntwo", "empty.txt": "", "bom.txt": "\ufeff" });
  const context = fileToolContext(ws.path);
  const read = async (input: { offset?: number; limit?: number; column?: number }, file_path = "a.txt") => {
    const outcome = await runTool(readTool, context, { file_path, ...input });
    return `${outcome.outcome}: ${outcome.text}`;
  };
  expect(await read({ offset: 3 })).toBe("empty: a.txt has 2 lines; offset 3 is past its end.");
  expect(await read({ offset: 0 })).toBe("found: 1\tone\n2\ttwo\n[no newline at the end]");
  expect(await read({ offset: -1 })).toContain("failed: offset -1 is no line");
  expect(await read({ limit: 0 })).toContain("failed: limit 0 would show no line");
  expect(await read({ column: 50 })).toBe("empty: Line 1 of a.txt has 3 bytes; column 50 is past its end.");
  expect(await read({}, "empty.txt")).toBe("empty: empty.txt is empty (0 bytes).");
  expect(await read({}, "bom.txt")).toBe("empty: bom.txt holds no text (a byte order mark only).");
});

test("a byte order mark and carriage returns are not shown, CRLF is named [F01][F02]", async () => {
  await using ws = await workspace({ "a.txt": "\ufeffone\r\ntwo\r\n", "mixed.txt": "one\r\ntwo\n" });
  const context = fileToolContext(ws.path);
  expect((await runTool(readTool, context, { file_path: "a.txt" })).text).toBe(
    "1\tone\n2\ttwo\n[CRLF line ends]",
  );
  expect((await runTool(readTool, context, { file_path: "mixed.txt" })).text).toBe("1\tone\n2\ttwo");
});

test("other encodings are decoded or shown byte by byte, and named [F03][F15]", async () => {
  await using ws = await workspace({
    "latin.txt": latin1("caf\xe9\nport=1\n"),
    "wide.txt": latin1("\xff\xfea\0\n\0\x3d\xd8\n\0"),
    "big.txt": latin1("\xfe\xff\0a\0\n"),
  });
  const context = fileToolContext(ws.path);
  const read = async (file_path: string) => (await runTool(readTool, context, { file_path })).text;
  expect(await read("latin.txt")).toBe("1\tcaf\\xE9\n2\tport=1\n[not UTF-8: each \\xNN stands for one byte]");
  expect(await read("wide.txt")).toBe("1\ta\n2\t\\uD83D\n[decoded from UTF-16LE]");
  expect(await read("big.txt")).toBe("1\ta\n[decoded from UTF-16BE]");
});

test("binary files are named with size and type and none of their bytes [F15]", async () => {
  await using ws = await workspace({
    db: latin1("SQLite format 3\0\x10\0more"),
    prog: latin1("\x7fELF\x02\x01\x01\0\0\0"),
    data: latin1("a\0b\xff\xfe\0"),
  });
  const context = fileToolContext(ws.path);
  const read = async (file_path: string) => {
    const { outcome, text } = await runTool(readTool, context, { file_path });
    return `${outcome}: ${text}`;
  };
  expect(await read("db")).toBe(
    "not_looked: db: binary file, 22 bytes, SQLite database. Its bytes are not shown.",
  );
  expect(await read("prog")).toContain("binary file, 10 bytes, ELF executable or library");
  expect(await read("data")).toContain("binary file, 6 bytes, unknown type");
});

test("a folder and a missing file fail with what to do next", async () => {
  await using ws = await workspace({ "src/config.ts": "", "src/other.ts": "" });
  const context = fileToolContext(ws.path);
  const folder = await runTool(readTool, context, { file_path: "src" });
  expect([folder.isError, folder.text]).toEqual([
    true,
    "src is a folder\nUse ls or tree to see what is in it.",
  ]);
  const missing = await runTool(readTool, context, { file_path: "src/confg.ts" });
  expect(missing.text).toBe("src/confg.ts does not exist\nDid you mean src/config.ts?");
  expect(missing.details).toMatchObject({ code: "file_missing", outcome: "failed" });
});

test("secret files and paths outside are refused [X04][F16]", async () => {
  await using ws = await workspace({ ".env": "KEY=value" });
  const context = fileToolContext(ws.path);
  const secret = await runTool(readTool, context, { file_path: ".env" });
  expect([secret.isError, secret.outcome, secret.text.includes("value")]).toEqual([
    true,
    "not_looked",
    false,
  ]);
  const outside = await runTool(readTool, context, { file_path: "../outside/x" });
  expect([outside.isError, outside.details["code"]]).toEqual([true, "file_outside"]);
});

test("what was read is known to the ledger: whole, or in part until the last page [F06]", async () => {
  await using ws = await workspace({ "a.txt": "1\n2\n3\n", "long.txt": "x".repeat(200_000) });
  const context = fileToolContext(ws.path);
  const seen = (path: string) => context.ledger.seen(context.files.key(path));
  await runTool(readTool, context, { file_path: "a.txt", limit: 2 });
  expect(seen("a.txt")).toBe("part");
  await runTool(readTool, context, { file_path: "./a.txt", offset: 3 });
  expect(seen("a.txt")).toBe("whole");
  await runTool(readTool, context, { file_path: "long.txt" });
  expect(seen("long.txt")).toBe("part");
});

test("calls on one file share a lock, however it is spelled [F05]", async () => {
  await using ws = await workspace({ "a.txt": "" });
  const context = fileToolContext(ws.path);
  const key = (file_path: string) => readTool.lockKey?.({ file_path }, context);
  expect(key("./a.txt")).toBe(key("a.txt")!);
});

test.skipIf(process.platform === "win32")(
  "a sparse file of 2 GB and a line of 30 MB cost little memory [F12][F13]",
  async () => {
    await using ws = await workspace({ "start.txt": "" });
    await runProcess(
      [
        "sh",
        "-c",
        "seq 1 100 > sparse.txt && truncate -s 2G sparse.txt && head -c 31457280 /dev/zero | tr '\\0' x > long.json",
      ],
      { cwd: ws.path },
    );
    const script = `
    const { fileToolContext } = await import(${JSON.stringify(`${import.meta.dir}/../shared/test-support/file-tool-context.ts`)});
    const { readTool } = await import(${JSON.stringify(`${import.meta.dir}/read.ts`)});
    const context = fileToolContext(${JSON.stringify(ws.path)});
    const texts = [];
    for (const input of [
      { file_path: "sparse.txt", offset: 10, limit: 5 },
      { file_path: "sparse.txt", offset: 5000 },
      { file_path: "long.json" },
      { file_path: "long.json", column: 31457200 },
    ]) texts.push((await readTool.run(input, context)).text);
    console.log(JSON.stringify({ texts: texts.map((text) => text.slice(-200)), lengths: texts.map((text) => text.length), rss: process.memoryUsage().rss }));`;
    const { stdout, stderr } = await runProcess([process.execPath, "--no-env-file", "-e", script], {
      env: ws.env(),
    });
    expect(stderr).toBe("");
    const { texts, lengths, rss } = JSON.parse(stdout);
    expect(texts[0]).toBe(
      "10\t10\n11\t11\n12\t12\n13\t13\n14\t14\n[lines 10-14 of at least 101 (not counted on); go on with offset 15]",
    );
    expect(texts[1]).toBe("sparse.txt has 101 lines; offset 5000 is past its end.");
    expect(texts[2]).toContain("go on with offset 1, column ");
    expect(texts[3]).toContain("line 1: bytes 31457200-31457280 of 31,457,280");
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100 * 1024);
    expect(rss).toBeLessThan(300 * 1024 * 1024);
  },
);

test("an abort ends the reading of a huge file", async () => {
  await using ws = await workspace({ "a.txt": "" });
  await runProcess(["sh", "-c", "printf 'a\\n' > a.txt && truncate -s 1G a.txt"], { cwd: ws.path });
  const context = fileToolContext(ws.path, { signal: AbortSignal.abort(new Error("stopped")) });
  expect(readTool.run({ file_path: "a.txt", offset: 9 }, context)).rejects.toThrow("stopped");
});

test("a file that is emptied or grows while it is read is shown as what was there [F13]", async () => {
  await using ws = await workspace({ "a.txt": "one\ntwo\n" });
  const context = fileToolContext(ws.path);
  const read = async (size: number, change: (reads: number) => Uint8Array | null) => {
    const open: ToolContext["files"]["open"] = (path) => {
      const file = context.files.open(path);
      let reads = 0;
      return {
        path: file.path,
        stat: { ...file.stat, size },
        read: (...range) => change(++reads) ?? file.read(...range),
        close: () => file.close(),
      };
    };
    const files: ToolContext["files"] = Object.create(context.files, { open: { value: open } });
    return runTool(readTool, { ...context, files }, { file_path: "a.txt" });
  };
  expect((await read(8, (reads) => (reads > 1 ? new Uint8Array() : null))).text).toStartWith(
    "a.txt is empty (0 bytes)",
  );
  // As in /proc, where every size is 0.
  expect((await read(0, () => null)).text).toBe("1\tone\n2\ttwo");
});
