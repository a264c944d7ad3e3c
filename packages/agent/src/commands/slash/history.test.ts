import { expect, test } from "bun:test";
import { historyCommand } from "./history.ts";
import { type RunOptions, run } from "./test-support/run-command.ts";

const NOW = Date.UTC(2026, 6, 25, 12);

function world(texts: readonly string[]) {
  const drafts: string[] = [];
  const asked: boolean[] = [];
  const ports = {
    clock: { now: () => NOW },
    prompts: {
      async earlier(all: boolean) {
        asked.push(all);
        return texts.map((text, index) => ({ text, at: NOW - index * 60_000, cwd: "/home/me/other" }));
      },
      setDraft: (text: string) => void drafts.push(text),
    },
  };
  return {
    drafts,
    asked,
    send: (argument: string, options?: RunOptions) => run(historyCommand, argument, ports, options),
  };
}

test("/history puts the chosen prompt into the editor, whole, and sends nothing [A-TUI-02]", async () => {
  const { send, drafts, asked } = world(["fix it", "explain\nthe parser"]);
  const { dialogs, blocks } = await send("", { answers: ["explain"] });
  expect(dialogs.choices[0]?.choices.map(({ label, description }) => [label, description])).toEqual([
    ["fix it", "just now"],
    ["explain the parser", "1 min ago"],
  ]);
  expect(drafts).toEqual(["explain\nthe parser"]);
  expect(blocks).toEqual([]);
  expect(asked).toEqual([false]);
});

test("words must all be there, in any order and either case", async () => {
  const { send } = world(["fix the PARSER", "the parser is slow", "unrelated"]);
  const { dialogs } = await send("parser fix", { answers: [null] });
  expect(dialogs.choices[0]?.choices.map((choice) => choice.label)).toEqual(["fix the PARSER"]);
});

test("a prompt sent twice is listed once, at its latest place", async () => {
  const { send } = world(["a", "b", "a", "  "]);
  const { dialogs } = await send("", { answers: [null] });
  expect(dialogs.choices[0]?.choices.map((choice) => choice.label)).toEqual(["a", "b"]);
});

test("/history all asks for every project and shows the folder", async () => {
  const { send, asked } = world(["fix it"]);
  const { dialogs } = await send("all fix", { answers: [null] });
  expect(asked).toEqual([true]);
  expect(dialogs.choices[0]?.choices[0]?.description).toBe("just now · /home/me/other");
});

test("a dismissed choice leaves the draft alone", async () => {
  const { send, drafts } = world(["fix it"]);
  expect((await send("", { answers: [null] })).failed).toBe(false);
  expect(drafts).toEqual([]);
});

test("words that no prompt has are said", async () => {
  const { said, failed } = await world(["fix it"]).send("zebra");
  expect(failed).toBe(true);
  expect(said).toContain('No earlier prompt has "zebra".');
});

test("an empty history is no failure", async () => {
  expect((await world([]).send("")).failed).toBe(false);
});

test("a long history shows the latest and says that it does", async () => {
  const { send } = world(Array.from({ length: 1_200 }, (_, index) => `prompt ${index}`));
  const { dialogs } = await send("", { answers: [null] });
  expect(dialogs.choices[0]?.choices).toHaveLength(1_000);
  expect(dialogs.choices[0]?.title).toContain("the latest 1000 of 1200");
});
