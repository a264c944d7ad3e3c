import { expect, test } from "bun:test";
import { dialogScreen, KEY } from "../test-support/dialog-screen.ts";

const choices = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: index, label: `choice ${index}` }));

test("a question takes the editor's place; then the editor has it back, with its draft and the keys", async () => {
  using screen = dialogScreen();
  expect(await screen.dock()).toEqual(["> draft", "status"]);
  const answer = screen.host.choose({ title: "Which?", choices: choices(3) });
  await Promise.resolve();
  expect(await screen.dock()).toEqual([
    `─ Which? ${"─".repeat(51)}`,
    "› choice 0",
    "  choice 1",
    "  choice 2",
    "Enter chooses   Esc closes",
    "status",
  ]);
  screen.type("x", KEY.down, KEY.enter);
  expect(await answer).toBe(1);
  screen.type("!");
  expect(screen.editor.getValue()).toBe("!draft");
  expect(await screen.dock()).toEqual(["> !draft", "status"]);
});

test.each([
  ["Esc", KEY.escape],
  ["Ctrl+C", KEY.controlC],
])("%s dismisses each kind of question and quits nothing [T06]", async (_name, key) => {
  using screen = dialogScreen();
  const choice = screen.host.choose({ title: "a", choices: choices(2) });
  await Promise.resolve();
  screen.type(key);
  expect(await choice).toBeNull();
  const text = screen.host.ask({ title: "b", initial: "typed" });
  await Promise.resolve();
  screen.type(key);
  expect(await text).toBeNull();
  const yes = screen.host.confirm({ title: "c" });
  await Promise.resolve();
  screen.type(key);
  expect(await yes).toBe(false);
  const page = screen.host.page("d", [{ kind: "text", text: "x" }]);
  await Promise.resolve();
  screen.type(key);
  await page;
  expect(screen.editor.getValue()).toBe("draft");
});

test("questions come one at a time, in their order", async () => {
  using screen = dialogScreen();
  const first = screen.host.ask({ title: "first" });
  const second = screen.host.ask({ title: "second" });
  await Promise.resolve();
  expect((await screen.dock())[0]).toStartWith("─ first ");
  screen.type("1", KEY.enter);
  expect(await first).toBe("1");
  await Bun.sleep(0);
  expect((await screen.dock())[0]).toStartWith("─ second ");
  screen.type("2", KEY.enter);
  expect(await second).toBe("2");
  expect(screen.opened).toEqual(["first", null, "second", null]);
});

test("an aborted question closes, whether it is open or waits", async () => {
  using screen = dialogScreen();
  const [open, waiting] = [new AbortController(), new AbortController()];
  const first = screen.host.choose({ title: "first", choices: choices(2) }, open.signal);
  const second = screen.host.confirm({ title: "second" }, waiting.signal);
  const third = screen.host.ask({ title: "third" });
  waiting.abort();
  expect(await second).toBe(false);
  open.abort();
  expect(await first).toBeNull();
  await Bun.sleep(0);
  expect((await screen.dock())[0]).toStartWith("─ third ");
  screen.type(KEY.enter);
  expect(await third).toBe("");
  expect(await screen.host.ask({ title: "x" }, AbortSignal.abort())).toBeNull();
});

test("dismissing all answers the open question and those that wait", async () => {
  using screen = dialogScreen();
  const all = [
    screen.host.ask({ title: "1" }),
    screen.host.ask({ title: "2" }),
    screen.host.ask({ title: "3" }),
  ];
  await Promise.resolve();
  screen.host.dismissAll();
  expect(await Promise.all(all)).toEqual([null, null, null]);
  expect(await screen.dock()).toEqual(["> draft", "status"]);
});

test("nobody comes between questions that belong together", async () => {
  using screen = dialogScreen();
  const pair = screen.host.together(async (dialogs) => [
    await dialogs.ask({ title: "pair 1" }),
    await dialogs.ask({ title: "pair 2" }),
  ]);
  const other = screen.host.ask({ title: "other" });
  for (let index = 0; index < 3; index++) {
    await Bun.sleep(0);
    screen.type(String(index), KEY.enter);
  }
  expect(await pair).toEqual(["0", "1"]);
  expect(await other).toBe("2");
});

test("keys within the guard time answer nothing, Esc still closes, and the next question has no guard", async () => {
  using screen = dialogScreen();
  const answer = screen.host.together(
    async (dialogs) => [
      await dialogs.choose({ title: "unasked", choices: choices(2) }),
      await dialogs.ask({ title: "then" }),
    ],
    { guardMs: 400 },
  );
  await Promise.resolve();
  screen.type(KEY.enter);
  screen.after(399);
  screen.type(KEY.down, KEY.enter);
  expect(screen.host.isOpen).toBe(true);
  screen.after(1);
  screen.type(KEY.enter);
  await Bun.sleep(0);
  screen.type("a", KEY.enter);
  expect(await answer).toEqual([0, "a"]);
  const dismissed = screen.host.together((dialogs) => dialogs.choose({ title: "x", choices: choices(2) }), {
    guardMs: 400,
  });
  await Promise.resolve();
  screen.type(KEY.escape);
  expect(await dismissed).toBeNull();
});

test("what is typed on while a question comes up answers nothing, however long it is, nor does Enter behind it", async () => {
  using screen = dialogScreen();
  const answer = screen.host.together(
    (dialogs) => dialogs.choose({ title: "unasked", choices: choices(2) }),
    {
      guardMs: 400,
    },
  );
  await Promise.resolve();
  for (const letter of "still typing this") {
    screen.after(300);
    screen.type(letter);
  }
  screen.after(300);
  screen.type(KEY.enter);
  expect(screen.host.isOpen).toBe(true);
  // After a pause for thought, the rest of the sentence.
  screen.after(5_000);
  screen.type("and", KEY.paste(" more"));
  screen.after(900);
  screen.type(KEY.enter);
  expect(screen.host.isOpen).toBe(true);
  screen.after(101);
  screen.type(KEY.down, KEY.enter);
  expect(await answer).toBe(1);
});

test("a question works on 20 columns and 5 rows, with a row of the transcript left", async () => {
  using screen = dialogScreen(20, 5);
  const answer = screen.host.choose({
    title: "A title that is too long",
    detail: "detail",
    choices: choices(30),
  });
  await Promise.resolve();
  expect(await screen.dock()).toEqual(["A title that is…", "type to filter", "› choice 0", "status"]);
  screen.type("29");
  expect((await screen.dock()).at(-2)).toContain("› choice 29");
  screen.type(KEY.enter);
  expect(await answer).toBe(29);
});

test("the transcript stays where it is, and readable, while a question is open", async () => {
  using screen = dialogScreen(60, 16);
  const answer = screen.host.choose({ title: "Which?", choices: choices(100) });
  await Promise.resolve();
  screen.tui.renderNow();
  const rows = await screen.terminal.screen();
  expect(rows.filter((row) => row.startsWith("transcript "))).toHaveLength(7);
  expect(rows[6]?.trimEnd()).toBe("transcript 49");
  screen.type(KEY.escape);
  await answer;
});
