import { expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import type { AnyTool, ToolOutcome } from "../contract/tool.ts";
import { lspDefinitionTool } from "../tools/lsp-definition/lsp-definition.ts";
import { lspDiagnosticsTool } from "../tools/lsp-diagnostics/lsp-diagnostics.ts";
import { lspHoverTool } from "../tools/lsp-hover/lsp-hover.ts";
import { lspReferencesTool } from "../tools/lsp-references/lsp-references.ts";
import { lspSymbolsTool } from "../tools/lsp-symbols/lsp-symbols.ts";
import { runTool } from "../tools/shared/test-support/file-tool-context.ts";
import { languageBench, TYPESCRIPT_SERVER } from "./test-support/language-bench.ts";

const withTypeScript = test.skipIf(TYPESCRIPT_SERVER === null);
const TOOLS = {
  diagnostics: lspDiagnosticsTool,
  symbols: lspSymbolsTool,
  definition: lspDefinitionTool,
  references: lspReferencesTool,
  hover: lspHoverTool,
} as const;

function typescriptBench(ws: Workspace) {
  const bench = languageBench(ws, {
    servers: { typescript: TYPESCRIPT_SERVER! },
    limits: { questionMs: 100_000 },
  });
  return {
    ...bench,
    run: (tool: keyof typeof TOOLS, input: object): Promise<ToolOutcome> =>
      runTool(TOOLS[tool](bench.ask) as AnyTool, bench.context, input),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

const PROJECT = {
  "tsconfig.json": '{"compilerOptions":{"strict":true}}',
  "src/shape.ts":
    "/** The area of a square. */\nexport function area(side: number): number {\n  return side * side;\n}\n",
  "src/use it #1.ts":
    'import { area } from "./shape";\nexport const wide = "🎉é"; export const big: string = area(3);\n',
};

withTypeScript(
  "typescript-language-server answers all five questions, with 1-based places and the lines of the project [A-LSP-03]",
  async () => {
    await using ws = await workspace(PROJECT);
    await using ts = typescriptBench(ws);
    const file = "src/use it #1.ts";
    const diagnostics = await ts.run("diagnostics", { file });
    expect(diagnostics.text).toBe(
      "src/use it #1.ts: 1 error, 0 warnings (typescript).\n" +
        "src/use it #1.ts:2:40: error: Type 'number' is not assignable to type 'string'. (typescript 2322)\n" +
        '    export const wide = "🎉é"; export const big: string = area(3);',
    );
    const at = { file, line: 2, column: 54 };
    const definition = await ts.run("definition", at);
    expect(definition.text).toBe(
      "1 definition:\nsrc/shape.ts:2:17: export function area(side: number): number {",
    );
    const references = await ts.run("references", { file: "src/shape.ts", line: 2, column: 18 });
    expect(references.text).toBe(
      [
        "3 references in 2 files:",
        "src/shape.ts:2:17: export function area(side: number): number {",
        'src/use it #1.ts:1:10: import { area } from "./shape";',
        'src/use it #1.ts:2:54: export const wide = "🎉é"; export const big: string = area(3);',
      ].join("\n"),
    );
    const hover = await ts.run("hover", at);
    expect(hover.text).toContain("area(side: number): number");
    expect(hover.text).toContain("The area of a square.");
    const symbols = await ts.run("symbols", { file: "src/shape.ts" });
    expect(symbols.text).toBe("src/shape.ts: 1 symbol (lines, kind, name):\n2-4 function area");
  },
);

withTypeScript(
  "what was changed outside since the last question is seen by the next [A-LSP-03][L02]",
  async () => {
    await using ws = await workspace(PROJECT);
    await using ts = typescriptBench(ws);
    const file = "src/use it #1.ts";
    expect((await ts.run("diagnostics", { file })).details).toMatchObject({ errors: 1 });
    ws.write("src/shape.ts", "export function area(side: number): string {\n  return String(side);\n}\n");
    expect((await ts.run("diagnostics", { file: "src/shape.ts" })).outcome).toBe("empty");
    const clean = await ts.run("diagnostics", { file });
    expect([clean.outcome, clean.text]).toEqual([
      "empty",
      "src/use it #1.ts: no errors and no warnings (typescript).",
    ]);
  },
);

withTypeScript(
  "nothing there, a place that is not there and a missing file are told apart [A-LSP-03]",
  async () => {
    await using ws = await workspace(PROJECT);
    await using ts = typescriptBench(ws);
    const nothing = await ts.run("definition", { file: "src/shape.ts", line: 1, column: 10 });
    expect([nothing.outcome, nothing.isError]).toEqual(["empty", false]);
    const blank = await ts.run("hover", { file: "src/shape.ts", line: 4, column: 2 });
    expect([blank.outcome, blank.isError]).toEqual(["empty", false]);
    expect(blank.text).toContain("Line 4 is: }");
    const line = await ts.run("hover", { file: "src/shape.ts", line: 40, column: 1 });
    expect([line.isError, line.text.split("\n")[0]]).toEqual([
      true,
      "src/shape.ts has 4 lines; there is no line 40",
    ]);
    const column = await ts.run("hover", { file: "src/shape.ts", line: 4, column: 9 });
    expect(column.text).toStartWith("Line 4 of src/shape.ts has 1 character; there is no column 9");
    const missing = await ts.run("hover", { file: "src/shap.ts", line: 1, column: 1 });
    expect(missing.text).toContain("Did you mean src/shape.ts?");
    const outside = await ts.run("diagnostics", { file: "../outside/x.ts" });
    expect([outside.outcome, outside.isError]).toEqual(["not_looked", true]);
  },
);

withTypeScript(
  "one server serves all files of a root and ends with the session [A-LSP-04][M08]",
  async () => {
    await using ws = await workspace({
      ...PROJECT,
      "other/tsconfig.json": "{}",
      "other/a.ts": "export {};\n",
    });
    const ts = typescriptBench(ws);
    await ts.run("symbols", { file: "src/shape.ts" });
    await ts.run("symbols", { file: "src/use it #1.ts" });
    expect(ts.processes.list().length).toBe(1);
    await ts.run("symbols", { file: "other/a.ts" });
    expect(ts.processes.list().length).toBe(2);
    await ts[Symbol.asyncDispose]();
    expect(ts.processes.list()).toEqual([]);
  },
);
