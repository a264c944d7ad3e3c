import { expect, test } from "bun:test";
import type { CommandBlock } from "../../../contract/command.ts";
import { dialogScreen, KEY } from "../test-support/dialog-screen.ts";
import { testTheme, testThemes } from "../test-support/plain-theme.ts";
import { AWKWARD, tooWide } from "../test-support/widths.ts";
import { renderCommandBlocks } from "./command-blocks.ts";
import { ConfirmDialog } from "./confirm-dialog.ts";
import type { DialogEnvironment } from "./dialog-view.ts";
import { Pager } from "./pager.ts";
import { TextDialog } from "./text-dialog.ts";

const BLOCKS: CommandBlock[] = [
  { kind: "text", text: "Plain text." },
  {
    kind: "table",
    head: ["name", "state"],
    rows: [
      ["github", "ready"],
      ["files", "failed"],
    ],
  },
  { kind: "markdown", text: "# Title\n\nSome **bold** text." },
  { kind: "diff", text: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n" },
];
const environment = (rows: number): DialogEnvironment => ({
  themes: testThemes("colourless"),
  rows: () => rows,
  renderBlocks: renderCommandBlocks,
});

test("a confirmation shows its blocks and the words of its answers", async () => {
  using screen = dialogScreen(40, 30);
  const answer = screen.host.confirm({ title: "Apply?", detail: BLOCKS, yes: "Apply it", no: "Leave it" });
  await Promise.resolve();
  const rows = await screen.dock();
  expect(rows.slice(1, 6)).toEqual(["Plain text.", "", "name    state", "github  ready", "files   failed"]);
  expect(rows.at(-2)).toStartWith("Enter Apply it   Esc Leave it");
  screen.type(KEY.enter);
  expect(await answer).toBe(true);
});

test("what is confirmed can be scrolled before the answer", async () => {
  using screen = dialogScreen(40, 16);
  const text = Array.from({ length: 30 }, (_, row) => `row ${row}`).join("\n");
  const answer = screen.host.confirm({ title: "Apply?", detail: [{ kind: "text", text }] });
  await Promise.resolve();
  await screen.dock();
  screen.type(KEY.end);
  expect((await screen.dock()).at(-3)).toBe("row 29");
  screen.type("n");
  expect(await answer).toBe(false);
});

test("letters that come as key codes answer too", async () => {
  using screen = dialogScreen();
  const answer = screen.host.confirm({ title: "Apply?" });
  await Promise.resolve();
  screen.type("\x1b[121u");
  expect(await answer).toBe(true);
});

test("one line of text can be typed, edited and pasted; line breaks and control characters of a paste are dropped", async () => {
  using screen = dialogScreen();
  const answer = screen.host.ask({ title: "Name", initial: "ab" });
  await Promise.resolve();
  screen.type("c", KEY.left, KEY.left, "X", KEY.paste("1\n2\x1b[31m\x07"));
  expect((await screen.dock())[1]).toBe("aX12[31mbc");
  screen.type(KEY.enter);
  expect(await answer).toBe("aX12[31mbc");
});

test("a secret is drawn as dots, and never otherwise", async () => {
  using screen = dialogScreen();
  const answer = screen.host.ask({ title: "Key", secret: true });
  await Promise.resolve();
  screen.type(KEY.paste("sk-secret"), KEY.left, "é");
  expect((await screen.dock())[1]).toBe("••••••••••");
  screen.type(KEY.enter);
  expect(await answer).toBe("sk-secreét");
  expect(screen.terminal.written.join("")).not.toContain("sk-");
});

test("a secret that is longer than the row keeps its cursor in view", () => {
  const dialog = new TextDialog(environment(8), { title: "k", secret: true }, () => undefined);
  dialog.focused = true;
  dialog.handleInput(KEY.paste("x".repeat(500)));
  for (const width of [1, 2, 10, 80]) expect(dialog.render(width)[1]).toContain("_pi:c");
});

test("the pager pages, and searches whatever the case is", async () => {
  using screen = dialogScreen(40, 10);
  const text = Array.from({ length: 60 }, (_, row) =>
    row % 20 === 19 ? `Needle ${row}` : `row ${row}`,
  ).join("\n");
  const closed = screen.host.page("Help", [{ kind: "text", text }]);
  await Promise.resolve();
  expect(await screen.dock()).toEqual([
    `─ Help ${"─".repeat(21)} 1-6 of 60 ─`,
    ...[0, 1, 2, 3, 4, 5].map((row) => `row ${row}`),
    "Esc closes   PgUp/PgDn reads on",
    "status",
  ]);
  screen.type(KEY.pageDown);
  expect((await screen.dock())[1]).toBe("row 5");
  screen.type("/", ..."nEEdle");
  expect((await screen.dock()).at(-2)).toBe("/nEEdle");
  expect((await screen.dock())[6]).toBe("Needle 19");
  screen.type(KEY.enter, "n");
  expect((await screen.dock())[6]).toBe("Needle 39");
  expect((await screen.dock())[7]).toStartWith("Esc ends the search   n/N");
  screen.type("N", "N");
  expect(await screen.dock()).toContain("Needle 59");
  screen.type(KEY.escape);
  expect(screen.host.isOpen).toBe(true);
  screen.type(KEY.escape);
  await closed;
});

test("the wheel scrolls the pager and not the transcript", async () => {
  using screen = dialogScreen(40, 10);
  const text = Array.from({ length: 60 }, (_, row) => `row ${row}`).join("\n");
  const closed = screen.host.page("Help", [{ kind: "text", text }]);
  await Promise.resolve();
  await screen.dock();
  screen.type(KEY.wheel("down", 2, 4), KEY.wheel("down", 2, 4));
  expect((await screen.dock())[1]).toBe("row 2");
  screen.type("q");
  await closed;
});

test("the added and removed rows of a diff have their colours", () => {
  const theme = testTheme("dark");
  const rows = renderCommandBlocks([BLOCKS[3]!], 40, theme);
  expect(rows).toContain(theme.color.diffAdded("+new"));
  expect(rows).toContain(theme.color.diffRemoved("-old"));
});

test("a table that is too wide wraps its widest column", () => {
  const rows = renderCommandBlocks(
    [{ kind: "table", head: ["key", "does"], rows: [["Ctrl+C", "clears what was typed, else interrupts"]] }],
    24,
    testTheme("colourless"),
  );
  expect(rows.map((row) => row.trimEnd())).toEqual([
    "key     does",
    "Ctrl+C  clears what was",
    "        typed, else",
    "        interrupts",
  ]);
});

test("no row is wider than the terminal at any width, at any height [T03]", () => {
  const awkward: CommandBlock[] = [
    { kind: "text", text: AWKWARD },
    { kind: "table", head: [AWKWARD, "b"], rows: [[AWKWARD, AWKWARD, "c"], []] },
    { kind: "markdown", text: `# ${AWKWARD}\n\n| a | b |\n|---|---|\n| ${AWKWARD} | c |\n` },
    { kind: "diff", text: `+${AWKWARD}\n-${AWKWARD}` },
  ];
  const done = () => undefined;
  for (const rows of [3, 8, 40]) {
    const pager = new Pager(environment(rows), AWKWARD, awkward, done);
    const searching = new Pager(environment(rows), "t", awkward, done);
    for (const key of ["/", "日"]) searching.handleInput(key);
    const secret = new TextDialog(
      environment(rows),
      { title: AWKWARD, secret: true, initial: AWKWARD },
      done,
    );
    for (const view of [
      pager,
      searching,
      secret,
      new TextDialog(environment(rows), { title: AWKWARD, initial: AWKWARD }, done),
      new ConfirmDialog(
        environment(rows),
        { title: AWKWARD, detail: awkward, yes: AWKWARD, no: AWKWARD },
        done,
      ),
    ]) {
      expect(tooWide(view)).toEqual([]);
      expect(view.render(50).length).toBeLessThanOrEqual(rows);
    }
  }
});
