import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { editTool } from "./edit.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** Edits one file of these bytes (as Latin-1 text) and gives the bytes after it and the result's first line. */
async function edited(before: string, old_string: string, new_string: string, replace_all = false) {
  await using ws = await workspace({ f: latin1(before) });
  const context = fileToolContext(ws.path);
  const outcome = await runTool(editTool, context, { file_path: "f", old_string, new_string, replace_all });
  return { after: Buffer.from(ws.bytes("f")).toString("latin1"), outcome };
}

const after = async (...call: Parameters<typeof edited>) => (await edited(...call)).after;

test("LF arguments match a CRLF file, new lines take its ending and an odd LF line stays [F01]", async () => {
  const file = "a\r\nb\r\nc\r\nodd\nend\r\n";
  expect(await after(file, "a\nb", "a\nX")).toBe("a\r\nX\r\nc\r\nodd\nend\r\n");
  expect(await after(file, "a\r\nb", "a\r\nX")).toBe("a\r\nX\r\nc\r\nodd\nend\r\n");
  expect(await after(file, "a\r\nb", "a\nX\nY")).toBe("a\r\nX\r\nY\r\nc\r\nodd\nend\r\n");
  expect(await after(file, "b", "b1\nb2")).toBe("a\r\nb1\r\nb2\r\nc\r\nodd\nend\r\n");
  expect(await after(file, "odd", "odd1\nodd2")).toBe("a\r\nb\r\nc\r\nodd1\nodd2\nend\r\n");
  expect(await after(file, "c\nodd\nend\n", "c\nODD\nmore\nend\n")).toBe("a\r\nb\r\nc\r\nODD\nmore\nend\r\n");
});

test("a match that begins or ends at a line end never makes CR CR LF or loses a CR [F01]", async () => {
  const file = "a\r\nb\r\nc\r\n";
  expect(await after(file, "\nb", "\nX")).toBe("a\r\nX\r\nc\r\n");
  expect(await after(file, "b\n", "X\nY\n")).toBe("a\r\nX\r\nY\r\nc\r\n");
  expect(await after(file, "a\n", "")).toBe("b\r\nc\r\n");
  expect(await after(file, "\n", "\n\n", true)).toBe("a\r\n\r\nb\r\n\r\nc\r\n\r\n");
  expect(await after("a", "a", "b\r\nc")).toBe("b\nc");
  expect(await after("x\ny\n", "x\r\ny", "x\r\nz")).toBe("x\nz\n");
});

test("line ends can be changed on purpose: arguments that differ in nothing else [F01]", async () => {
  expect(await after("a\r\nb\r\n", "a\r\n", "a\n")).toBe("a\nb\r\n");
  expect(await after("a\nb\n", "a\n", "a\r\n")).toBe("a\r\nb\n");
});

test("of two places that differ in line ends only, the one as written is meant [F01]", async () => {
  expect(await after("a\r\nb\r\na\nb\n", "a\nb\n", "X\n")).toBe("a\r\nb\r\nX\n");
  const { outcome } = await edited("a\r\nb\r\na\r\nb\r\n", "a\nb\n", "X\n");
  expect(outcome.text).toContain("2 matches, at lines 1, 3");
});

test("a byte order mark is matched over and kept [F02]", async () => {
  expect(await after("\xef\xbb\xbfone\ntwo\n", "one\n", "1\n")).toBe("\xef\xbb\xbf1\ntwo\n");
  expect(await after("\xef\xbb\xbfone\n", "\ufeffone", "\ufeff1")).toBe("\xef\xbb\xbf1\n");
  expect(await after("\xef\xbb\xbfone\ntwo\n", "two", "2")).toBe("\xef\xbb\xbfone\n2\n");
});

test("what goes into a file that is not UTF-8 in another form than the file's is told [F03]", async () => {
  const text = async (...call: Parameters<typeof edited>) => (await edited(...call)).outcome.text;
  expect(await text("caf\xe9\nport=1\n", "port=1", "port=\u00fc")).toContain("\u00fc was written as UTF-8");
  expect(await text("\xc3\xa9 caf\xe9\nport=1\n", "port=1", "port=\u00fc")).not.toContain("as UTF-8");
  expect(await text("caf\xe9\nport=1\n", "port=1", "th\\xE9")).toContain("written as these four characters");
  expect(await text("caf\xe9\nport=1\n", "caf\\xE9", "th\\xE9")).not.toContain("four characters");
});

test("bytes that are no UTF-8 stay, wherever the edit is [F03]", async () => {
  const file = "caf\xe9 \x83\x5c\xa9\nport=1\n\x80";
  const { after: bytes, outcome } = await edited(file, "port=1", "port=2 \u00e9");
  expect(bytes).toBe("caf\xe9 \x83\x5c\xa9\nport=2 \xc3\xa9\n\x80");
  expect(outcome.text).toContain("not UTF-8");
  expect(await after(file, "caf\\xE9 ", "th\\xE9 ")).toBe("th\xe9 \x83\x5c\xa9\nport=1\n\x80");
});

test("text that looks like an escape is literal in a UTF-8 file [F03]", async () => {
  expect(await after("a = '\\xE9'\n", "'\\xE9'", "'\\xE8'")).toBe("a = '\\xE8'\n");
});

test("UTF-16 files are edited in their own encoding [F15]", async () => {
  expect(await after("\xff\xfea\0\r\0\n\0b\0", "a\nb", "a\nc")).toBe("\xff\xfea\0\r\0\n\0c\0");
  expect(await after("\xfe\xff\0a\0\n\0b", "b", "\u00e9\n")).toBe("\xfe\xff\0a\0\n\0\xe9\0\n");
});

test("the final newline is as it was [F11]", async () => {
  expect(await after("a\nb", "b", "c")).toBe("a\nc");
  expect(await after("a\nb\n", "b", "c")).toBe("a\nc\n");
});

const utf8 = (text: string) => Buffer.from(text, "utf8").toString("latin1");

test("straight quotes can be made curly [F08]", async () => {
  expect(await after(`"it's"\n`, `"it's"`, "“it’s”")).toBe(utf8("“it’s”\n"));
});

test("straight quotes match curly ones, quotes that were not changed keep their form, and it is said [F08]", async () => {
  const { after: bytes, outcome } = await edited(
    utf8("say “it’s ‘one’” now\r\n"),
    `"it's 'one'"`,
    `"it's 'two'"\n"new"`,
  );
  expect(bytes).toBe(utf8('say “it’s ‘two’”\r\n"new" now\r\n'));
  expect(outcome.text).toContain("straight and curly quotes taken as equal");
  expect(outcome.details["lenient"]).toBe(true);
});

test("an exact match is taken before a lenient one [F08]", async () => {
  const { after: bytes, outcome } = await edited(utf8('“a”\n"a"\n'), '"a"', '"b"');
  expect(bytes).toBe(utf8('“a”\n"b"\n'));
  expect(outcome.details["lenient"]).toBeUndefined();
});

test("large arguments work with both line ends", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line (${index}) "quoted" and more text`);
  const file = lines.join("\r\n");
  const changed = [...lines];
  changed[10_000] = "changed";
  expect(await after(file, lines.join("\n"), changed.join("\n"))).toBe(changed.join("\r\n"));
});
