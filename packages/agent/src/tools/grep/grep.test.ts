import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { link, workspace } from "@pi-ts/testkit";
import { runTool } from "../shared/test-support/file-tool-context.ts";
import { ENGINES, processToolContext } from "../shared/test-support/search-context.ts";
import { createGrepTool } from "./grep.ts";

const LITERALS = "foo(bar\na{,2}\n\\d+ 42\nalpha BETA\nab ac\ninterface {\n";

for (const [name, findRipgrep] of Object.entries(ENGINES))
  describe(name, () => {
    const grep = createGrepTool(findRipgrep);

    test("matches are grouped by file with line numbers and a true total [A-TOOL-05]", async () => {
      await using ws = await workspace({ "src/a.ts": "one\nneedle 1\n", "b.txt": "needle 2\nneedle 3\n" });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle \\d" });
      expect(outcome.text).toBe(
        "3 matches in 2 files\nb.txt\n  1: needle 2\n  2: needle 3\nsrc/a.ts\n  2: needle 1",
      );
      expect(outcome.details["total_matches"]).toBe(3);
      expect(outcome.details["matches"]).toContainEqual({ file: "src/a.ts", line: 2, content: "needle 1" });
    });

    test("a glob keeps the search to matching files", async () => {
      await using ws = await workspace({ "a.ts": "x\n", "b.js": "x\n", "d/c.ts": "x\n" });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "x", glob: "*.ts" });
      expect(outcome.text).toBe("2 matches in 2 files\na.ts\n  1: x\nd/c.ts\n  1: x");
    });

    test("nothing found says which ignored places were not searched and how to search them [S01]", async () => {
      await using ws = await workspace({
        ".gitignore": "build/\n*.log\n",
        "build/out.js": "needle\n",
        "x.log": "needle\n",
        "a.ts": "hay\n",
      });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.outcome).toBe("empty");
      expect(outcome.isError).toBe(false);
      expect(outcome.text).toMatch(
        /^0 matches in the project\nnot searched: 2 ignored by \.gitignore \(build\/?, x\.log\); all: true/,
      );
      const all = await runTool(grep, context, { pattern: "needle", all: true });
      expect(all.details["total_matches"]).toBe(2);
    });

    test("hidden files are searched, the git folder is not [S01]", async () => {
      await using ws = await workspace(
        { ".github/w.yml": "needle\n", ".env.example": "needle=\n" },
        { git: true },
      );
      ws.write(".git/needle", "needle\n");
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toBe(
        "2 matches in 2 files\n.env.example\n  1: needle=\n.github/w.yml\n  1: needle",
      );
    });

    test("an ignored place that is named is searched with all that is in it [S01]", async () => {
      await using ws = await workspace({ ".gitignore": "build/\n*.log\n", "build/a.log": "needle\n" });
      await using context = processToolContext(ws.path, ws.env());
      for (const path of ["build", "build/a.log", join(ws.path, "build")]) {
        const outcome = await runTool(grep, context, { pattern: "needle", path });
        expect(outcome.text).toBe("1 match in 1 file\nbuild/a.log\n  1: needle");
      }
    });

    test("secret files are counted, never shown; naming one is refused [X04]", async () => {
      await using ws = await workspace({
        ".env": "API_KEY=s3cret\n",
        "a.txt": "API_KEY is read from .env\n",
      });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "API_KEY" });
      expect(outcome.text).not.toContain("s3cret");
      expect(outcome.text).toContain("not shown: 1 secret files");
      const only = await runTool(grep, context, { pattern: "s3cret" });
      expect(only.outcome).toBe("not_looked");
      const named = await runTool(grep, context, { pattern: "s3cret", path: ".env" });
      expect(named).toMatchObject({ isError: true, outcome: "not_looked" });
      expect(named.text).not.toContain("s3cret");
    });

    test("files that rules keep back are counted, never shown, unless the call names their place [X04]", async () => {
      await using ws = await workspace({ "private/a.txt": "needle s3cret\n", "b.txt": "needle\n" });
      await using opened = processToolContext(ws.path, ws.env());
      const context = { ...opened, mayShow: (path: string) => !path.startsWith("private") };
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toStartWith("1 match in 1 file\nb.txt");
      expect(outcome.text).toContain("not shown: 1 secret files (.env, keys, or kept by rules of the user)");
      const named = await runTool(grep, context, { pattern: "needle", path: "private" });
      expect(named.text).toContain("s3cret");
    });

    const table: [string, string[]][] = [
      ["foo\\(", ["foo(bar"]],
      ["\\d+", ["a{,2}", "\\d+ 42"]],
      ["[[:alpha:]]{5}", ["alpha BETA", "interface {"]],
      ["(?i)beta", ["alpha BETA"]],
      ["a(?=c)\\w$", ["ab ac"]],
      ["interface {", ["interface {"]],
      ["a{,2}", ["a{,2}"]],
      ["\\-|\\bab\\b", ["ab ac"]],
      ["^a.*c$", ["ab ac"]],
    ];
    for (const [pattern, lines] of table)
      test(`the pattern ${pattern} means the same in both engines [S02]`, async () => {
        await using ws = await workspace({ "f.txt": LITERALS });
        await using context = processToolContext(ws.path, ws.env());
        const outcome = await runTool(grep, context, { pattern });
        const found = outcome.details["matches"] as { content: string }[];
        expect(found.map((match) => match.content)).toEqual(lines);
      });

    for (const pattern of ["foo(", "[a", "a{2,1}", "(?<n"])
      test(`the invalid pattern ${pattern} is refused with the way out [S02]`, async () => {
        await using ws = await workspace({ "f.txt": LITERALS });
        await using context = processToolContext(ws.path, ws.env());
        const outcome = await runTool(grep, context, { pattern });
        expect(outcome).toMatchObject({ isError: true, outcome: "failed" });
        expect(outcome.text).toStartWith(`not a valid regular expression: ${pattern}\n`);
        expect(outcome.text).toEndWith("literal: true");
      });

    test("literal text is searched as it stands, also when it looks like an option [S02]", async () => {
      await using ws = await workspace({ "f.txt": `${LITERALS}--pre=evil\n` });
      await using context = processToolContext(ws.path, ws.env());
      const text = (pattern: string) =>
        runTool(grep, context, { pattern, literal: true }).then((outcome) => outcome.text);
      expect(await text("foo(")).toContain("foo(bar");
      expect(await text("\\d+")).toContain("\\d+ 42");
      expect(await text("--pre=evil")).toContain("--pre=evil");
    });

    test("braces that repeat nothing are taken literally, and that is said [S02]", async () => {
      await using ws = await workspace({ "f.txt": LITERALS });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "a{,2}" });
      expect(outcome.text).toContain('"{" at position 2 begins no repetition');
    });

    test("200 of many matches are shown, spread over the files, in one order [S05][A-TOOL-05]", async () => {
      const files = Object.fromEntries(
        Array.from({ length: 30 }, (_, index) => [
          `f${String(index).padStart(2, "0")}.txt`,
          "needle\n".repeat(index === 0 ? 1_000 : 10),
        ]),
      );
      await using ws = await workspace(files);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toStartWith("200 of 1,290 matches in 30 files");
      expect(outcome.details).toMatchObject({ total_matches: 1_290, truncated: true });
      const shown = outcome.details["matches"] as { file: string }[];
      expect(shown).toHaveLength(200);
      expect(new Set(shown.map((match) => match.file)).size).toBe(30);
      expect((await runTool(grep, context, { pattern: "needle" })).text).toBe(outcome.text);
    });

    test("one enormous line is cut and does not flood the result [F12]", async () => {
      await using ws = await workspace({ "one.json": `${"x".repeat(3_000_000)} needle` });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.details["total_matches"]).toBe(1);
      expect(outcome.text.length).toBeLessThan(1_000);
    });

    test("link loops are not followed and nothing is found twice [S04]", async () => {
      await using ws = await workspace({ "a/x.txt": "needle\n", "a/loop": link(".."), self: link("self") });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toBe("1 match in 1 file\na/x.txt\n  1: needle");
    });

    test("names with spaces, colons, quotes and leading dashes come back whole", async () => {
      const names = ["ü b.txt", 'a"b.txt', "c:1:d.txt", "-n.txt"];
      await using ws = await workspace(Object.fromEntries(names.map((file) => [file, "needle\n"])));
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      const found = outcome.details["matches"] as { file: string }[];
      expect(found.map((match) => match.file).sort()).toEqual(names.sort());
    });

    test("a place outside of the project is refused, a missing one named", async () => {
      await using ws = await workspace({ "a.txt": "x\n" });
      await using context = processToolContext(ws.path, ws.env());
      expect(await runTool(grep, context, { pattern: "x", path: "../outside" })).toMatchObject({
        isError: true,
        details: { code: "file_outside" },
      });
      const missing = await runTool(grep, context, { pattern: "x", path: "nope" });
      expect(missing).toMatchObject({ isError: true, outcome: "failed" });
      expect(missing.text).toContain("nope");
    });

    test.if(process.getuid?.() !== 0)("an unreadable folder is counted, not fatal [S07]", async () => {
      await using ws = await workspace({ "locked/x.txt": "needle\n", "a.txt": "needle\n" });
      chmodSync(join(ws.path, "locked"), 0);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      chmodSync(join(ws.path, "locked"), 0o755);
      expect(outcome.text).toContain("could not be read: 1");
      expect(outcome.details["total_matches"]).toBe(1);
    });

    test("an interrupted search says that nothing is known [S07]", async () => {
      await using ws = await workspace({ "a.txt": "needle\n" });
      await using context = processToolContext(ws.path, ws.env(), AbortSignal.abort());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome).toMatchObject({ isError: true, outcome: "failed" });
    });

    test("UTF-16 text is searched, binary files are not", async () => {
      await using ws = await workspace({
        "w.txt": new Uint8Array(Buffer.from("\ufeffneedle ü\n", "utf16le")),
        "b.bin": new Uint8Array([0, 1, 2, ...Buffer.from("needle")]),
      });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect((outcome.details["matches"] as { file: string }[]).map((match) => match.file)).toEqual([
        "w.txt",
      ]);
    });
  });
