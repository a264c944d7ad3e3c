import { expect, test } from "bun:test";
import { parsePrompt } from "./parse-prompt.ts";

test("gates and done criteria are read from their sections only, and code there is quoted [A-SOP-04]", () => {
  const { gates, doneCriteria, problems } = parsePrompt(`# X

- **not a gate**: \`rm -rf /\`

## Done Criteria

- it works
\`\`\`
## Gates
\`\`\`
- tests exist

## Gates

Words are no gates.

- **tests**: \`npm test\`
- lint and types: \`npm run lint\`
* **with colon:** \`true\`

## Constraints

- **neither**: \`false\`
`);
  expect(problems).toEqual([]);
  expect(gates).toEqual([
    { name: "tests", command: "npm test" },
    { name: "lint and types", command: "npm run lint" },
    { name: "with colon", command: "true" },
  ]);
  expect(doneCriteria).toBe("- it works\n```\n## Gates\n```\n- tests exist");
});

test("a line among the gates that is none is a problem with its line: it must not pass for a gate that passed [A-SOP-04]", () => {
  const { gates, problems } = parsePrompt(
    "## Gates\n\n- tests: npm test\n- `npm run lint`\n- **a**: `b` and more\n",
  );
  expect(gates).toEqual([]);
  expect(problems.map(({ line }) => line)).toEqual([3, 4, 5]);
});

test("without its sections a prompt has no gates and no criteria", () => {
  expect(parsePrompt("# X\n")).toEqual({ gates: [], doneCriteria: null, problems: [] });
});
