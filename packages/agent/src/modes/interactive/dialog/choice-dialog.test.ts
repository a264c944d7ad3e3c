import { expect, test } from "bun:test";
import type { ChoiceQuestion } from "../../../contract/slash-command.ts";
import { dialogScreen, KEY } from "../test-support/dialog-screen.ts";
import { testThemes } from "../test-support/plain-theme.ts";
import { AWKWARD, tooWide } from "../test-support/widths.ts";
import { ChoiceDialog } from "./choice-dialog.ts";
import { renderCommandBlocks } from "./command-blocks.ts";

const many = Array.from({ length: 100 }, (_, index) => ({
  value: `v${index}`,
  label: `model-${index}`,
  description: `provider ${index % 3}`,
}));

async function open<T>(question: ChoiceQuestion<T>, rows = 16) {
  const screen = dialogScreen(60, rows);
  const answer = screen.host.choose(question);
  await Promise.resolve();
  return { ...screen, screen, answer };
}

test("a long list is bounded to the screen, and tells how long it is", async () => {
  const { screen, dock } = await open({ title: "Model", choices: many });
  using _ = screen;
  expect(await dock()).toEqual([
    `─ Model ${"─".repeat(44)} 1/100 ─`,
    "type to filter",
    "› model-0   provider 0",
    "  model-1   provider 1",
    "  model-2   provider 2",
    "  model-3   provider 0",
    "  model-4   provider 1",
    "Enter chooses   Esc closes",
    "status",
  ]);
});

test("arrows go round; pages, Home and End do not", async () => {
  const { screen, dock, type, answer } = await open({ title: "Model", choices: many, initial: 1 });
  using _ = screen;
  const marked = async () => (await dock()).find((row) => row.startsWith("›"))?.split(" ")[1];
  expect(await marked()).toBe("model-1");
  type(KEY.up, KEY.up);
  expect(await marked()).toBe("model-99");
  type(KEY.pageDown);
  expect(await marked()).toBe("model-99");
  type(KEY.home);
  expect(await marked()).toBe("model-0");
  type(KEY.pageDown);
  expect(await marked()).toBe("model-5");
  type(KEY.end, KEY.down, KEY.enter);
  expect(await answer).toBe("v0");
});

test("typing filters label and description, and what is not there cannot be chosen", async () => {
  const { screen, dock, type, answer } = await open({ title: "Model", choices: many });
  using _ = screen;
  type(..."model-42");
  expect((await dock()).slice(1, 4)).toEqual([
    "model-42",
    "› model-42  provider 0",
    "Enter chooses   Esc closes",
  ]);
  type("x", KEY.enter);
  expect((await dock())[2]).toBe("nothing fits what you typed");
  type(KEY.backspace, KEY.enter);
  expect(await answer).toBe("v42");
});

test("a short list is not filtered by typing", async () => {
  const { screen, type, answer } = await open({ title: "Q", choices: many.slice(0, 3) });
  using _ = screen;
  type("2", KEY.enter);
  expect(await answer).toBe("v0");
});

test("the wheel moves the mark, a click marks, a double click chooses", async () => {
  const { screen, dock, type, terminal, answer } = await open({ title: "Q", choices: many });
  using _ = screen;
  await dock();
  const rows = await terminal.screen();
  const at = (label: string) => rows.findIndex((row) => row.includes(label));
  type(KEY.wheel("down", 3, at("model-1")), KEY.wheel("down", 3, at("model-1")));
  expect((await dock())[4]).toStartWith("› model-2");
  const row = at("model-1");
  type(KEY.press(3, row), KEY.release(3, row));
  expect((await dock())[3]).toStartWith("› model-1");
  type(KEY.press(3, row), KEY.release(3, row));
  expect(await answer).toBe("v1");
});

test("a detail that is too long is scrolled, and the choices stay in view", async () => {
  const detail = Array.from({ length: 40 }, (_, row) => `detail ${row}`).join("\n");
  const { screen, dock, type } = await open({ title: "Q", detail, choices: many.slice(0, 2) });
  using _ = screen;
  expect(await dock()).toEqual([
    `─ Q ${"─".repeat(44)} 1-4 of 40 ─`,
    ...[0, 1, 2, 3].map((row) => `detail ${row}`),
    "› model-0  provider 0",
    "  model-1  provider 1",
    "Enter chooses   Esc closes   PgUp/PgDn reads on",
    "status",
  ]);
  type(KEY.pageDown);
  expect((await dock())[1]).toBe("detail 3");
  type(KEY.end);
  expect((await dock())[4]).toBe("detail 39");
});

test("no row is wider than the terminal at any width, at any height, and nothing acts [T03]", () => {
  for (const rows of [3, 5, 8, 30]) {
    const dialog = new ChoiceDialog(
      { themes: testThemes("colourless"), rows: () => rows, renderBlocks: renderCommandBlocks },
      {
        title: AWKWARD,
        detail: AWKWARD.repeat(4),
        choices: many.map((choice) => ({ ...choice, label: AWKWARD, description: AWKWARD })),
      },
      () => undefined,
    );
    expect(tooWide(dialog)).toEqual([]);
    for (let width = 1; width <= 200; width += 7)
      expect(dialog.render(width).length).toBeLessThanOrEqual(rows);
    expect(dialog.render(100).join("")).not.toContain("\x1b[31m");
  }
});
