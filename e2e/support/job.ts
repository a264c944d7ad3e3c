/** The main job: a repository of 300 files with one failing test, and a scripted model that finds and mends the fault. */
import { type Block, call, type RecordedRequest, say, think } from "@pi-ts/testkit";

const REGIONS = 290;

// Only what bash has built in: hundreds of checks must not mean hundreds of processes.
const RUN_TESTS = `#!/bin/bash
# Runs all checks; with a file named .hold it stops half way, as a hanging test would.
cd "\${0%/*}/.." || exit 2
. src/rounding.sh
. src/price.sh
failed=0
check() {
  if [ "$2" = "$3" ]; then echo "ok $1"; else echo "FAIL $1: expected $3, got $2"; failed=$((failed + 1)); fi
}
echo "running"
[ -e .hold ] && sleep 600
round_cents 1250 100
check "half a cent is rounded up" "$RESULT" 13
round_cents 1249 100
check "less than half is rounded down" "$RESULT" 12
gross_price 1999 r007
check "a gross price holds the tax of its region" "$RESULT" 2139
for file in src/regions/*.sh; do
  RATE=
  . "$file"
  [[ $RATE =~ ^[0-9]+$ ]] || check "$file has a rate" "$RATE" "a number"
done
echo "$failed failed"
[ "$failed" -eq 0 ]
`;

const ROUNDING = `# RESULT = AMOUNT / DIVISOR, rounded half up.
round_cents() {
  local amount=$1 divisor=$2
  RESULT=$((amount / divisor))
}
`;

const WRONG = "  RESULT=$((amount / divisor))";
const RIGHT = "  RESULT=$(((amount + divisor / 2) / divisor))";

const PRICE = `# RESULT = gross price in cents for a net price and a region.
gross_price() {
  . "src/regions/$2.sh"
  round_cents $(($1 * RATE)) 100
  RESULT=$(($1 + RESULT))
}
`;

/** The files of the repository. */
export function repository(): Record<string, string> {
  const files: Record<string, string> = {
    "README.md": "# Prices\n\nNet and gross prices of many regions. Tests: `bash tests/run.sh`.\n",
    "src/rounding.sh": ROUNDING,
    "src/price.sh": PRICE,
    "tests/run.sh": RUN_TESTS,
    "docs/rates.md": "Rates are whole per cent.\n",
    ".gitignore": "*.tmp\n",
  };
  for (let region = 0; region < REGIONS; region++) {
    const name = `r${String(region).padStart(3, "0")}`;
    files[`src/regions/${name}.sh`] = `RATE=${region % 28}\n`;
  }
  return files;
}

/** What the file with the fault holds after the job. */
export const MENDED = ROUNDING.replace(WRONG, RIGHT);

export const REPORT = "round_cents now rounds half up; all tests pass.";
export const JOB = "The rounding test fails. Find the cause, mend it and run the tests.";

interface Step {
  /** What is shown and thought before the calls. */
  opening: Block[];
  calls: { name: string; args: Record<string, unknown> }[];
}

const STEPS: readonly Step[] = [
  {
    opening: [think("Look around first."), say("I look around.")],
    calls: [
      { name: "tree", args: { depth: 2 } },
      { name: "grep", args: { pattern: "round_cents", path: "src" } },
    ],
  },
  { opening: [say("Here it is.")], calls: [{ name: "read", args: { file_path: "src/rounding.sh" } }] },
  {
    opening: [think("The division cuts off.")],
    calls: [{ name: "edit", args: { file_path: "src/rounding.sh", old_string: WRONG, new_string: RIGHT } }],
  },
  { opening: [say("Now the tests.")], calls: [{ name: "bash", args: { command: "bash tests/run.sh" } }] },
  { opening: [say([REPORT.slice(0, 20), REPORT.slice(20)])], calls: [] },
];

export const STEP_COUNT = STEPS.length;

/** Where a step's answer can be held: before its headers, in its middle, or after everything but its end. */
export type Place = "before" | "within" | "after";

/**
 * The model: it does the first step that has not all its results yet, as the request's history shows, so that it goes on
 * after any interruption. `hold`: that step's answer stands still at that place.
 */
export function jobModel(hold?: {
  step: number;
  place: Place;
  until: PromiseLike<unknown>;
}): (request: RecordedRequest) => Block[] {
  return (request) => {
    const step = STEPS.findIndex((candidate) => !isDone(candidate, request));
    const { opening, calls } = STEPS[step]!;
    const told = calls.map(({ name, args }) => call(name, args));
    if (hold?.step !== step) return [...opening, ...told];
    const stop: Block = { kind: "hold", until: hold.until };
    if (hold.place === "before") return [stop, ...opening, ...told];
    if (hold.place === "within") return [...opening, stop, ...told];
    return [...opening, ...told, stop];
  };
}

function isDone({ calls }: Step, request: RecordedRequest): boolean {
  return calls.length > 0 && calls.every((wanted) => hasResult(wanted, request));
}

/** Calls and results are paired by their order: every request holds one result for each call. */
function hasResult(wanted: Step["calls"][number], { calls, results }: RecordedRequest): boolean {
  return calls.some(
    (made, index) =>
      made.name === wanted.name &&
      JSON.stringify(made.args) === JSON.stringify(wanted.args) &&
      !/^Interrupted/.test(results[index]?.text ?? "Interrupted"),
  );
}
