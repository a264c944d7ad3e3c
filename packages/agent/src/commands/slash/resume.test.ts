import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import { noUsage, type Usage } from "../../contract/messages.ts";
import { type FoundSummary, resumeCommand, type SessionSummary } from "./resume.ts";
import { type SessionFacts, sessionCommand } from "./session.ts";
import { completed, type RunOptions, run } from "./test-support/run-command.ts";

const NOW = Date.UTC(2026, 6, 25, 12);
const HERE: SessionSummary[] = [
  session("20260725-aaa", "Fix the parser", { current: true, updated: NOW }),
  session("20260724-bbb", "Write the docs", { messages: 40 }),
  session("20260723-ccc", undefined, { model: "openai/gpt-5" }),
];
const ELSEWHERE = session("20260101-ddd", "Another project", { cwd: "/home/me/other" });

function session(id: string, title: string | undefined, more: Partial<SessionSummary>): SessionSummary {
  return {
    id,
    ...(title === undefined ? {} : { title }),
    cwd: "/home/me/project",
    updated: NOW - 2 * 86_400_000,
    model: "anthropic/claude-sonnet-5-5",
    current: false,
    ...more,
  };
}

function world(sessions: readonly SessionSummary[] = HERE, spoken: readonly FoundSummary[] = []) {
  const opened: string[] = [];
  const ports = {
    clock: { now: () => NOW },
    sessions: {
      list: async (all: boolean) => (all ? [...sessions, ELSEWHERE] : sessions),
      search: async (words: string) => spoken.filter(({ snippet }) => snippet.includes(words)),
      async open(id: string) {
        opened.push(id);
        return { messages: 40, notes: id.endsWith("ccc") ? ["its model cannot run now"] : [] };
      },
    },
  };
  return {
    opened,
    ports,
    send: (argument: string, options?: RunOptions) => run(resumeCommand, argument, ports, options),
  };
}

test("/resume lets one choose among this project's sessions, the latest other one first", async () => {
  const { send, opened } = world();
  const { dialogs, said } = await send("", { answers: ["Write the docs"] });
  const question = dialogs.choices[0]!;
  expect(question.choices.map((choice) => choice.label)).toEqual([
    "Fix the parser (open now)",
    "Write the docs",
    "(no title)",
  ]);
  expect(question.choices[1]?.description).toBe(
    "2 days ago · 40 messages · anthropic/claude-sonnet-5-5 · 20260724-bbb",
  );
  expect(question.initial).toBe(1);
  expect(opened).toEqual(["20260724-bbb"]);
  expect(said).toBe('Session 20260724-bbb "Write the docs" goes on with 40 messages.');
});

test("a dismissed choice keeps this conversation", async () => {
  const { send, opened } = world();
  expect(await send("", { answers: [null] })).toMatchObject({
    failed: false,
    said: "This conversation stays open.",
  });
  expect(opened).toEqual([]);
});

test("/resume opens the session that an id or its start names", async () => {
  const { send, opened } = world();
  await send("20260724");
  expect(opened).toEqual(["20260724-bbb"]);
});

test("/resume finds an id of another project without `all`", async () => {
  const { send, opened } = world();
  await send("20260101-ddd");
  expect(opened).toEqual(["20260101-ddd"]);
});

test("words narrow the list; one hit is opened at once", async () => {
  const { send, opened } = world();
  await send("DOCS the");
  expect(opened).toEqual(["20260724-bbb"]);
  const { dialogs } = await send("claude", { answers: [null] });
  expect(dialogs.choices[0]?.choices).toHaveLength(2);
});

test("`all` looks in every project and shows its folder", async () => {
  const { send, opened } = world();
  const { dialogs } = await send("all", { answers: ["Another"] });
  expect(dialogs.choices[0]?.choices.at(-1)?.description).toContain("/home/me/other");
  await send("all another");
  expect(opened).toEqual(["20260101-ddd", "20260101-ddd"]);
});

test("words that were said in a session of any project are found, shown with their line, and never opened unasked [A-SESS-04]", async () => {
  const { send, opened } = world(HERE, [{ ...ELSEWHERE, snippet: "…the zebra crossing…" }]);
  const { dialogs } = await send("zebra", { answers: [null] });
  expect(opened).toEqual([]);
  const [choice] = dialogs.choices[0]!.choices;
  expect(choice?.label).toBe("Another project");
  expect(choice?.description).toStartWith("…the zebra crossing…");
  expect(choice?.description).toContain("/home/me/other");
  await send("zebra", { answers: ["Another"] });
  expect(opened).toEqual(["20260101-ddd"]);
});

test("a session that is found by its title and by what was said in it is listed once", async () => {
  const docs = HERE[1]!;
  const { dialogs } = await world(HERE, [
    { ...docs, snippet: "docs" },
    { ...ELSEWHERE, snippet: "docs too" },
  ]).send("docs", { answers: [null] });
  expect(dialogs.choices[0]!.choices.map(({ label }) => label)).toEqual([
    "Write the docs",
    "Another project",
  ]);
});

test("what nothing matches is said, with how to look further", async () => {
  const { said, failed } = await world().send("zebra");
  expect(failed).toBe(true);
  expect(said).toContain('No session of this project matches "zebra"');
  expect(said).toContain("/resume all");
});

test("where only the open session is saved there is nothing to choose", async () => {
  const { said, dialogs } = await world(HERE.slice(0, 1)).send("");
  expect(dialogs.choices).toEqual([]);
  expect(said).toContain("no other saved session");
});

test("a project without sessions says so", async () => {
  expect(await world([]).send("")).toMatchObject({ failed: false });
});

test("the session that is open is not opened again", async () => {
  const { send, opened } = world();
  expect((await send("20260725")).said).toContain("is the one that is open");
  expect(opened).toEqual([]);
});

test("what could not be restored is told", async () => {
  expect((await world().send("20260723")).said).toContain("its model cannot run now");
});

test("a session that another process has is refused by its error", async () => {
  const { ports } = world();
  ports.sessions.open = async () => {
    throw new PiError({ code: "session_locked", message: "in use by process 4711" });
  };
  await expect(run(resumeCommand, "20260724", ports)).rejects.toThrow("in use by process 4711");
});

test("Esc while sessions are listed opens nothing", async () => {
  const { send, opened } = world();
  const controller = new AbortController();
  controller.abort();
  await send("20260724", { controller });
  expect(opened).toEqual([]);
});

test("/resume completes ids with their titles", async () => {
  expect(await completed(resumeCommand, "2026072", world().ports)).toEqual(["20260724-bbb", "20260723-ccc"]);
});

const USAGE: Usage = {
  ...noUsage(),
  input: 1_000,
  cache_read: 9_000,
  output: 500,
  total: 10_500,
  cost_usd: 0.0042,
};

function facts(more: Partial<SessionFacts> = {}): SessionFacts {
  return {
    id: "20260725-aaa",
    folder: "~/.pi-go/sessions/20260725-aaa",
    title: "Fix the parser",
    branch: "main",
    branches: 1,
    started: new Date(2026, 6, 25, 14, 3).getTime(),
    model: "anthropic/claude-sonnet-5-5",
    cwd: "/home/me/project",
    messages: { user: 3, assistant: 10, results: 1_200 },
    usage: USAGE,
    ...more,
  };
}

async function sessionWith(argument: string, state: SessionFacts, answers?: RunOptions["answers"]) {
  const titles: string[] = [];
  const { ports, opened } = world();
  const outcome = await run(
    sessionCommand,
    argument,
    {
      ...ports,
      session: {
        facts: () => state,
        async rename(title: string) {
          titles.push(title);
          return title.slice(0, 20);
        },
      },
    },
    answers === undefined ? {} : { answers },
  );
  return { ...outcome, titles, opened };
}

test("/session shows what this session is, with messages, tokens and cost [A-TUI-02]", async () => {
  const { said } = await sessionWith("", facts());
  expect(said.split("\n")).toEqual([
    "id | 20260725-aaa",
    "saved in | ~/.pi-go/sessions/20260725-aaa",
    "title | Fix the parser",
    "branch | main",
    "project | /home/me/project",
    "started | 2026-07-25 14:03",
    "model | anthropic/claude-sonnet-5-5",
    "messages | 1,213: 3 yours, 10 of the model, 1,200 of tools",
    "tokens | 10,500: 10,000 in (9,000 from the cache), 500 out",
    "cost | $0.0042",
  ]);
});

test("/session does not invent what it does not know", async () => {
  const { cost_usd: _cost, ...unpriced } = USAGE;
  const { folder: _folder, title: _title, model: _model, ...rest } = facts({ usage: unpriced, branches: 3 });
  const { said } = await sessionWith("", rest);
  expect(said).toContain("saved in | nothing is saved");
  expect(said).toContain("title | none yet: /session name TITLE");
  expect(said).toContain("branch | main (of 3: /branch list)");
  expect(said).toContain("cost | not known");
});

test("/session name gives a title, and says it as it was kept", async () => {
  const { said, titles } = await sessionWith("name  A title that is a little long", facts());
  expect(titles).toEqual(["A title that is a little long"]);
  expect(said).toBe('This session is called "A title that is a li" now.');
});

test.each(["name", "delete"])("/session %s is refused", async (argument) => {
  const { failed, titles } = await sessionWith(argument, facts());
  expect({ failed, titles }).toEqual({ failed: true, titles: [] });
});

test("/session list is /resume", async () => {
  expect((await sessionWith("list docs", facts())).opened).toEqual(["20260724-bbb"]);
});
