import { expect, test } from "bun:test";
import { compileModule } from "./compile-module.ts";

const REFUSED: Readonly<Record<string, string>> = {
  "it waits at its top level, or does not compile": "export const a = await 1;",
  "it looks into its stack": "Error.prepareStackTrace = (_, frames) => frames; export const a = 1;",
  "it does something with import.meta that is not known": "export const a = Object.keys(import.meta);",
  "it asks what it is": "export const a = typeof exports;",
  "it uses names of ours": "export const __pix_a = 1;",
  "the bundler wrote what is not known": "import a from 'a'; module.exports = a;",
};

for (const [why, source] of Object.entries(REFUSED))
  test(`${JSON.stringify(source)} is refused: ${why}`, async () => {
    expect(await compileModule(import.meta.path, source)).toEqual({ refused: why });
  });

test("imports keep their order and their kinds, and code that only looks like one runs later", async () => {
  const source = `import "./first.ts"; import { a } from "./second.ts"; export * from "./third.ts";
    const fs = require("node:fs"); const b = require("./fourth.ts"); export const c = [a, fs, b, () => import("./fifth.ts")];`;
  const compiled = await compileModule(import.meta.path, source);
  if ("refused" in compiled) throw new Error(compiled.refused);
  const { imports, order, text } = compiled;
  expect(order.map((number) => imports[number])).toEqual([
    { name: "./first.ts", how: "import" },
    { name: "./second.ts", how: "import" },
    { name: "./third.ts", how: "all" },
  ]);
  expect(imports.filter((_, number) => !order.includes(number))).toEqual([
    { name: "./fourth.ts", how: "require" },
    { name: "./fifth.ts", how: "dynamic" },
  ]);
  expect(text.indexOf("__pix_require(")).toBeGreaterThan(text.lastIndexOf("yield;"));
});
