import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { editBench } from "./test-support/edit-bench.ts";

const GOPLS = Bun.which("gopls");
const withGopls = test.skipIf(GOPLS === null || Bun.which("go") === null);

withGopls(
  "gopls formats Go, says what a change broke, and answers about it [A-LSP-01][A-LSP-02][A-LSP-03][A-LSP-05]",
  async () => {
    await using ws = await workspace({
      "go.mod": "module shapes\n\ngo 1.18\n",
      "area.go":
        "package shapes\n\n// Area is that of a square.\nfunc Area(side int) int {\n\treturn side * side\n}\n",
      "big.go": "package shapes\n\nvar Big int = Area(3)\n",
    });
    await using bench = editBench(ws, { servers: { gopls: { command: GOPLS! } } });
    const edited = await bench.edit("big.go", "var Big int = Area(3)", "var   Big string =   Area(3)");
    expect(ws.read("big.go")).toBe("package shapes\n\nvar Big string = Area(3)\n");
    expect(edited.text).toMatch(/Diagnostics \(gopls\): 1 new error:\nbig\.go:3:18: error: /);
    const place = { line: 3, column: 18 };
    expect(await bench.ask.definition("big.go", place, bench.signal)).toMatchObject({
      state: "answer",
      value: [{ path: "area.go", line: 4, column: 6, outside: false }],
    });
    const hover = await bench.ask.hover("big.go", place, bench.signal);
    expect(hover.state === "answer" && hover.value).toContain("Area is that of a square.");
    const mended = await bench.edit("big.go", "Big string", "Big int");
    expect(mended.text).toMatch(/Diagnostics \(gopls\): none left, 1 gone/);
  },
);
