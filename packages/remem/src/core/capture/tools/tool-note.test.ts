import { expect, test } from "bun:test";
import { CONTEXT } from "../../test-support/test-parts.ts";
import type { ToolInput } from "../observation.ts";
import { LONGEST_NOTE, noteOf } from "./tool-note.ts";

const call = (tool: string, more: Partial<ToolInput> = {}): ToolInput => ({
  context: CONTEXT,
  callId: "c",
  tool,
  input: {},
  output: "",
  failed: false,
  ...more,
});

const commit = (message: string): ToolInput =>
  call("bash", { input: { command: `git add -A && git commit -m "${message}"` }, exitCode: 0 });

test("a failed command is a discovery: command, exit code, first error line, and nothing else of its output [A-MEM-04]", () => {
  const noise = "line of output that nobody needs\n".repeat(1_000);
  const note = noteOf(
    call("bash", {
      input: { command: "npm test" },
      output: `${noise}Error: cannot find module 'left-pad'\n${noise}`,
      failed: true,
      exitCode: 1,
    }),
  );
  expect(note).toMatchObject({ kind: "discovery", title: "bash failed: npm test" });
  expect(note?.text).toContain("exit 1");
  expect(note?.text.length).toBeLessThanOrEqual(LONGEST_NOTE);
  expect(note?.text).not.toContain("nobody needs");
});

test("an edit is a change with its path and its diff stat [A-MEM-04]", () => {
  const note = noteOf(call("edit", { input: { file_path: "src/a.ts" }, diff: { added: 3, removed: 1 } }));
  expect(note).toMatchObject({ kind: "change", title: "changed src/a.ts", files: ["src/a.ts"] });
  expect(note?.text).toBe("edit: src/a.ts | +3 -1");
});

test.each([
  ["fix(parser): stop at the end", "bugfix"],
  ["feat: read gzip", "feature"],
  ["refactor the loader", "refactor"],
  ["bump versions", "change"],
])("a commit %p is a %s by what its message says [A-MEM-04]", (message, kind) => {
  expect(noteOf(commit(message))).toMatchObject({ kind, title: message });
});

test("what only looked and found leaves no note; what looked and failed does", () => {
  expect(noteOf(call("read", { input: { file_path: "a.ts" } }))).toBeUndefined();
  expect(noteOf(call("read", { failed: true, output: "no such file: a.ts" }))).toMatchObject({
    kind: "discovery",
  });
});

test.each(["mem-search", "mem-get", "memory_search", "remem__search"])(
  "%s never leaves a note: it shows what is remembered [R03]",
  (tool) => {
    expect(noteOf(call(tool, { failed: true, output: "error: anything" }))).toBeUndefined();
  },
);

test("a note is bounded whatever the command, and whole characters", () => {
  const note = noteOf(call("bash", { input: { command: `echo ${"😀".repeat(5_000)}` }, exitCode: 0 }));
  expect(note?.text.length).toBeLessThanOrEqual(LONGEST_NOTE);
  expect(note?.text.isWellFormed()).toBe(true);
});
