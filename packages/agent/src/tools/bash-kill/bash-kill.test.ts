import { expect, test } from "bun:test";
import { leftovers, workspace } from "@pi-ts/testkit";
import { systemClock } from "../../platform/clock.ts";
import { createBackgroundCommands } from "../shared/commands/background-commands.ts";
import { commandContext } from "../shared/test-support/command-context.ts";
import { bashKillTool } from "./bash-kill.ts";

test("a background command ends with its children, and its unread output is given", async () => {
  await using ws = await workspace({});
  await using doors = commandContext(ws);
  const background = createBackgroundCommands({ clock: systemClock });
  const command = "sleep 600 & echo up; wait";
  const child = await doors.context.shell.start(command, { cwd: ws.path });
  const added = background.add(command, child, doors.context.spill);
  await added.readNew(60_000, doors.context.signal).then((first) => expect(first.stdout).toBe("up"));
  const tool = bashKillTool({ background });
  const killed = await tool.run({ id: "bg1" }, doors.context);
  expect(killed.text).toMatch(/^bg1 ended \(ended by SIGTERM after \d+ s\)$/);
  expect(killed).toMatchObject({
    outcome: "found",
    isError: false,
    details: { running: false, handle: "bg1" },
  });
  // A bash that waits for the next command may be there.
  expect(leftovers(ws.marker).filter((left) => left.includes("sleep"))).toEqual([]);
  expect(await tool.run({ id: "bg1" }, doors.context)).toMatchObject({
    outcome: "empty",
    text: expect.stringContaining("had ended before"),
  });
});

test("an unknown id says that nothing was started", async () => {
  await using ws = await workspace({});
  await using doors = commandContext(ws);
  const tool = bashKillTool({ background: createBackgroundCommands({ clock: systemClock }) });
  const { isError, text } = await tool.run({ id: "bg1" }, doors.context);
  expect([isError, text]).toEqual([
    true,
    'There is no background command "bg1".\nNone was started in this session.',
  ]);
});
