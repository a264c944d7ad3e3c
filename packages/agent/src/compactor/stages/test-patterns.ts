/** Lines by which test runners say that something passed, was skipped or has begun. */
interface TestLine {
  what: "passing test" | "skipped test" | "line of progress";
  /** The whole line. */
  pattern: RegExp;
}

const DURATION = String.raw`(?:\s*[([]?\s*\d+(?:[.,]\d+)?\s*(?:ns|[µu]s|ms|s|sec|m)\s*[)\]]?)?`;

const TEST_LINES: readonly TestLine[] = [
  // bun
  { what: "passing test", pattern: /^\s*\(pass\) / },
  { what: "skipped test", pattern: /^\s*\((?:skip|todo)\) / },
  // jest, vitest, mocha, ava, playwright, node --test, junit's console
  { what: "passing test", pattern: /^[\s│├└─|+'-]*[✓✔√] / },
  { what: "passing test", pattern: /^[\s│├└─|+'-]*.+ (?:✔|\[OK\])\s*$/ },
  { what: "passing test", pattern: /^\s*PASS\s+\S/ },
  {
    what: "skipped test",
    pattern: /^\s*(?:○|↓|﹣|-)\s+(?:skipped\s+)?.+(?:\[skipped\]|# SKIP|\(skipped\))?\s*$/,
  },
  // pytest, unittest
  {
    what: "passing test",
    pattern: /^(?:\[gw\d+\]\s+\[\s*\d+%\]\s+)?\S*::\S.*\s(?:PASSED|XFAIL)(?:\s+\[\s*\d+%\])?\s*$/,
  },
  { what: "passing test", pattern: /^(?:\[gw\d+\]\s+\[\s*\d+%\]\s+)?PASSED\s+\S/ },
  { what: "skipped test", pattern: /^(?:\[gw\d+\]\s+\[\s*\d+%\]\s+)?(?:\S*::\S.*\s)?SKIPPED(?:\s.*)?$/ },
  { what: "line of progress", pattern: /^(?:\S+\.py\s+)?[.sx]+(?:\s+\[\s*\d+%\])?\s*$/ },
  { what: "passing test", pattern: /^test\w* \([\w.<>]+\)(?: \.\.\.|.* \.\.\.) ok$/ },
  { what: "skipped test", pattern: /^test\w* \([\w.<>]+\).* \.\.\. skipped\b.*$/ },
  // go
  { what: "line of progress", pattern: /^\s*=== (?:RUN|PAUSE|CONT|NAME)\s/ },
  { what: "passing test", pattern: /^\s*--- PASS: / },
  { what: "skipped test", pattern: /^\s*--- SKIP: / },
  {
    what: "passing test",
    pattern: /^ok\s+\S+\s+(?:\(cached\)|\d+(?:\.\d+)?s)(?:\s+coverage: .*)?(?:\s+\[no tests to run\])?$/,
  },
  { what: "line of progress", pattern: /^(?:\?\s+)?\S+\s+\[no test files\]$/ },
  // cargo
  { what: "passing test", pattern: /^test .+ \.\.\. ok(?: <.*>)?$/ },
  { what: "skipped test", pattern: /^test .+ \.\.\. ignored(?:, .*)?$/ },
  // TAP, prove, deno
  { what: "passing test", pattern: /^\s*ok \d+(?!.*# (?:TODO|SKIP))/ },
  { what: "skipped test", pattern: /^\s*ok \d+.*# (?:TODO|SKIP)/ },
  { what: "passing test", pattern: /^\S+\.t \.+ ok$/ },
  { what: "passing test", pattern: new RegExp(String.raw`^.+ \.\.\. ok${DURATION}$`) },
  // maven, gradle
  {
    what: "passing test",
    pattern: /^\[INFO\] Tests run: \d+, Failures: 0, Errors: 0, Skipped: \d+,? Time elapsed: .*$/,
  },
  { what: "line of progress", pattern: /^\[INFO\] Running \S+$/ },
  { what: "passing test", pattern: /^\S.* > .+ PASSED$/ },
  { what: "skipped test", pattern: /^\S.* > .+ SKIPPED$/ },
  // googletest, ctest, xctest, dotnet
  { what: "passing test", pattern: /^\[\s+OK \] / },
  { what: "line of progress", pattern: /^\[ RUN\s+\] |^\[-{10}\]/ },
  { what: "passing test", pattern: /^\s*\d+\/\d+ Test\s+#\d+: .*Passed\s+\d/ },
  { what: "line of progress", pattern: /^\s+Start\s+\d+: \S+/ },
  { what: "passing test", pattern: /^Test [Cc]ase '.*' passed \(/ },
  { what: "line of progress", pattern: /^Test [Cc]ase '.*' started/ },
  { what: "passing test", pattern: /^\s+Passed .+ \[[<\d].*\]$/ },
];

/** What a line of a test runner is, if it tells of no failure. */
export function testLine(line: string): TestLine["what"] | undefined {
  for (const { what, pattern } of TEST_LINES) if (pattern.test(line)) return what;
  return undefined;
}

/** Whether a line only says that a test passed, whatever the test's name holds. */
export function isPassingLine(line: string): boolean {
  return testLine(line) === "passing test";
}

const SUMMARY =
  /^\s*(?:Tests?:?\s+.*\b\d+ (?:passed|failed|total)|=+ .*\b\d+ (?:passed|failed|error).* in [\d.]+s|test result: |Ran \d+ tests?\b|\d+ pass$|# (?:tests|pass) \d+|ℹ (?:tests|pass) \d+|1\.\.\d+$|\[INFO\] Tests run:|\[=+\] \d+ tests? from|\d+ (?:passing|failing)|FAIL\s+\S+\s+[\d.]+s|ok\s+\S+\s+[\d.]+s|\d+% tests passed|Test Files\s|Tests run: \d+|OK \(\d+ tests?|Executed \d+ tests?)/;

/** Whether a line is a runner's summary. */
export function isTestSummary(line: string): boolean {
  return SUMMARY.test(line);
}
