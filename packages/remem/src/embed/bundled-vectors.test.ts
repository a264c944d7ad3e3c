import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, testNode, workspace } from "@pi-ts/testkit";

const EMBED = import.meta.dirname;
/** Says whether the vectors know what a dog is, and whether their file is beside the code. */
const PROGRAM = `
import { existsSync } from "node:fs";
import { BUNDLED_VECTORS } from ${JSON.stringify(join(EMBED, "bundled-vectors.ts"))};
import { StaticEmbedder } from ${JSON.stringify(join(EMBED, "static-embedder.ts"))};
const [dog, cat, law] = await new StaticEmbedder().embed(["dog", "cat", "parliament"]);
const like = (other) => dog.reduce((sum, value, index) => sum + value * other[index], 0);
console.log(JSON.stringify({ knows: like(cat) > like(law) + 0.2, beside: existsSync(BUNDLED_VECTORS) }));
`;

test("an executable carries the word vectors inside", async () => {
  await using space = await workspace();
  const source = join(space.home, "program.ts");
  const target = join(space.home, process.platform === "win32" ? "program.exe" : "program");
  writeFileSync(source, PROGRAM);
  const flags = ["--compile", "--minify", "--bytecode", "--splitting", "--format=esm"];
  const built = await runProcess([process.execPath, "build", ...flags, source, "--outfile", target], {
    cwd: space.home,
  });
  expect({ code: built.code, stderr: built.stderr }).toMatchObject({ code: 0 });
  const { stdout } = await runProcess([target], { cwd: space.home });
  expect(JSON.parse(stdout)).toEqual({ knows: true, beside: false });
});

const node = testNode();
test.skipIf(node === null)(
  "Node reads the word vectors from the package's folder (needs Node 24)",
  async () => {
    await using space = await workspace();
    const source = join(space.home, "program.mjs");
    writeFileSync(source, PROGRAM);
    const { stdout, stderr } = await runProcess([node!, "--no-warnings", source], { cwd: space.home });
    expect({ stdout: JSON.parse(stdout || "null"), stderr }).toEqual({
      stdout: { knows: true, beside: true },
      stderr: "",
    });
  },
);
