import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { link, runProcess, workspace } from "@pi-ts/testkit";
import { runTool } from "../shared/test-support/file-tool-context.ts";
import { ENGINES, processToolContext } from "../shared/test-support/search-context.ts";
import { createGrepTool } from "./grep.ts";

const NUL_LATE = Buffer.concat([
  Buffer.from("needle early\n"),
  Buffer.alloc(300_000, "abc\n"),
  Buffer.from("\0\nneedle late\n"),
]);

for (const [name, findRipgrep] of Object.entries(ENGINES))
  describe(name, () => {
    const grep = createGrepTool(findRipgrep);
    const globs: [glob: string, path: string | undefined, files: string[]][] = [
      ["**", undefined, ["a.ts", "src/b.ts", "src/deep/c.ts"]],
      ["*", undefined, ["a.ts", "src/b.ts", "src/deep/c.ts"]],
      ["", undefined, ["a.ts", "src/b.ts", "src/deep/c.ts"]],
      ["./src/*.ts", undefined, ["src/b.ts"]],
      ["src", undefined, ["src/b.ts", "src/deep/c.ts"]],
      ["src/", undefined, ["src/b.ts", "src/deep/c.ts"]],
      ["deep/*.ts", "src", ["src/deep/c.ts"]],
      ["src/deep/*.ts", "src", ["src/deep/c.ts"]],
      ["!*.ts", undefined, []],
      ["!src/**", undefined, ["a.ts"]],
      ["*.log", undefined, []],
      ["node_modules/**", undefined, []],
      [".git/**", undefined, []],
      ["a.ts", "src", []],
    ];
    for (const [glob, path, files] of globs)
      test(`the glob ${JSON.stringify(glob)} in ${path ?? "."} means the same files, and never ignored ones or .git [S01]`, async () => {
        await using ws = await workspace({
          "a.ts": "needle",
          "src/b.ts": "needle",
          "src/deep/c.ts": "needle",
          "x.log": "needle",
          "node_modules/p/i.ts": "needle",
          ".gitignore": "*.log\nnode_modules/\n",
          ".git/needle.ts": "needle",
        });
        await using context = processToolContext(ws.path, ws.env());
        const input = { pattern: "needle", glob, ...(path === undefined ? {} : { path }) };
        const outcome = await runTool(grep, context, input);
        const matches = outcome.details["matches"] as { file: string }[];
        expect(matches.map((match) => match.file)).toEqual(files);
      });

    test("an absolute glob inside the project works, and one with an open bracket is refused with the cause [S02]", async () => {
      await using ws = await workspace({ "src/b.ts": "needle" });
      await using context = processToolContext(ws.path, ws.env());
      const absolute = await runTool(grep, context, { pattern: "needle", glob: `${ws.path}/src/**` });
      expect(absolute.details["total_matches"]).toBe(1);
      for (const glob of ["{a,b", "[", "a}"]) {
        const outcome = await runTool(grep, context, { pattern: "needle", glob });
        expect([outcome.outcome, outcome.isError]).toEqual(["failed", true]);
        expect(outcome.text).toContain(JSON.stringify(glob));
      }
    });

    test("a folder with brackets in its name is searched by a glob below it [S02]", async () => {
      await using ws = await workspace({ "app/[id]/x/p.ts": "needle" });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle", path: "app/[id]", glob: "x/*.ts" });
      expect(outcome.details["total_matches"]).toBe(1);
    });

    test("a file that turns binary after matches says that the rest was not searched [S01][F15]", async () => {
      await using ws = await workspace({});
      ws.write("late.log", NUL_LATE);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toContain("binary from some place on and searched only up to there: late.log");
      expect(outcome.details["total_matches"]).toBe(1);
      const named = await runTool(grep, context, { pattern: "needle", path: "late.log" });
      expect(named.details["total_matches"]).toBe(2);
    });

    test("a line beside a NUL is found in a file that is named, and told where none is [S01][F15]", async () => {
      await using ws = await workspace({
        "a.log": "one\nneedle 1\n\0\0\nneedle 2 \0\n",
        "b.txt": "two\n",
        "c.bin": "\0no",
      });
      await using context = processToolContext(ws.path, ws.env());
      const named = await runTool(grep, context, { pattern: "needle", path: "a.log" });
      expect(named.text.split("\n").slice(2)).toEqual(["  2: needle 1", "  4: needle 2 \\x00"]);
      const anywhere = await runTool(grep, context, { pattern: "needle 2" });
      expect(anywhere.outcome).toBe("not_looked");
      expect(anywhere.text).toMatch(
        /^0 matches.*\nbinary files that match, .*: 1 \(a\.log\); give such a file as path/,
      );
      const nowhere = await runTool(grep, context, { pattern: "needle 3" });
      expect([nowhere.outcome, nowhere.text]).toEqual(["empty", "0 matches in the project"]);
    });

    test("a file name with a line feed is one name [G01]", async () => {
      await using ws = await workspace({ "new\nline.txt": "needle", "b.txt": "needle" });
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect((outcome.details["matches"] as { file: string }[]).map((match) => match.file)).toEqual([
        "b.txt",
        "new\nline.txt",
      ]);
      expect(outcome.text).toContain("\nnew\\nline.txt\n");
    });

    test("bytes that are no UTF-8 show as what they are [F03]", async () => {
      await using ws = await workspace({});
      ws.write("a.txt", Buffer.from("needle \xff\xe9\n", "latin1"));
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toEndWith("1: needle \\xFF\\xE9");
    });

    test.skipIf(process.platform === "win32")(
      "a FIFO that is named, also by a link, is refused and not waited for [S07]",
      async () => {
        await using ws = await workspace({ link: link("fifo") });
        await runProcess(["mkfifo", ws.at("fifo")]);
        await using context = processToolContext(ws.path, ws.env());
        for (const path of ["fifo", "link"]) {
          const outcome = await runTool(grep, context, { pattern: "x", path });
          expect([outcome.outcome, outcome.details["code"]]).toEqual(["failed", "file_special"]);
        }
      },
    );

    test("a NUL in the pattern is refused with its cause [S02]", async () => {
      await using ws = await workspace({});
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "a\0b" });
      expect(outcome.text).toContain("NUL character");
      expect(outcome.isError).toBe(true);
    });

    const patterns: [pattern: string, matches: number][] = [
      ["\\<one", 1],
      ["one\\>", 1],
      ["[\\<]", 1],
      ["\\\\<", 1],
      ["[]]", 1],
      ["\\x{6f}ne two", 1],
    ];
    for (const [pattern, matches] of patterns)
      test(`the pattern ${pattern} means the same with both engines [S02]`, async () => {
        await using ws = await workspace({ "a.txt": "one two\nstones\n]\\<\n" });
        await using context = processToolContext(ws.path, ws.env());
        const outcome = await runTool(grep, context, { pattern });
        expect(outcome.details["total_matches"]).toBe(matches);
      });

    test("rules of folders above count only where git would obey them [S01]", async () => {
      // A home folder under version control ignores everything that is not asked for.
      await using ws = await workspace({ ".gitignore": "*\n", "p/a.txt": "needle", "p/src/b.txt": "needle" });
      await using alone = processToolContext(`${ws.path}/p`, ws.env());
      for (const path of [".", "src"]) {
        const outcome = await runTool(grep, alone, { pattern: "needle", path });
        expect(outcome.details["total_matches"]).toBe(path === "." ? 2 : 1);
      }
      await runProcess(["git", "init", "-q"], { cwd: ws.path, env: ws.env() });
      await using inside = processToolContext(`${ws.path}/p`, ws.env());
      expect((await runTool(grep, inside, { pattern: "needle" })).details["total_matches"]).toBe(2);
    });

    test("a search of thousands of ignored places counts all of them [S05]", async () => {
      const files: Record<string, string> = { ".gitignore": "*.log\n" };
      for (let index = 0; index < 3_000; index++) files[`logs/a-rather-long-name-${index}.log`] = "needle";
      await using ws = await workspace(files);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle" });
      expect(outcome.text).toContain("not searched: 3,000 ignored by .gitignore");
    });

    test("a link loop beside a glob ends [S04]", async () => {
      await using ws = await workspace({ "d/a.ts": "needle" });
      symlinkSync("..", `${ws.path}/d/loop`);
      await using context = processToolContext(ws.path, ws.env());
      const outcome = await runTool(grep, context, { pattern: "needle", glob: "**/*.ts" });
      expect(outcome.details["total_matches"]).toBe(1);
    });
  });

test("a pattern that would keep the built-in engine busy for years is given up, and the answer says where [S02][S07]", async () => {
  await using ws = await workspace({ "a.txt": `${"ab,".repeat(20_000)}\n`, "b.txt": "end =\n" });
  await using context = processToolContext(ws.path, ws.env());
  const grep = createGrepTool(ENGINES["built-in"], { patienceMs: 300 });
  const outcome = await runTool(grep, context, { pattern: "(.*)(.*)(.*)(.*)=$" });
  expect(outcome.text).toContain("a.txt: the pattern takes too long on it");
  expect(outcome.details["matches"]).toEqual([{ file: "b.txt", line: 1, content: "end =" }]);
});

test("a file on which ripgrep gives up is named, and the other matches stay [S02]", async () => {
  await using ws = await workspace({ "a.txt": `${"a".repeat(45)}c b\n`, "b.txt": "aaa\n" });
  await using context = processToolContext(ws.path, ws.env());
  const outcome = await runTool(createGrepTool(ENGINES.ripgrep), context, { pattern: "(?=a)(a+)+$" });
  expect(outcome.text).toContain("could not be read: 1 (a.txt: PCRE2: error matching: match limit exceeded");
  expect(outcome.details["total_matches"]).toBe(1);
});
