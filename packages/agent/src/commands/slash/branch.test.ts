import { expect, test } from "bun:test";
import { nearNames } from "../../platform/near-names.ts";
import { branchCommand } from "./branch.ts";
import { type FakeMoves, fakeMoves, NOW } from "./test-support/fake-moves.ts";
import { completed, type RunOptions, run } from "./test-support/run-command.ts";

function world(names: string[] = ["main"], current = "main", fake: FakeMoves = {}) {
  const { ports: moving, done } = fakeMoves(fake);
  const ports = {
    ...moving,
    near: nearNames,
    branches: {
      list: () =>
        names.map((name, index) => ({
          name,
          current: name === current,
          messages: 4 + index,
          updated: NOW - (index + 1) * 3_600_000,
        })),
      create: async (name: string) => void done.push(`create ${name}`),
      switch: async (name: string) => void done.push(`switch ${name}`),
      rename: async (from: string, to: string) => void done.push(`rename ${from} ${to}`),
      delete: async (name: string) => void done.push(`delete ${name}`),
    },
  };
  return {
    done,
    ports,
    send: (argument: string, options?: RunOptions) => run(branchCommand, argument, ports, options),
  };
}

test("/branch NAME makes a branch here and goes on in it, with its capitals [A-TUI-02]", async () => {
  const { send, done } = world();
  const { said } = await send("Fix/Größe-2");
  expect(done).toEqual(["create Fix/Größe-2", "switch Fix/Größe-2"]);
  expect(said).toContain("/branch switch main goes back");
});

test("/branch NAME of a branch that exists goes on with it", async () => {
  const { send, done } = world(["main", "try"]);
  await send("try");
  expect(done).toEqual(["look try", "go conversation []"]);
});

test("/branch create never switches to one that exists", async () => {
  const { send, done } = world(["main", "try"]);
  const { failed, said } = await send("create try");
  expect({ failed, done }).toEqual({ failed: true, done: [] });
  expect(said).toContain("/branch switch try");
});

test.each([
  "../escape",
  "a b",
  "-x",
  ".hidden",
  "a..b",
  "a//b",
  "x/.git",
  "ends/",
  "Delete extra",
  "x".repeat(101),
])("/branch create refuses the name %s", async (name) => {
  const { send, done } = world();
  expect((await send(`create ${name}`)).failed).toBe(true);
  expect(done).toEqual([]);
});

test.each(["list", "Switch"])("a word of the command, %s, is no name for a branch", async (name) => {
  const { send, done } = world();
  expect((await send(`create ${name}`)).said).toContain("is a word of /branch itself");
  expect(done).toEqual([]);
});

test("/branch list marks the current branch, with messages and age", async () => {
  const { said } = await world(["main", "try"], "try").send("list");
  expect(said).toContain("  main | 4 | 1 h ago");
  expect(said).toContain("* try | 5 | 2 h ago");
});

test("/branch alone lets one choose", async () => {
  const { send, done } = world(["main", "try"]);
  const { dialogs } = await send("", { answers: ["try"] });
  expect(dialogs.choices[0]?.choices[0]?.label).toBe("main (current)");
  expect(done).toEqual(["look try", "go conversation []"]);
});

test("a dismissed choice changes nothing", async () => {
  const { send, done } = world(["main", "try"]);
  expect((await send("", { answers: [null] })).failed).toBe(false);
  expect(done).toEqual([]);
});

test("/branch alone says how to make one when there is only one", async () => {
  expect((await world().send("")).said).toContain("/branch NAME makes one");
});

test("/branch switch names near branches when there is none of that name", async () => {
  const { said, failed } = await world(["main", "try-it"]).send("switch tryit");
  expect(failed).toBe(true);
  expect(said).toContain("Did you mean try-it?");
});

test("/branch switch to the current branch does nothing", async () => {
  const { send, done } = world();
  await send("switch main");
  expect(done).toEqual([]);
});

const LEAVES: FakeMoves = { view: { leaves: 5, branch: "try" } };

test("/branch switch asks whether a summary of what is left goes along, and the first answer is to just go [A-SESS-02]", async () => {
  const { send, done } = world(["main", "try"], "main", LEAVES);
  const { dialogs } = await send("switch try", { answers: ["Just go"] });
  expect(dialogs.choices[0]!.title).toBe("You leave 5 messages behind");
  expect(dialogs.choices[0]!.choices[0]!.label).toBe("Just go");
  expect(done).toEqual(["look try", "go conversation []"]);
});

test("a summary of what is left goes along on request, with a focus or without one [A-SESS-02]", async () => {
  const { send, done } = world(["main", "try"], "main", LEAVES);
  const { said } = await send("switch try", { answers: ["with a summary of them"] });
  expect(said).toContain("A summary of what you left goes along");
  await send("switch try", { answers: ["that keeps", " the schema "] });
  await send("switch try summary the tests", {});
  await send("switch try plain", {});
  expect(done.filter((step) => step !== "look try")).toEqual([
    "summarise",
    "go conversation [] with the notes",
    "summarise the schema",
    "go conversation [] with the notes",
    "summarise the tests",
    "go conversation [] with the notes",
    "go conversation []",
  ]);
});

test("a summary that fails keeps nobody: the branch is switched to without one, which is said [A-SESS-02]", async () => {
  const fake: FakeMoves = { ...LEAVES, notes: { state: "failed", why: "the model gave an empty summary" } };
  const { send, done } = world(["main", "try"], "main", fake);
  const { said, failed } = await send("switch try summary");
  expect(said).toContain("No summary went along: the model gave an empty summary.");
  expect({ failed, last: done.at(-1) }).toEqual({ failed: false, last: "go conversation []" });
});

test.each<[string, RunOptions, FakeMoves]>([
  ["Esc at the question", { answers: [null] }, LEAVES],
  ["Esc at the focus", { answers: ["that keeps", null] }, LEAVES],
  ["stopping the summary", { answers: ["of them"] }, { ...LEAVES, notes: { state: "stopped" } }],
])("%s leaves everything as it is", async (_, options, fake) => {
  const { send, done } = world(["main", "try"], "main", fake);
  expect((await send("switch try", options)).said).toBe("The branch stays as it is.");
  expect(done.filter((step) => step.startsWith("go"))).toEqual([]);
});

test("/branch switch offers to bring the files along as they were left there, and shows the diff first [A-SESS-02]", async () => {
  const files = [{ path: "a.txt", kind: "clean" as const }];
  const { send, done } = world(["main", "try"], "main", { view: { branch: "try", files } });
  const both = await send("switch try", { answers: ["Conversation and files", true] });
  expect(both.dialogs.confirms[0]!.detail).toEqual([{ kind: "diff", text: "--- a/a.txt\n+++ b/a.txt" }]);
  const { said } = await send("switch try", { answers: ["Conversation only"] });
  expect(said).toContain("Files were not touched.");
  expect(done.filter((step) => step.startsWith("go"))).toEqual([
    "go conversation [a.txt]",
    "go conversation []",
  ]);
});

test("/branch rename NEW renames the current branch, OLD NEW another one", async () => {
  const { send, done } = world(["main", "try"]);
  await send("rename trunk");
  await send("rename try second");
  expect(done).toEqual(["rename main trunk", "rename try second"]);
});

test.each(["rename main try", "rename nowhere x", "rename main a b", "rename"])(
  "/branch %s is refused",
  async (argument) => {
    const { send, done } = world(["main", "try"]);
    expect((await send(argument)).failed).toBe(true);
    expect(done).toEqual([]);
  },
);

test.each([
  [true, ["delete try"]],
  [false, []],
])("/branch delete asks first (%p)", async (answer, expected) => {
  const { send, done } = world(["main", "try"]);
  const { dialogs } = await send("delete try", { answers: [answer] });
  expect(dialogs.confirms[0]?.title).toBe('Delete branch "try" with 5 messages?');
  expect(done).toEqual(expected);
});

test("the current branch cannot be deleted", async () => {
  const { send, done } = world(["main", "try"]);
  expect((await send("delete main")).failed).toBe(true);
  expect(done).toEqual([]);
});

test("/branch completes its words and the names of branches", async () => {
  const { ports } = world(["main", "second"]);
  expect(await completed(branchCommand, "s", ports)).toEqual(["switch", "second"]);
  expect(await completed(branchCommand, "delete se", ports)).toEqual(["delete second"]);
  expect(await completed(branchCommand, "switch second s", ports)).toEqual(["switch second summary"]);
});
