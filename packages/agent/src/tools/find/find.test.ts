import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { link, runProcess, workspace } from "@pi-ts/testkit";
import { runTool } from "../shared/test-support/file-tool-context.ts";
import { ENGINES, processToolContext } from "../shared/test-support/search-context.ts";
import { createFindTool } from "./find.ts";

const FILES = {
  "a.ts": "",
  "src/b.ts": "",
  "src/deep/c.test.ts": "",
  "src/deep/d.md": "",
  ".github/w.yml": "",
  "node_modules/x/e.ts": "",
  ".gitignore": "node_modules/\n",
};

for (const [name, findRipgrep] of Object.entries(ENGINES))
  describe(name, () => {
    const find = createFindTool(findRipgrep);

    const table: [string, string[]][] = [
      ["*.ts", ["a.ts", "src/b.ts", "src/deep/c.test.ts"]],
      ["src/*.ts", ["src/b.ts"]],
      ["src/**/*.ts", ["src/b.ts", "src/deep/c.test.ts"]],
      ["**/*.{md,yml}", [".github/w.yml", "src/deep/d.md"]],
      ["[ab].ts", ["a.ts", "src/b.ts"]],
      ["src/", ["src/b.ts", "src/deep/c.test.ts", "src/deep/d.md"]],
      ["./a.ts", ["a.ts"]],
    ];
    for (const [pattern, files] of table)
      test(`the glob ${pattern} finds the same with both engines [A-TOOL-06]`, async () => {
        await using ws = await workspace(FILES);
        await using context = processToolContext(ws.path, ws.env());
        const outcome = await runTool(find, context, { pattern });
        expect(outcome.details).toMatchObject({ files, total_files: files.length });
        expect(outcome.text).toBe(files.join("\n"));
      });

    test("a folder bounds the search and its patterns count from there", async () => {
      await using ws = await workspace(FILES);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(find, context, { pattern: "deep/*.md", path: "src" });
      expect(outcome.text).toBe("src/deep/d.md");
      const absolute = await runTool(find, context, { pattern: join(ws.path, "src/*.ts") });
      expect(absolute.text).toBe("src/b.ts");
    });

    test.skipIf(process.platform !== "linux")(
      "a name that is no UTF-8 shows only its bad bytes as escapes, as ls does [F15]",
      async () => {
        await using ws = await workspace({});
        await runProcess(["bash", "-c", "touch $'caf\\xe9-\\xc3\\xa9.txt'"], { cwd: ws.path });
        await using context = processToolContext(ws.path, ws.env());
        expect((await runTool(find, context, { pattern: "*.txt" })).text).toBe("caf\\xE9-é.txt");
        await runProcess(["bash", "-c", "mkdir $'d\\xe9'; touch $'d\\xe9/in.txt'"], { cwd: ws.path });
        const below = await runTool(find, context, { pattern: "*", path: "d\\xE9" });
        expect(below.text).toBe("d\\xE9/in.txt");
      },
    );

    test("nothing found names the ignored places, and all: true looks there [S01]", async () => {
      await using ws = await workspace(FILES);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(find, context, { pattern: "e.ts" });
      expect(outcome.outcome).toBe("empty");
      expect(outcome.text).toMatch(/not searched: 1 ignored by \.gitignore \(node_modules\/?\); all: true/);
      expect((await runTool(find, context, { pattern: "e.ts", all: true })).text).toBe("node_modules/x/e.ts");
      expect((await runTool(find, context, { pattern: "e.ts", path: "node_modules" })).text).toBe(
        "node_modules/x/e.ts",
      );
    });

    test("500 of many files are shown with the true total, twice the same [S05][A-TOOL-06]", async () => {
      const many = Object.fromEntries(
        Array.from({ length: 620 }, (_, index) => [`d${index % 7}/f${index}.txt`, ""]),
      );
      await using ws = await workspace(many);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(find, context, { pattern: "*.txt" });
      expect(outcome.text).toStartWith("500 of 620 files");
      expect(outcome.details).toMatchObject({ total_files: 620, truncated: true });
      expect((await runTool(find, context, { pattern: "*.txt" })).text).toBe(outcome.text);
    });

    test("secret files are found by name [X04]", async () => {
      await using ws = await workspace({ ".env": "KEY=1\n" });
      await using context = processToolContext(ws.path, ws.env());
      expect((await runTool(find, context, { pattern: ".env*" })).text).toBe(".env");
    });

    test("link loops end [S04]", async () => {
      await using ws = await workspace({ "a/x.txt": "", "a/loop": link("..") });
      await using context = processToolContext(ws.path, ws.env());
      expect((await runTool(find, context, { pattern: "*.txt" })).text).toBe("a/x.txt");
    });

    test("a file as the place to search is refused with what to do", async () => {
      await using ws = await workspace({ "a.txt": "" });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(find, context, { pattern: "*", path: "a.txt" });
      expect(outcome).toMatchObject({ isError: true, outcome: "failed" });
    });
  });
