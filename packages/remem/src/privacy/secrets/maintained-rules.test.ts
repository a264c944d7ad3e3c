import { expect, test } from "bun:test";
import { join } from "node:path";
import { runProcess, testNode, workspace } from "@pi-ts/testkit";
import { BASE62, chance } from "../__fixtures__/chance.ts";
import { findByMaintainedRules } from "./maintained-rules.ts";

const TOKEN = `vc${"p_"}${chance(1).text(BASE62, 56)}`;

test("tokens that only the maintained rules know are found at their place [A-MEM-09]", async () => {
  expect(await findByMaintainedRules(`deploy with ${TOKEN} now`)).toEqual([
    { rule: "vercel-credential", category: "secret", start: 12, end: 12 + TOKEN.length },
  ]);
});

test("a text cannot switch the rules off by a comment [A-MEM-09]", async () => {
  expect(await findByMaintainedRules(`// secretlint-disable\n${TOKEN}`)).toHaveLength(1);
});

test("texts that are looked at side by side keep their own findings [A-MEM-09]", async () => {
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      findByMaintainedRules(
        index % 2 === 0 ? `${" ".repeat(index)}${TOKEN}` : `plain text number-${index}-of-many-others`,
      ),
    ),
  );
  expect(found.map((spans) => spans.map(({ start }) => start))).toEqual(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? [index] : [])),
  );
});

const PROGRAM = `import { createScreen } from ${JSON.stringify(join(import.meta.dir, "../create-screen.ts"))};
const { text } = await createScreen().screen(process.argv[2]);
process.stdout.write(text);
`;

test("the screen works bundled into one file [A-MEM-09]", async () => {
  await using space = await workspace({ "program.ts": PROGRAM });
  const bundled = await Bun.build({
    entrypoints: [space.at("program.ts")],
    outdir: space.at("out"),
    target: "node",
  });
  expect(bundled.success).toBe(true);
  const run = await runProcess(
    [process.execPath, "--no-env-file", space.at("out/program.js"), `use ${TOKEN}`],
    {
      env: space.env(),
      cwd: space.path,
    },
  );
  expect({ stdout: run.stdout, stderr: run.stderr }).toEqual({
    stdout: "use [redacted:vercel-credential]",
    stderr: "",
  });
});

const node = testNode();

test.skipIf(node === null)("the screen works on Node 24 (needs test-programs) [A-MEM-09]", async () => {
  await using space = await workspace();
  const script = join(import.meta.dir, "../__fixtures__/screen-argument.ts");
  const run = await runProcess([node!, "--no-warnings", script, `use ${TOKEN} <private>x</private>`], {
    env: space.env(),
    cwd: space.path,
  });
  expect({ stdout: run.stdout, stderr: run.stderr }).toEqual({
    stdout: "use [redacted:vercel-credential] [redacted:private-block]",
    stderr: "",
  });
});
