import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { editBench } from "./test-support/edit-bench.ts";
import { PYRIGHT_SERVER } from "./test-support/language-bench.ts";

const withPyright = test.skipIf(PYRIGHT_SERVER === null);

withPyright(
  "pyright answers about Python and says what a change broke [A-LSP-02][A-LSP-03][A-LSP-05]",
  async () => {
    await using ws = await workspace({
      "pyproject.toml": "",
      "shape.py": 'def area(side: int) -> int:\n    """The area of a square."""\n    return side * side\n',
      "main.py": "from shape import area\n\nbig: int = area(3)\n",
    });
    await using bench = editBench(ws, {
      servers: { pyright: PYRIGHT_SERVER!, basedpyright: { disabled: true } },
    });
    const edited = await bench.edit("main.py", "big: int", "big: str");
    expect(edited.text).toMatch(
      /Diagnostics \(pyright\): 1 new error:\nmain\.py:3:12: error: Type "int" is not/,
    );
    const place = { line: 3, column: 12 };
    expect(await bench.ask.definition("main.py", place, bench.signal)).toMatchObject({
      state: "answer",
      value: [{ path: "shape.py", line: 1, column: 5, outside: false }],
    });
    const hover = await bench.ask.hover("main.py", place, bench.signal);
    expect(hover.state === "answer" && hover.value).toContain("The area of a square.");
    const symbols = await bench.ask.symbols("shape.py", bench.signal);
    expect(symbols.state === "answer" && symbols.value[0]).toMatchObject({
      name: "area",
      kind: "function",
      line: 1,
    });
  },
);
