import { expect, test } from "bun:test";
import { fixture, shorten } from "./test-support/bench.ts";

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = generator(4_711);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Written without the product's own idea of an error line. */
const ERRORS: ((n: number) => string)[] = [
  (n) => `error: cause number ${n}`,
  (n) => `src/a.ts(${n},3): error TS2322: Type 'string' is not assignable to type 'number'.`,
  (n) => `a.c:${n}:5: error: expected ';' before '}' token`,
  (n) => `error[E0${n}]: mismatched types`,
  (n) => `FAILED tests/test_a.py::test_${n} - AssertionError`,
  (n) => `--- FAIL: TestThing${n} (0.00s)`,
  (n) => `(fail) group > case ${n} [1.00ms]`,
  (n) => `  ✗ does thing ${n}`,
  (n) => `not ok ${n} - does thing`,
  (n) => `E       assert ${n} == 0`,
  (n) => `TypeError: thing${n} is not a function`,
  (n) => `panic: runtime error: index out of range [${n}]`,
  (n) => `[ERROR] Failed to execute goal ${n}`,
  (n) => `npm ERR! code E${n}`,
  (n) => `fatal: unable to access '${n}'`,
  (n) => `ld: undefined reference to 'f${n}'`,
  (n) => `make: *** [Makefile:${n}: all] Error 2`,
  (n) => `Segmentation fault (core dumped) ${n}`,
  (n) => `java.lang.IllegalStateException: ${n}`,
];
const OTHERS: ((n: number) => string)[] = [
  (n) => `(pass) group > case ${n} [0.10ms]`,
  (n) => `✓ works ${n} (2 ms)`,
  (n) => `tests/test_a.py::test_${n} PASSED [ 12%]`,
  (n) => `test tests::t${n} ... ok`,
  (n) => `ok ${n} - fine`,
  (n) => `=== RUN   TestThing${n}`,
  (n) => `[ ${n % 100}%] Building C object a${n}.o`,
  (n) => `   Compiling crate${n} v1.0.0`,
  (n) => `Collecting package${n}`,
  (n) => `a${n}.c:3:5: warning: unused variable 'x' [-Wunused-variable]`,
  () => "    3 |   int x;",
  () => "      |       ^",
  (n) => `    at frame${n} (/app/node_modules/lib/index.js:1:${n})`,
  (n) => `src/a.py:${n}:80: E501 line too long`,
  (n) => `plain text number ${n}`,
  () => "",
  () => "waiting",
  (n) => `\x1b[32mcoloured ${n}\x1b[0m`,
  (n) => `src/a.ts:${n}: const x = 1;`,
  () => "  heading",
  (n) => `    deeper ${n}`,
  (n) => `#${n % 20} 0.345 step`,
  (n) => `+added ${n}`,
  (n) => `@@ -${n},3 +${n},3 @@`,
  () => "FILE.test.ts:",
  (n) => `😀 ${n} ü \ud83d`,
];
const COMMANDS = [
  "npm test",
  "pytest",
  "cargo build",
  "make",
  "npm ci",
  "npx eslint .",
  "go test ./... -v",
  "./x",
  "cd a && npm ci && npm test",
  "git diff",
  "docker build .",
];

function output(): { text: string; errors: string[] } {
  const errors: string[] = [];
  const lines: string[] = [];
  const total = 100 + Math.floor(random() * 900);
  let usual = pick(OTHERS);
  for (let index = 0; index < total; index++) {
    if (random() < 0.1) usual = pick(OTHERS);
    if (random() < 0.03) {
      const line = pick(ERRORS)(index);
      errors.push(line);
      lines.push(line);
    } else lines.push((random() < 0.7 ? usual : pick(OTHERS))(index));
  }
  return { text: lines.join("\n"), errors };
}

test("of generated outputs no error line is lost, none gets longer, and what is left out is in its file", async () => {
  let shortened = 0;
  for (let round = 0; round < 400; round++) {
    const { text, errors } = output();
    const command = pick(COMMANDS);
    const closing = random() < 0.5 ? "\n[exit code 1]" : "";
    const { outcome, spill } = await shorten("bash", { command }, text + closing);
    if (!outcome) continue;
    shortened++;
    const shown = new Set(outcome.text.split("\n"));
    // A diff's own lines are data, and none of these outputs is one.
    const lost = errors.filter((line) => !shown.has(line));
    if (lost.length > 0) throw new Error(`${command}: ${lost[0]}`);
    expect(outcome.text.length).toBeLessThan(text.length + closing.length);
    expect(outcome.text.endsWith(closing)).toBe(true);
    const path = / left out; all output: (\S+)\]/.exec(outcome.text)?.[1];
    if (path !== undefined) expect(spill.files.get(path)).toBe((text + closing).toWellFormed());
  }
  expect(shortened).toBeGreaterThan(200);
});

test("any piece of a real output can be shortened, and never gets longer", async () => {
  for (const name of ["bun-test", "cargo-test", "javac", "git-diff", "grep", "biome-lint", "node-test-tap"]) {
    const text = fixture(name);
    for (let round = 0; round < 15; round++) {
      const from = Math.floor(random() * text.length);
      const piece = text.slice(from, from + 2_000 + Math.floor(random() * 8_000));
      const { outcome } = await shorten("bash", { command: pick(COMMANDS) }, piece);
      expect(outcome?.text.length ?? 0).toBeLessThanOrEqual(piece.length);
    }
  }
});

test("huge single lines and many lines take no long time", async () => {
  const texts = [
    "x".repeat(500_000),
    "a:1:b\n".repeat(20_000),
    "(pass) a\n".repeat(20_000),
    `${" ".repeat(50_000)}x`,
    "/".repeat(100_000),
    "━".repeat(50_000),
    `${"a ".repeat(50_000)}... `,
  ];
  for (const text of texts) for (const command of COMMANDS) await shorten("bash", { command }, text);
  expect(texts.length).toBeGreaterThan(0);
});
