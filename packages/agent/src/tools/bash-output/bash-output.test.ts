import { expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { systemClock } from "../../platform/clock.ts";
import { createBackgroundCommands } from "../shared/commands/background-commands.ts";
import { commandContext } from "../shared/test-support/command-context.ts";
import { bashOutputTool } from "./bash-output.ts";

async function started(ws: Workspace, command: string) {
  const doors = commandContext(ws);
  const background = createBackgroundCommands({ clock: systemClock });
  const child = await doors.context.shell.start(command, { cwd: ws.path });
  background.add(command, child, doors.context.spill);
  const tool = bashOutputTool({ background });
  const look = (input: { id: string; wait?: number }) => tool.run(input, doors.context);
  return { ...doors, child, look };
}

const HANG_GUARD = 60_000;

test("each look gives what is new, and the end with its exit code", async () => {
  await using ws = await workspace({});
  await using b = await started(
    ws,
    "echo one; while [ ! -e go ]; do sleep 0.01; done; echo two; echo err >&2; exit 3",
  );
  const first = await b.look({ id: "bg1", wait: HANG_GUARD });
  expect(first).toMatchObject({ outcome: "found", isError: false });
  expect(first.text).toMatch(/^one\n\[bg1 running, \d+ s\]$/);
  expect((await b.look({ id: "bg1" })).text).toMatch(/^no new output\n\[bg1 running/);
  ws.write("go", "");
  await b.child.exited;
  const last = await b.look({ id: "bg1" });
  expect(last.text).toMatch(/^stdout:\ntwo\nstderr:\nerr\n\[bg1 exit 3 after \d+ s\]$/);
  expect(last.details).toMatchObject({ running: false, exit_code: 3, stdout: "two", stderr: "err" });
  expect(await b.look({ id: "bg1" })).toMatchObject({ outcome: "empty", isError: false });
});

test("waiting ends with the command, also when it says nothing", async () => {
  await using ws = await workspace({});
  await using b = await started(ws, "sleep 0.05");
  expect((await b.look({ id: "bg1", wait: HANG_GUARD })).text).toMatch(/^no new output\n\[bg1 exit 0 after/);
});

test("an id that does not exist is answered with those that do", async () => {
  await using ws = await workspace({});
  await using b = await started(ws, "sleep 600");
  const { isError, text } = await b.look({ id: "bg7" });
  expect(isError).toBe(true);
  expect(text).toMatch(/no background command "bg7"[\s\S]*bg1 \(running, \d+ s\): sleep 600/);
});

test("output of a loud server is kept as head and tail in bounded memory, all of it in a file [B06][B07]", async () => {
  await using ws = await workspace({});
  await using b = await started(ws, "seq 1 300000");
  await b.child.exited;
  const { text } = await b.look({ id: "bg1" });
  expect(Buffer.byteLength(text)).toBeLessThan(31_000);
  const path = /all of it: (\S+) \.\.\.\]/.exec(text)?.[1] ?? "";
  expect(await Bun.file(path).text()).toEndWith("\n300000\n");
  expect(text).toMatch(/\n300000\n\[bg1 exit 0/);
});
