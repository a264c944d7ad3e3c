import { expect, test } from "bun:test";
import { withoutImportCalls } from "./import-calls.ts";

const template = (call: string) => `x = \`import(name) $\{${call}(name)}\`;`;

const CASES: readonly (readonly [code: string, becomes: string])[] = [
  ["x = import(name);", "x = take(name);"],
  ["x = import (name);", "x = take(name);"],
  ["x = 'import(name)';", "x = 'import(name)';"],
  [template("import"), template("take")],
  ["x = [...import(name)];", "x = [...take(name)];"],
  [
    "x = class { static import(name) {} #import(name) {} };",
    "x = class { static import(name) {} #import(name) {} };",
  ],
  ["x = /import(name)/;", "x = /import(name)/;"],
  ["// import(name)\nx = 1;", "// import(name)\nx = 1;"],
  ["x = a.import(name);", "x = a.import(name);"],
  ["x = { import(name) { return name; } };", "x = { import(name) { return name; } };"],
  ["x = 'import('; y = import(import(z));", "x = 'import('; y = take(take(z));"],
];

for (const [code, becomes] of CASES)
  test(`of ${JSON.stringify(code)} only what is an import is replaced`, () => {
    expect(withoutImportCalls(code, "take(")).toBe(becomes);
  });
