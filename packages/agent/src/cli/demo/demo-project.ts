/** A small shell project with a real bug: it needs nothing but the bash that the tools need anyway. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  "README.md": `# receipts

Adds up receipts. \`bash tests/run.sh\` runs the tests.
`,
  "src/receipt.sh": `# Sums for receipts. Amounts are whole cents.

# total AMOUNT...: the sum of all amounts
total() {
  local sum=0 amount
  for amount in "\${@:2}"; do
    sum=$((sum + amount))
  done
  echo "$sum"
}

# discounted CENTS PERCENT: the price after a discount, rounded down
discounted() {
  echo $(($1 - $1 * $2 / 100))
}
`,
  "tests/run.sh": `cd "$(dirname "$0")/.." || exit 2
. src/receipt.sh
failures=0

expect() {
  if [ "$2" = "$3" ]; then
    echo "ok   $1"
  else
    echo "FAIL $1: expected $3, got $2"
    failures=$((failures + 1))
  fi
}

expect "an empty receipt is 0" "$(total)" 0
expect "one amount is itself" "$(total 250)" 250
expect "amounts are added" "$(total 100 200 300)" 600
expect "ten percent off" "$(discounted 1000 10)" 900

echo "$failures failed"
[ "$failures" -eq 0 ]
`,
};

export const DEMO_PROMPT = "The tests of this project fail. Find the bug, fix it, and run the tests again.";

/** The line with the bug, and what it must be. */
export const DEMO_BUG = { wrong: `for amount in "\${@:2}"; do`, right: `for amount in "$@"; do` };
