import { expect, test } from "bun:test";
import { PromptBench, SOME_COMMANDS } from "./test-support/prompt-bench.ts";

const ENTER = "\r";
const TAB = "\t";
const ESC = "\x1b";
const DOWN = "\x1b[B";

const open = (bench: PromptBench) => bench.until(() => bench.editor.isMenuOpen);
const menu = (bench: PromptBench) =>
  bench
    .lines()
    .slice(3)
    .map((line) => line.trimEnd());

function commandBench(): PromptBench {
  return new PromptBench({
    commands: () => SOME_COMMANDS,
    completeArgument: async (name, argument) =>
      (name === "model" ? ["anthropic/one", "openai/two"] : ["main", "feature"])
        .filter((value) => value.includes(argument))
        .map((value) => ({ value, label: value })),
  });
}

test("a slash at the start of the message opens the menu of commands with what they do [A-TUI-02]", async () => {
  using bench = commandBench();
  bench.type("/");
  await open(bench);
  expect(menu(bench)[0]).toMatch(/^→ help +About help$/);
  expect(menu(bench)[2]).toMatch(/^ {2}model +\[provider\/model \| role\] {2}About model$/);
});

test("a slash in a sentence opens nothing", async () => {
  using bench = commandBench();
  bench.type("look at /");
  await Promise.resolve();
  expect(bench.editor.isMenuOpen).toBe(false);
});

test("Enter in each state of a command that is being typed", async () => {
  // typed, wait for the menu, keys -> what is sent, what stands there
  const table: readonly [string, boolean, readonly string[], readonly string[], string][] = [
    ["/help", true, [ENTER], ["/help"], ""],
    ["/HELP", true, [ENTER], ["/HELP"], ""],
    ["/model", true, [ENTER], ["/model"], ""],
    ["/quit", true, [ENTER], ["/quit"], ""],
    ["/he", true, [ENTER], ["/help"], ""],
    ["/new", true, [ENTER], ["/new"], ""],
    ["/qui", true, [ENTER], ["/exit"], ""],
    ["/mod", true, [ENTER], [], "/model "],
    ["/mdl", true, [ENTER], [], "/model "],
    ["/", true, [DOWN, ENTER], ["/clear"], ""],
    ["/", true, [DOWN, DOWN, ENTER], [], "/model "],
    // typed faster than the menu can open
    ["/he", false, [ENTER], ["/help"], ""],
    ["/mod", false, [ENTER], [], "/model "],
    // nothing fits, or the menu was closed on purpose
    ["/zzz", false, [ENTER], ["/zzz"], ""],
    ["/he", true, [ESC, ENTER], ["/he"], ""],
    ["/usr/bin", false, [ENTER], ["/usr/bin"], ""],
    ["/help me", false, [ENTER], ["/help me"], ""],
  ];
  for (const [typed, wait, keys, sent, left] of table) {
    using bench = commandBench();
    bench.type(typed);
    if (wait) await open(bench);
    for (const key of keys) bench.type(key);
    expect([typed, bench.sent.map(({ input }) => input.text), bench.text]).toEqual([typed, [...sent], left]);
  }
});

test("Tab puts the name in, with a space when an argument may follow", async () => {
  for (const [typed, text] of [
    ["/he", "/help"],
    ["/mo", "/model "],
  ] as const) {
    using bench = commandBench();
    bench.type(typed);
    await open(bench);
    bench.type(TAB);
    expect(bench.text).toBe(text);
    expect(bench.sent).toEqual([]);
  }
});

test("Escape closes the menu and nothing else, and typing opens it again", async () => {
  using bench = commandBench();
  bench.type("/m");
  await open(bench);
  bench.type(ESC);
  expect([bench.text, bench.editor.isMenuOpen, bench.actions]).toEqual(["/m", false, []]);
  bench.type("o");
  await open(bench);
  expect(menu(bench)[0]).toContain("model");
});

test("the argument of a command is completed by the command, and the menu opens behind its name", async () => {
  using bench = commandBench();
  bench.type("/mod");
  await open(bench);
  bench.type(TAB);
  await open(bench);
  expect(menu(bench).map((line) => line.slice(2))).toEqual(["anthropic/one", "openai/two"]);
  bench.type("two");
  await bench.until(() => menu(bench)[0]?.includes("openai/two") === true);
  bench.type(ENTER);
  expect([bench.text, bench.sent]).toEqual(["/model openai/two", []]);
  bench.type(ENTER);
  expect(bench.sent[0]).toMatchObject({ input: { text: "/model openai/two" }, kind: "command" });
});

test("Enter runs a command whose argument is empty or typed out, also with the menu open", async () => {
  for (const argument of ["", "main"]) {
    using bench = commandBench();
    bench.type("/branc");
    await open(bench);
    bench.type(TAB);
    await open(bench);
    bench.type(argument);
    await bench.until(() => menu(bench).length === (argument === "" ? 2 : 1));
    bench.type(ENTER);
    expect(bench.sent.map(({ input }) => input.text)).toEqual([`/branch ${argument}`.trim()]);
  }
});

test("an argument that is typed faster than its menu follows is sent as typed", async () => {
  using bench = commandBench();
  bench.type("/branc");
  await open(bench);
  bench.type(TAB);
  await open(bench);
  bench.type("mai").type(ENTER);
  expect(bench.sent.map(({ input }) => input.text)).toEqual(["/branch mai"]);
});

test("the menu has at most 25 rows, and no more than the screen", async () => {
  const commands = Array.from({ length: 60 }, (_, index) => ({
    ...SOME_COMMANDS[0]!,
    name: `command${index}`,
  }));
  for (const [rows, most] of [
    [60, 25],
    [24, 17],
    [12, 5],
  ] as const) {
    using bench = new PromptBench({ rows, commands: () => commands });
    bench.type("/");
    await open(bench);
    expect(menu(bench).filter((line) => line.includes("command")).length).toBe(most);
    bench.type("\x1b[6~");
    expect(menu(bench).find((line) => line.startsWith("→"))).toContain(`command${most}`);
    bench.type("\x1b[5~");
    expect(menu(bench)[0]).toMatch(/^→ command0 /);
  }
});

function fileBench(files: readonly string[], asked: string[] = []): PromptBench {
  return new PromptBench({
    commands: () => SOME_COMMANDS,
    findFiles: async (query) => {
      asked.push(query);
      return files.filter((path) => path.toLowerCase().includes(query.toLowerCase()));
    },
  });
}

test("@ completes files of the project; names with spaces are quoted", async () => {
  for (const [files, typed, text] of [
    [["src/main.ts"], "read @mai", "read @src/main.ts "],
    [["my notes.md"], "read @not", 'read @"my notes.md" '],
    [["my notes.md"], 'read @"my n', 'read @"my notes.md" '],
    [["it's.md"], "(@it", '(@"it\'s.md" '],
    [["日本.md"], "@日", "@日本.md "],
  ] as const) {
    using bench = fileBench(files);
    bench.type(typed);
    await open(bench);
    bench.type(TAB);
    expect(bench.text).toBe(text);
  }
});

test("after a folder the completion goes on in it, also inside of quotes", async () => {
  for (const [folder, file, text] of [
    ["src/", "src/main.ts", "@src/main.ts "],
    ["my docs/", "my docs/a.md", '@"my docs/a.md" '],
  ] as const) {
    using bench = fileBench([folder, file]);
    bench.type(`@${folder.slice(0, 2)}`);
    await open(bench);
    bench.type(TAB);
    await open(bench);
    bench.type(DOWN).type(ENTER);
    expect(bench.text).toBe(text);
    expect(bench.sent).toEqual([]);
  }
});

test("typing never waits for the search of files: one that never answers is aborted by the next", async () => {
  const signals: AbortSignal[] = [];
  using bench = new PromptBench({
    findFiles: (query, _limit, signal) => {
      signals.push(signal);
      return query === "abc" ? Promise.resolve(["abc.ts"]) : new Promise(() => undefined);
    },
  });
  bench.type("@a");
  while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve));
  bench.type("bc");
  expect(bench.text).toBe("@abc");
  await open(bench);
  expect(signals[0]!.aborted).toBe(true);
  expect(menu(bench)[0]).toContain("abc.ts");
});

test("a search that fails offers nothing and the editor lives on", async () => {
  let asked = 0;
  using bench = new PromptBench({
    findFiles: async () => {
      asked++;
      throw new Error("no disk");
    },
  });
  bench.type("@a");
  while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
  bench.type("b");
  expect([bench.text, bench.editor.isMenuOpen]).toEqual(["@ab", false]);
});

test("a shell line has no menu of commands or mentions; Tab completes paths, quoted for the shell", async () => {
  for (const [typed, files, text] of [
    ["!cat no", ["my notes.md"], "!cat 'my notes.md' "],
    ["!!cat a", ["a$b.txt"], "!!cat 'a$b.txt' "],
    ["!cat it", ["it's"], "!cat 'it'\\''s' "],
    ["!rm r", ["-rf"], "!rm ./-rf "],
    ["!cat ./s", ["src.ts"], "!cat ./src.ts "],
    ["!x --file=s", ["src.ts"], "!x --file=src.ts "],
  ] as const) {
    using bench = fileBench(files);
    bench.type(typed);
    bench.type(TAB);
    await bench.until(() => bench.text !== typed);
    expect(bench.text).toBe(text);
  }
  const asked: string[] = [];
  using bench = fileBench(["src/main.ts"], asked);
  bench.type("!git log @sr").type("\x15").type("!/he");
  await Promise.resolve();
  expect([bench.editor.isMenuOpen, asked]).toEqual([false, []]);
});

test("Tab in a sentence completes the path before the cursor", async () => {
  using bench = fileBench(["src/main.ts"]);
  bench.type("fix src/ma").type(TAB);
  await bench.until(() => bench.text.endsWith(" "));
  expect(bench.text).toBe("fix src/main.ts ");
});

test("names that no line can hold, or that nobody can see, are not offered [X06]", async () => {
  using bench = fileBench(["a\nb.ts", "a\x1b[31m.ts", "a\u202ets.exe", "a\u{e0041}.ts", "ab.ts"]);
  bench.type("@a");
  await open(bench);
  expect(menu(bench)).toHaveLength(1);
  expect(menu(bench)[0]).toContain("ab.ts");
});
