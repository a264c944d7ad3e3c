import { expect, test } from "bun:test";
import type { CommandResult, ParsedArguments } from "../contract/command.ts";
import type { SessionRow, SessionsPorts } from "./sessions/sessions-ports.ts";
import { sessionsCommand } from "./sessions.ts";
import { wordsOf } from "./slash/test-support/scripted-dialogs.ts";

const NOW = Date.UTC(2026, 6, 25, 12);
const HOUR = 3_600_000;

function row(id: string, title: string | undefined, more: Partial<SessionRow> = {}): SessionRow {
  return {
    id,
    ...(title === undefined ? {} : { title }),
    cwd: "/home/me/project",
    created: NOW - 5 * HOUR,
    updated: NOW - 2 * HOUR,
    mode: "interactive",
    model: "claude-x",
    provider: "anthropic",
    ...more,
  };
}

const ROWS = [
  row("aaa", "Fix the parser"),
  row("bbb", undefined, { foreign: "pi-go", cwd: "/home/me/other" }),
];

function world(more: Partial<SessionsPorts["sessions"]> = {}) {
  const calls: unknown[][] = [];
  const note =
    <T>(name: string, value: T) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given.filter((each) => !(each instanceof AbortSignal))]);
      return value;
    };
  const sessions: SessionsPorts["sessions"] = {
    clock: { now: () => NOW },
    list: note("list", ROWS),
    show: note("show", {
      ...ROWS[0]!,
      folder: "/home/me/.pi-go/sessions/aaa",
      bytes: 1_234_567,
      branch: "main",
      branches: [
        { name: "main", messages: 30 },
        { name: "try", messages: 12 },
      ],
      messages: { user: 2, assistant: 10, results: 18 },
      tokens: 12_345,
      costUsd: 0.5,
      prompts: [
        { time: NOW - HOUR, text: "Fix the\nparser" },
        { time: null, text: "Go on" },
      ],
    }),
    search: note("search", {
      hits: [{ ...ROWS[0]!, snippet: "…the parser is wrong…", places: 3 }],
      more: false,
      unread: 2,
    }),
    export: note("export", { id: "aaa", file: "/home/me/a.html", bytes: 2_000 }),
    find: note("find", ROWS[0]!),
    remove: note("remove", undefined),
    import: note("import", { session: ROWS[0]!, messages: 7, notes: ["1 label was left out."] }),
    confirm: note("confirm", true),
    ...more,
  };
  return { calls, ports: { sessions } };
}

async function run(
  words: string,
  options: ParsedArguments["options"] = {},
  { ports } = world(),
): Promise<CommandResult & { said: string }> {
  const parsed = { words: words.split(" ").filter((word) => word !== ""), options };
  const result = await sessionsCommand.run(parsed, ports, new AbortController().signal);
  return { ...result, said: wordsOf(result.blocks) };
}

test("list shows this project's sessions with titles; --all those of every project with their folders", async () => {
  const here = world();
  expect((await run("list", {}, here)).said).toBe(
    "id | updated | title | model\naaa | 2 h ago | Fix the parser | claude-x\nbbb | 2 h ago | (no title) (of pi-go) | claude-x",
  );
  const all = world();
  expect((await run("", { all: true }, all)).said).toContain("/home/me/other");
  expect([...here.calls, ...all.calls]).toEqual([
    ["list", false],
    ["list", true],
  ]);
});

test("a subagent's session says whose it was, in the list and as JSON [A-SUB-03]", async () => {
  const child = row("ccc", "explore-a1b2c: find it", { mode: "subagent", parentSession: "aaa" });
  const listed = () => world({ list: async () => [child] });
  expect((await run("list", { all: true }, listed())).said).toContain(
    "explore-a1b2c: find it (subagent of aaa)",
  );
  expect((await run("list", { all: true, json: true }, listed())).data).toMatchObject({
    sessions: [{ id: "ccc", mode: "subagent", parent_session: "aaa" }],
  });
});

test("list shows the latest 50, says how many there are, and gives all as JSON", async () => {
  const many = () =>
    world({ list: async () => Array.from({ length: 120 }, (_, index) => row(`s${index}`, "t")) });
  const { said, data } = await run("list", {}, many());
  expect(said.split("\n")).toHaveLength(52);
  expect(said).toContain("70 older sessions: --limit 120 shows all.");
  expect(data).toMatchObject({ total: 120, sessions: { length: 50 } });
  expect((await run("list", { limit: "2" }, many())).said).toContain("118 older sessions");
  expect((await run("list", { json: true }, many())).data).toMatchObject({ sessions: { length: 120 } });
});

test("a project without sessions says how to see the others", async () => {
  expect((await run("list", {}, world({ list: async () => [] }))).said).toContain(
    "--all lists those of every project",
  );
});

test("show tells what a session is and what was asked in it", async () => {
  const { said, data } = await run("show aa");
  for (const line of [
    "title | Fix the parser",
    "saved in | /home/me/.pi-go/sessions/aaa (1.2 MB)",
    "messages | 30: 2 yours, 10 of the model, 18 of tools",
    "tokens | 12,345",
    "cost | $0.50",
    "other branches | try (12)",
    " | Go on",
  ])
    expect(said).toContain(line);
  expect(said).toContain("pi --session aaa");
  expect(data).toMatchObject({
    id: "aaa",
    bytes: 1_234_567,
    cost_usd: 0.5,
    prompts: [{ text: "Fix the\nparser" }, { time: null }],
  });
});

test("search shows each session with a line of it, and says what was not searched yet", async () => {
  const searched = world();
  const { said, exitCode, data } = await run("search the parser", { limit: "5", full: true }, searched);
  expect(searched.calls).toEqual([["search", "the parser", { limit: 5, whole: true }]]);
  expect(said).toContain("aaa  Fix the parser  (2 h ago, /home/me/project)\n    …the parser is wrong…");
  expect(said).toContain("2 sessions not searched yet");
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({ hits: [{ id: "aaa", places: 3 }], unread: 2 });
  const nothing = world({ search: async () => ({ hits: [], more: false, unread: 0 }) });
  expect(await run("search zebra", {}, nothing)).toMatchObject({
    exitCode: 1,
    said: 'No session has "zebra".',
  });
});

const exports: [ParsedArguments["options"], object][] = [
  [{}, { format: "html", output: null, redact: true }],
  [{ format: "md" }, { format: "markdown", output: null, redact: true }],
  [{ output: "a.json" }, { format: "json", output: "a.json", redact: true }],
  [
    { output: "-", format: "json", "no-redact": true },
    { format: "json", output: "-", redact: false },
  ],
];
test.each(exports)("export %o asks for what it says", async (options, expected) => {
  const asked = world();
  await run("export aaa", options, asked);
  expect(asked.calls).toEqual([["export", "aaa", expected]]);
});

test("export says where the document is and that it was redacted; to stdout it says nothing", async () => {
  const { said } = await run("export aaa");
  expect(said).toContain("/home/me/a.html (2 KB)");
  expect(said).toContain("key or a password was taken out");
  const out = world({ export: async () => ({ id: "aaa", file: null, bytes: 1 }) });
  expect((await run("export aaa", {}, out)).said).toBe("");
});

test("delete asks, and deletes only after a yes", async () => {
  const yes = world();
  expect((await run("delete aa", {}, yes)).said).toBe(
    'Deleted session aaa, "Fix the parser", of /home/me/project.',
  );
  expect(yes.calls.map(([name]) => name)).toEqual(["find", "confirm", "remove"]);
  const no = world({ confirm: async () => false });
  expect(await run("delete aa", {}, no)).toMatchObject({ exitCode: 1, said: "Nothing was deleted." });
  expect(no.calls.map(([name]) => name)).toEqual(["find"]);
});

test("delete without a terminal needs --yes, which asks nothing", async () => {
  const nobody = world({ confirm: async () => null });
  await expect(run("delete aa", {}, nobody)).rejects.toThrow(
    "was not deleted: there is no terminal to ask on",
  );
  const sure = world();
  await run("delete aa", { yes: true }, sure);
  expect(sure.calls.map(([name]) => name)).toEqual(["find", "remove"]);
});

test("import says what came of it and what was left out", async () => {
  const { said } = await run("import some.jsonl");
  expect(said).toBe(
    'Imported "Fix the parser" with 7 messages as session aaa.\n1 label was left out.\nGo on: pi --session aaa',
  );
});

const mistakes: [string, ParsedArguments["options"], string][] = [
  ["lst", {}, '"pi sessions lst" is none of its forms'],
  ["constructor", {}, "is none of its forms"],
  ["show", {}, "wants one word after it"],
  ["list all", {}, "wants nothing after it"],
  ["list", { yes: true }, "has no option --yes"],
  ["list", { limit: "0" }, '--limit wants a number from 1 on, not "0"'],
  ["export aaa", { format: "pdf" }, 'no export format "pdf"'],
  ["export aaa", { output: "" }, "--output wants the name of a file"],
];
test.each(mistakes)("pi sessions %s %o is refused with exit code 2", async (words, options, message) => {
  await expect(run(words, options)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(message),
  });
});

test("a sentence that begins with the word is a prompt", () => {
  const accepts = (words: string) => sessionsCommand.accepts({ words: words.split(" "), options: {} });
  expect(accepts("are lost after a crash")).toBe(false);
  expect(accepts("list all my open files")).toBe(false);
  expect(accepts("search what we said about it")).toBe(true);
});
