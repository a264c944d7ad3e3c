import { expect, test } from "bun:test";
import { isErrorLine } from "./error-line.ts";
import { fixture, shorten } from "./test-support/bench.ts";

interface Case {
  name: string;
  command: string;
  /** The part of the length that may be left. */
  most: number;
  /** What must still be there. */
  keeps: readonly string[];
  /** What must be gone. */
  drops?: RegExp;
}

const cases: readonly Case[] = [
  {
    name: "bun-test",
    command: "bun test",
    most: 0.25,
    keeps: [
      "(fail) b group > b handles error case 37",
      "b.test.ts:39:52",
      "TypeError: cart is not iterable",
      "(fail) c throws",
      " 181 pass",
      "181 passing tests",
    ],
    drops: /\(pass\)/,
  },
  {
    name: "node-test-spec",
    command: "cd server && node --test --test-reporter=spec",
    most: 0.4,
    keeps: ["✖ b works 20", "b.test.mjs:22:33", "ℹ pass 99", "ℹ fail 1", "99 passing tests"],
    drops: /✔/,
  },
  {
    name: "node-test-tap",
    command: "node --test",
    most: 0.15,
    keeps: ["not ok 20 - b works 20", "b.test.mjs:22:1", "error: '20 == 0'", "# fail 1", "99 passing tests"],
    drops: /^\s*ok \d/m,
  },
  {
    name: "pytest-verbose",
    command: "CI=1 pytest -v",
    most: 0.3,
    keeps: [
      "test_price.py::test_price_41 FAILED",
      "E       assert 41 == 0",
      "test_price.py:85: AssertionError",
      "KeyError: 'total'",
      "2 failed, 79 passed, 1 skipped",
      "79 passing tests",
    ],
    drops: /PASSED/,
  },
  {
    name: "unittest",
    command: "timeout 60 python3 -m unittest -v",
    most: 0.25,
    keeps: ["FAIL: test_u33", "AssertionError: 33 != 0", "FAILED (failures=1)", "69 passing tests"],
    drops: /\.\.\. ok/,
  },
  {
    name: "cargo-test",
    command: "cargo test 2>&1 | cat",
    most: 0.35,
    keeps: [
      "test tests::adds_25 ... FAILED",
      "panicked at src/lib.rs:38:24",
      "left: 25",
      "59 passed; 1 failed",
      "error: test failed",
    ],
    drops: /\.\.\. ok/,
  },
  {
    name: "cargo-build",
    command: "cargo build",
    most: 0.25,
    keeps: [
      "error[E0308]: mismatched types",
      "src/lib.rs:75:21",
      "could not compile",
      "22 more: unused variable",
    ],
  },
  {
    name: "make-gcc",
    command: "make -k",
    most: 0.2,
    keeps: [
      "main.c:1:43: error: ‘undefined_name’ undeclared",
      "make: *** [Makefile:5: main.o] Error 1",
      "28 more: -Wunused-variable",
      "16 build steps",
    ],
    drops: /^gcc /m,
  },
  {
    name: "javac",
    command: "javac -Xlint:all Shop.java",
    most: 0.1,
    keeps: ["Shop.java:27: error: incompatible types", "1 error", "73 more: rawtypes", "23 more: unchecked"],
  },
  {
    name: "biome-lint",
    command: "npx biome lint",
    most: 0.8,
    keeps: ["lint/suspicious/noDebugger", "Found 1", "more of lint/suspicious/noExplicitAny"],
  },
  {
    name: "git-log",
    command: "git log",
    most: 0.5,
    keeps: ["Step 90 of the notes", "Step 60 of the notes", "50 older commits"],
    drops: /Step 40 of/,
  },
  {
    name: "git-diff",
    command: "git diff",
    most: 0.1,
    keeps: [
      "-value 1\n",
      "+changed 300",
      "+B",
      "lines of this hunk left out here: +280 -240",
      "b/package-lock.json",
    ],
  },
  {
    name: "git-status",
    command: "git status",
    most: 0.6,
    keeps: ["modified:   data.txt", "out/file1.txt", "80 more files"],
  },
  {
    name: "grep",
    command: "grep -rn error src lib",
    most: 0.7,
    keeps: ["src/a/module1.ts\n  1: const error = load(1);", "  7: use(error, 6);"],
  },
  { name: "find", command: "find src lib -type f", most: 0.8, keeps: ["src/a/ (40): ", "module40.ts"] },
];

for (const { name, command, most, keeps, drops } of cases) {
  test(`${name}: what matters stays and at most ${most * 100} % of the length is left`, async () => {
    const text = `${fixture(name)}\n[exit code 1]`;
    const { outcome, spill } = await shorten("bash", { command }, text);
    const shown = outcome?.text ?? text;
    for (const kept of keeps) expect(shown).toContain(kept);
    if (drops) expect(shown).not.toMatch(drops);
    expect(shown.length / text.length).toBeLessThan(most);
    expect(shown).toEndWith("\n[exit code 1]");
    const { output, left_out: leftOut } = outcome!.details["compacted"] as {
      output: string | null;
      left_out: object;
    };
    if (Object.keys(leftOut).length === 0) expect(output).toBeNull();
    else
      expect([spill.files.get(output!), shown.includes(`left out; all output: ${output}]`)]).toEqual([
        text,
        true,
      ]);
  });

  test(`${name}: every line that tells of an error is still there`, async () => {
    if (/^(?:git|grep|find|biome)/.test(name)) return;
    const text = fixture(name);
    const { outcome } = await shorten("bash", { command }, text);
    const shown = new Set((outcome?.text ?? text).split("\n"));
    expect(text.split("\n").filter((line) => isErrorLine(line) && !shown.has(line))).toEqual([]);
  });

  test(`${name}: is stable, and safe when nothing tells what it is`, async () => {
    const text = fixture(name);
    const once = (await shorten("bash", { command }, text)).outcome?.text ?? text;
    const twice = (await shorten("bash", { command }, once)).outcome?.text ?? once;
    expect(twice.length).toBeLessThanOrEqual(once.length);
    const unknown = (await shorten("bash", { command: "./x" }, text)).outcome?.text ?? text;
    for (const line of text.split("\n").filter(isErrorLine)) expect(unknown).toContain(line);
  });
}

test("compiler errors alone are left as they are", async () => {
  const text = `${fixture("tsc")}\n${fixture("tsc").replaceAll("m", "n")}`;
  expect((await shorten("bash", { command: "npx tsc" }, text)).outcome).toBeUndefined();
});
