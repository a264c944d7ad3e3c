import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { editTool } from "./edit.ts";

/** The text of a failed edit; throws if the edit succeeded or changed the file. */
async function failure(file: string, old_string: string, new_string = "NEW"): Promise<string> {
  await using ws = await workspace({ "f.ts": file });
  const outcome = await runTool(editTool, fileToolContext(ws.path), {
    file_path: "f.ts",
    old_string,
    new_string,
  });
  if (!outcome.isError || ws.read("f.ts") !== file) throw new Error("the edit was made");
  expect(outcome.text.endsWith("f.ts was not changed.")).toBe(true);
  return outcome.text;
}

test("tabs against spaces: both are named with the line, and the real line leads to success [F11]", async () => {
  const file = "if (a) {\n\treturn 1;\n}\n";
  const text = await failure(file, "    return 1;");
  expect(text).toContain(
    "The indentation differs: the file has 1 tab, old_string 4 spaces (line 2):\n2\t\treturn 1;\n",
  );
  await using ws = await workspace({ "f.ts": file });
  const real = /\n2\t(.*)\n/.exec(text)?.[1] ?? "";
  const retry = { file_path: "f.ts", old_string: real, new_string: "\treturn 2;" };
  await runTool(editTool, fileToolContext(ws.path), retry);
  expect(ws.read("f.ts")).toBe("if (a) {\n\treturn 2;\n}\n");
});

test("a missing final newline is named [F11]", async () => {
  const text = await failure("a\nlast", "last\n");
  expect(text).toContain("the file has no final newline (line 2 is its last)");
  expect(text).toContain("\n2\tlast\n");
});

test("several matches are counted with their lines [F11]", async () => {
  const text = await failure("a\nx\na\n\na\n", "a");
  expect(text).toContain("3 matches, at lines 1, 3, 5. The first:\n1\ta\n");
  expect(text).toContain("replace_all");
  expect(await failure("a\n".repeat(50), "a")).toContain(
    "50 matches, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ….",
  );
});

test("white space at line ends, inside of lines, look-alikes and case are told apart [F11]", async () => {
  expect(await failure("a  \nb\n", "a\nb")).toContain("white space at the ends of lines differs (line 1)");
  expect(await failure("x = 1\ny  =  2\n", "x = 1\ny = 2")).toContain("inside of lines differs (line 2)");
  expect(await failure("f( a )\n", "f(a)")).toContain("inside of lines differs (line 1)");
  expect(await failure("a \u2013 b\n", "a - b")).toContain("look alike differ");
  expect(await failure("a\u00a0b\n", "a b")).toContain("(line 1)");
  expect(await failure("cafe\u0301\n", "caf\u00e9")).toContain("look alike differ");
  expect(await failure("const Foo = 1\n", "const foo = 1")).toContain("Upper and lower case differ (line 1)");
});

test("line numbers copied from read and doubled escapes are named [F11]", async () => {
  expect(await failure("one\ntwo\n", "1\tone\n2\ttwo")).toContain("holds the line numbers that read puts");
  expect(await failure("one\ntwo\n", "one\\ntwo")).toContain("escaped twice");
});

test("an edit that is already in the file is named [F11]", async () => {
  expect(await failure("a\nnewName()\n", "oldName()", "newName()")).toContain(
    "new_string is already in the file: this edit seems to be done:\n2\tnewName()",
  );
});

test("the first line that differs is shown with what is really there [F11]", async () => {
  const text = await failure("a\nb\nc\nd\ne\n", "b\nc\nX\ne");
  expect(text).toContain(
    'Its first 2 lines are at line 2, but line 4 differs from "X":\n2\tb\n3\tc\n4\td\n5\te',
  );
});

test("without anything near, the most similar lines or their absence are told [F11]", async () => {
  const text = await failure(
    "alpha\nfunction computeTotal(items) {\nomega\n",
    "function computeTotals(item) {",
  );
  expect(text).toContain("The most similar lines are:\n2\tfunction computeTotal(items) {");
  expect(await failure("alpha\nbeta\n", "zzzz qqqq")).toContain("Nothing in its 2 lines is like it");
});

test("an explanation of long lines and long arguments stays short [F11][F12]", async () => {
  const text = await failure(`${"word ".repeat(100_000)}\n`, `${"word ".repeat(90_000)}X`);
  expect(text.length).toBeLessThan(2000);
});
