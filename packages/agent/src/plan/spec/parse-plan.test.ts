import { expect, test } from "bun:test";
import { checkPlan } from "./check-plan.ts";
import { commandIn, parsePlan, tickSlices } from "./parse-plan.ts";

const WHOLE = `# Plan

Some words.

- [ ] Slice 1: read the file
  - files: src/a.ts, \`src/a.test.ts\`
  - verify: \`bun test src/a.test.ts\`
  - verify: \`\` echo \`date\` \`\`
  - depends: none
  Reads it line by line.

  \`\`\`
  - [ ] Slice 9: quoted
  \`\`\`
- [x] Slice 2: write the file
  - **Files**: src/b.ts
  - Verify: \`true\`
  - depends on: 1
  - parallel-safe: yes

## Later

- [ ] Slice 10: more
  - verify: \`true\`
  - depends: slices 1 and 2
`;

/** The problems of a plan, as people read them. */
function problemsOf(text: string): string[] {
  return checkPlan(parsePlan(text)).map(({ line, message }) => `${line ?? "-"}: ${message}`);
}

test("slices are read with files, commands, what they depend on and whether they go side by side [A-SOP-03]", () => {
  const { slices, problems } = parsePlan(WHOLE);
  expect(problems).toEqual([]);
  expect(slices).toHaveLength(3);
  expect(slices[0]).toMatchObject({
    number: 1,
    title: "read the file",
    done: false,
    files: ["src/a.ts", "src/a.test.ts"],
    verify: ["bun test src/a.test.ts", "echo `date`"],
    depends: [],
    parallelSafe: false,
    line: 5,
  });
  expect(slices[0]!.notes).toContain("Reads it line by line.");
  expect(slices[0]!.notes).toContain("Slice 9: quoted");
  expect(slices[1]).toMatchObject({ done: true, files: ["src/b.ts"], depends: [1], parallelSafe: true });
  expect(slices[2]).toMatchObject({ number: 10, depends: [1, 2] });
});

test.each([
  ["", "-: it has no slices"],
  ["- [ ] Slice one: x\n", '1: a slice is written "- [ ] Slice 1: title", not "- [ ] Slice one: x"'],
  ["- [ ] Slice 1: x\n  - files: a\n", "1: slice 1 has no verify command"],
  ["- [ ] Slice 1: x\n  - verify: npm test\n", '2: verify needs one command in backticks, not "npm test"'],
  ["- [ ] Slice 1: x\n  - verify: `a` and `b`\n", "2: verify needs one command in backticks"],
  [
    "- [ ] Slice 1: x\n  - verify: `a`\n  - depends: the first\n",
    '3: depends needs numbers of slices or "none"',
  ],
  ["- [ ] Slice 1: x\n  - verify: `a`\n  - parallel-safe: maybe\n", "3: parallel-safe is yes or no"],
  [
    "- [ ] Slice 1: x\n  - verify: `a`\n  - depends: 4\n",
    "1: slice 1 depends on slice 4, which there is not",
  ],
  ["- [ ] Slice 1: x\n  - verify: `a`\n  - depends: 1\n", "1: slice 1 depends on itself"],
  ["- [ ] Slice 1: x\n  - verify: `a`\n- [ ] Slice 1: y\n  - verify: `a`\n", "3: slice 1 is there twice"],
  [
    `- [ ] Slice 1: x\n  - verify: \`a\`\n  - files: ${"abcdefghijk".split("").join(", ")}\n`,
    "1: slice 1 changes 11 files; 10 are the most",
  ],
])("the plan %j has the problem %p [A-SOP-03]", (text, problem) => {
  expect(problemsOf(text).some((found) => found.startsWith(problem))).toBe(true);
});

test("slices that wait for each other in a circle are a problem; a long way round is none [A-SOP-03]", () => {
  const slice = (number: number, depends: string) =>
    `- [ ] Slice ${number}: x\n  - verify: \`a\`\n  - depends: ${depends}\n`;
  expect(problemsOf(slice(1, "3") + slice(2, "1") + slice(3, "2") + slice(4, "none"))).toEqual([
    "1: slice 1 waits for itself: 1, 2, 3 depend on each other in a circle",
  ]);
  expect(problemsOf(slice(3, "1, 2") + slice(1, "none") + slice(2, "1"))).toEqual([]);
});

test("two slices that may run at once must not change one file, unless one comes after the other [A-SOP-03]", () => {
  const slice = (number: number, depends: string) =>
    `- [ ] Slice ${number}: x\n  - files: a.ts\n  - verify: \`a\`\n  - depends: ${depends}\n  - parallel-safe: yes\n`;
  expect(problemsOf(slice(1, "none") + slice(2, "none"))).toEqual([
    "6: slice 2 is parallel-safe like slice 1, and both change a.ts",
  ]);
  expect(problemsOf(slice(1, "none") + slice(2, "1"))).toEqual([]);
});

test("ticking changes the boxes of these slices and no other byte [A-SOP-04]", () => {
  const text = WHOLE.replaceAll("\n", "\r\n");
  expect(tickSlices(text, new Set([1, 2, 9]))).toBe(text.replace("[ ] Slice 1:", "[x] Slice 1:"));
});

test.each([
  ["`npm test`", "npm test"],
  ["`` a `b` c ``", "a `b` c"],
  ["npm test", null],
  ["``", null],
  ["`a` or `b`", null],
])("the command in %p is %p", (value, command) => {
  expect(commandIn(value)).toBe(command);
});

test("code that is never closed is a problem: the slices below it would not be carried out [A-SOP-04]", () => {
  const { slices, problems } = parsePlan("- [ ] Slice 1: a\n  ```sh\n  ls\n- [ ] Slice 2: b\n");
  expect(slices).toHaveLength(1);
  expect(problems).toEqual([{ line: 2, message: expect.stringContaining("never closed") }]);
});

test("a slice in a numbered list is told, and not passed over [A-SOP-04]", () => {
  const { problems } = parsePlan("- [ ] Slice 1: a\n2. [ ] **Slice 2**: b\n");
  expect(problems.map(({ line }) => line)).toEqual([2]);
});
