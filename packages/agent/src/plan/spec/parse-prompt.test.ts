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

for (const heading of ["## Gates:", "### Gates", "# GATES", "## 5. **Gates**", "## ✅ Gates ##"])
  test(`gates below "${heading}" count [A-SOP-04]`, () => {
    const { gates, problems } = parsePrompt(
      `${heading}\n\n1. **tests**: \`npm test\`\n+ lint: \`npm run lint\`\n`,
    );
    expect(problems).toEqual([]);
    expect(gates.map(({ command }) => command)).toEqual(["npm test", "npm run lint"]);
  });

for (const [how, text, line] of [
  ["in a table", "## Gates\n\n| tests | `npm test` |\n", 3],
  ["in code", "## Gates\n\n- a: `true`\n\n```\nnpm test\n```\n", 5],
  ["as words", "## Gates\nRun `npm test`.\n", 2],
  ["below code that is never closed", "# X\n\n```sh\nls\n\n## Gates\n- a: `true`\n", 3],
] as const)
  test(`gates ${how} are a problem with its line [A-SOP-04]`, () => {
    expect(parsePrompt(text).problems[0]?.line).toBe(line);
  });

test("a section that says that there are no gates is none [A-SOP-04]", () => {
  for (const words of ["None.", "_No gates are needed._", "n/a", ""])
    expect(parsePrompt(`## Gates\n\n${words}\n`).problems).toEqual([]);
});

test("code ends at a fence without a word only, so that what follows code within code is read [A-SOP-04]", () => {
  expect(
    parsePrompt("````md\n```sh\nls\n```\n````\n\n```\n```js\n```\n## Gates\n- a: `true`\n").gates,
  ).toHaveLength(1);
});
