import { expect, test } from "bun:test";
import { clearCommand } from "./clear.ts";
import { exitCommand } from "./exit.ts";
import { restartCommand } from "./restart.ts";
import { run } from "./test-support/run-command.ts";

function ports(messages: number, onDisk = true) {
  const done: string[] = [];
  return {
    done,
    session: {
      stand: () => ({ id: "20260725-old", messages, onDisk }),
      async fresh() {
        done.push("fresh");
        return "20260725-new";
      },
    },
    program: { quit: () => void done.push("quit"), restart: () => void done.push("restart") },
  };
}

test("/clear starts a fresh conversation and says how to come back to the old one [A-TUI-02]", async () => {
  const world = ports(12);
  const { said } = await run(clearCommand, "", world);
  expect(world.done).toEqual(["fresh"]);
  expect(said).toContain("A fresh conversation (20260725-new)");
  expect(said).toContain("(20260725-old, 12 messages) is kept; /resume 20260725-old");
});

test("/clear leaves an empty conversation as it is", async () => {
  const world = ports(0);
  await run(clearCommand, "", world);
  expect(world.done).toEqual([]);
});

test.each([
  [false, []],
  [true, ["fresh"]],
])("/clear asks before an unsaved conversation is lost (%p)", async (answer, done) => {
  const world = ports(3, false);
  const { dialogs, said } = await run(clearCommand, "", world, { answers: [answer] });
  expect(dialogs.confirms[0]?.title).toContain("its 3 messages will be lost");
  expect(world.done).toEqual(done);
  expect(said).not.toContain("/resume");
});

test("/restart says that it comes back with this conversation", async () => {
  const world = ports(4);
  const { said } = await run(restartCommand, "", world);
  expect(world.done).toEqual(["restart"]);
  expect(said).toContain("comes back with this conversation (20260725-old)");
});

test("/restart promises no conversation where there is none", async () => {
  expect((await run(restartCommand, "", ports(0))).said).toContain("an empty conversation");
});

test.each([
  [false, []],
  [true, ["restart"]],
])("/restart asks before an unsaved conversation is lost (%p)", async (answer, done) => {
  const world = ports(2, false);
  await run(restartCommand, "", world, { answers: [answer] });
  expect(world.done).toEqual(done);
});

test("/exit ends the program", async () => {
  const world = ports(1);
  await run(exitCommand, "", world);
  expect(world.done).toEqual(["quit"]);
});
