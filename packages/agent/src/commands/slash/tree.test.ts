import { expect, test } from "bun:test";
import { type FakeMoves, fakeMoves, row } from "./test-support/fake-moves.ts";
import { type RunOptions, run } from "./test-support/run-command.ts";
import { treeCommand } from "./tree.ts";

const ROWS = [
  row("p1", { forks: true, label: "start" }),
  row("p2", { depth: 1, current: false, branches: ["idea"], compactions: ["summary"] }),
  row("p3", { here: true, branches: ["main"] }),
];

function send(argument: string, options?: RunOptions, fake: FakeMoves = {}) {
  const { ports, done } = fakeMoves({ rows: ROWS, ...fake });
  return run(treeCommand, argument, ports, options).then((result) => ({ ...result, done }));
}

test("/tree shows forks, branches, names, compactions and where one is, and can be filtered [A-TUI-02][A-SESS-02]", async () => {
  const { dialogs } = await send("", { answers: [null] });
  const [question] = dialogs.choices;
  expect(question!.choices.map(({ label, description }) => `${label} | ${description}`)).toEqual([
    "○ [start] prompt p1 | forks · 1 h ago",
    "│ · prompt p2 | branch idea · summarised · 1 h ago",
    "● prompt p3 | you are here · branch main · 1 h ago",
  ]);
  expect([question!.initial, question!.filter]).toEqual([2, true]);
});

test("a branch's end is switched to, a place within is gone on from, and one can go back to before it", async () => {
  expect((await send("", { answers: ["p2", 'Switch to branch "idea"'] })).done).toEqual([
    "look after p2",
    "go conversation []",
  ]);
  expect((await send("", { answers: ["p1", "Go on after its answer"] })).said).toContain(
    'You are after "prompt p1".',
  );
  expect((await send("", { answers: ["p1", "Go back to before it"] })).done[0]).toBe("look before p1");
});

test("going to another way offers a summary of what is left behind; going back to before a message does too [A-SESS-02]", async () => {
  const fake: FakeMoves = { view: { leaves: 3 } };
  const away = await send("", { answers: ["p2", "Switch to branch", "with a summary of them"] }, fake);
  expect(away.done).toEqual(["look after p2", "summarise", "go conversation [] with the notes"]);
  const back = await send("", { answers: ["p1", "Go back to before it", "Just go"] }, fake);
  expect(back.done).toEqual(["look before p1", "go conversation []"]);
  const stays = await send("", { answers: ["p1", "Go back to before it", null] }, fake);
  expect(stays).toMatchObject({ said: "You stay where you are.", done: ["look before p1"] });
});

test("where one is already, only files can differ", async () => {
  const here = await send("", { answers: ["p3", "Bring the files back"] }, { view: { moves: false } });
  expect(here.said).toBe("You are there already, and no file differs.");
  const files = [{ path: "a.txt", kind: "clean" as const }];
  const differs = await send(
    "",
    { answers: ["p3", "Bring the files back", true] },
    { view: { moves: false, files } },
  );
  expect(differs.done).toEqual(["look after p3", "go stays [a.txt]"]);
});

test("a new session begins at any place", async () => {
  const { done, said } = await send("", { answers: ["p1", "Begin a new session"] });
  expect(done).toEqual(["fork after p1"]);
  expect(said).toContain("newid");
});

test("/tree label NAME names the place where one is; an empty answer takes a name away", async () => {
  expect((await send("label  before the   storm")).done).toEqual(["label p3 before the storm"]);
  expect((await send("label", { answers: ["calm"] })).done).toEqual(["label p3 calm"]);
  const renamed = await send("", { answers: ["p1", "Change its name", ""] });
  expect(renamed.dialogs.texts[0]!.initial).toBe("start");
  expect(renamed.done).toEqual(["label p1 "]);
  expect((await send(`label ${"x".repeat(61)}`)).failed).toBe(true);
});

test("/tree of an empty conversation, and unknown words, say what there is", async () => {
  expect((await send("", {}, { rows: [] })).said).toBe("Nothing has been said yet.");
  expect((await send("climb")).failed).toBe(true);
});
