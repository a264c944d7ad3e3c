import { call, say, think } from "@pi-ts/testkit";
import type { Scenario } from "./scenario.ts";

const WRONG = `  for amount in "\${@:2}"; do`;
const RIGHT = `  for amount in "$@"; do`;

const FILES = {
  "README.md": "# receipts\n\nAdds up receipts. `bash tests/run.sh` runs the tests.\n",
  "src/receipt.sh": `# Sums for receipts. Amounts are whole cents.

# total AMOUNT...: the sum of all amounts
total() {
  local sum=0 amount
${WRONG}
    sum=$((sum + amount))
  done
  echo "$sum"
}
`,
  "tests/run.sh": `. src/receipt.sh
failures=0

expect() {
  if [ "$2" = "$3" ]; then echo "ok   $1"; else echo "FAIL $1: expected $3, got $2"; failures=$((failures + 1)); fi
}

expect "an empty receipt is 0" "$(total)" 0
expect "one amount is itself" "$(total 250)" 250
expect "amounts are added" "$(total 100 200 300)" 600

echo "$failures failed"
`,
};

const PROJECT = {
  cols: 100,
  rows: 34,
  terminal: "dark",
  files: FILES,
  folder: "receipts",
  title: "pi",
} as const;

/** Shown when pi is up: the bar of the context has its number. */
const READY = { waitFor: /% of/ };
const PROMPT = "The tests fail. Find the bug, fix it, and run them again.";
const REPORT = `Fixed: \`total\` in \`src/receipt.sh\` left out its **first** amount. It went over \`"\${@:2}"\`, which starts at the second argument.

| test | before | now |
| --- | --- | --- |
| one amount is itself | 0 | 250 |
| amounts are added | 500 | 600 |

All three tests pass.`;

const ANSWERS = [
  [
    think("Run the tests first."),
    say("I look at the code that the tests call."),
    call("read", { file_path: "src/receipt.sh" }),
  ],
  [
    say("The loop starts at the second argument."),
    call("edit", { file_path: "src/receipt.sh", old_string: WRONG, new_string: RIGHT }),
  ],
  [call("bash", { command: "bash tests/run.sh" })],
  [say(REPORT)],
];

const SOLVED = [READY, { type: `${PROMPT}\n` }, { waitFor: "All three tests pass." }];

/** The pictures of the documentation. */
export const SCENARIOS: readonly Scenario[] = [
  { ...PROJECT, name: "start", rows: 20, answers: [], steps: [READY] },
  { ...PROJECT, name: "answer", rows: 48, answers: ANSWERS, steps: SOLVED },
  { ...PROJECT, name: "answer-light", rows: 48, terminal: "light", answers: ANSWERS, steps: SOLVED },
  {
    ...PROJECT,
    name: "commands",
    rows: 24,
    answers: [],
    steps: [READY, { type: "/" }, { waitFor: "→ clear" }],
  },
  {
    ...PROJECT,
    name: "help",
    answers: [],
    steps: [READY, { type: "/help\n" }, { waitFor: "/model" }],
  },
];
