import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

/** The files that come with a module, by what it and they import at once. */
async function loadedWith(entry: string): Promise<Set<string>> {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const seen = new Set<string>();
  const rest = [entry];
  for (let file = rest.pop(); file !== undefined; file = rest.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { kind, path } of transpiler.scanImports(await Bun.file(file).text()))
      if (kind === "import-statement" && path.startsWith(".")) rest.push(join(dirname(file), path));
  }
  return seen;
}

test("nothing that extensions draw with is loaded with the surface", async () => {
  const files = [...(await loadedWith(join(import.meta.dir, "..", "surface.ts")))];
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => dirname(file) === import.meta.dir)).toEqual([]);
});
