import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { editBench } from "../test-support/edit-bench.ts";
import { TYPESCRIPT_SERVER } from "../test-support/language-bench.ts";

const withTypeScript = test.skipIf(TYPESCRIPT_SERVER === null);

withTypeScript(
  "TypeScript formats what was edited and says what the change broke, here and in other files [A-LSP-01][A-LSP-02]",
  async () => {
    await using ws = await workspace({
      "tsconfig.json": '{"compilerOptions":{"strict":true}}',
      "shape.ts": "export function area(side: number): number {\n  return side * side;\n}\n",
      "user.ts":
        'import { area } from "./shape";\nexport const big: number = area(3);\nconst old: string = 1;\n',
    });
    await using bench = editBench(ws, { servers: { typescript: TYPESCRIPT_SERVER! } });
    const user = await bench.edit("user.ts", "area(3)", "area(4)");
    expect(user.text).toEndWith("Diagnostics (typescript): nothing new, 1 as before.");
    const shape = await bench.edit(
      "shape.ts",
      "number): number {\n  return side * side;",
      "number): string {\n  return   String(side);",
    );
    expect(ws.read("shape.ts")).toBe(
      "export function area(side: number): string {\n  return String(side);\n}\n",
    );
    expect(shape.text).toEndWith(
      [
        "typescript formatted the file; these lines are now:",
        "2\t  return String(side);",
        "Diagnostics (typescript): none.",
        "New errors in other files:",
        "user.ts:2:14: error: Type 'string' is not assignable to type 'number'. (typescript 2322)",
      ].join("\n"),
    );
    const mended = await bench.edit("user.ts", "big: number", "big: string");
    expect(mended.text).toEndWith("Diagnostics (typescript): nothing new, 1 gone, 1 as before.");
  },
);

withTypeScript(
  "a project with a formatter of its own is not formatted by TypeScript [A-LSP-01]",
  async () => {
    await using ws = await workspace({ "package.json": "{}", ".prettierrc": "{}" });
    await using bench = editBench(ws, { servers: { typescript: TYPESCRIPT_SERVER! } });
    const outcome = await bench.write("a.ts", "export const a   = 1;\n");
    expect(ws.read("a.ts")).toBe("export const a   = 1;\n");
    expect(outcome.text).toEndWith("Diagnostics (typescript): none.");
  },
);
