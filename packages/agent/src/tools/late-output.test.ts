import { expect, test } from "bun:test";
import type { OwnedProcess } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import type { SpillDoor, ToolContext } from "../contract/tool.ts";
import { bashTool } from "./bash/bash.ts";
import { bashOutputTool } from "./bash-output/bash-output.ts";
import { createBackgroundCommands } from "./shared/commands/background-commands.ts";
import { fileToolContext } from "./shared/test-support/file-tool-context.ts";

const LINES = ["first\n", "second\n", "last\n"];

/** A busy machine: a short timer is due before any pipe was looked at; a long one never. */
const hurried: Clock = {
  now: () => 0,
  sleep: (ms, signal) =>
    ms < 10_000
      ? Promise.resolve()
      : new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true })),
};

/** An ended program with output still in its pipe. With `held` a child of it keeps the pipe open without a word. */
function endedProgram(held = false): OwnedProcess {
  const detached = Promise.withResolvers<void>();
  let read = true;
  async function* pipe(lines: readonly string[]) {
    for (const line of lines) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!read) return;
      yield new TextEncoder().encode(line);
    }
    if (held) await detached.promise;
  }
  return {
    pid: 1,
    label: "ended",
    startedAt: 0,
    stdout: pipe(LINES),
    stderr: pipe([]),
    stdin: null,
    exited: Promise.resolve({ code: 0, signal: null }),
    end: () => Promise.resolve(),
    survivors: () => [],
    detachStreams: () => {
      read = false;
      detached.resolve();
    },
  };
}

function contextFor(child: OwnedProcess): ToolContext {
  const spill: SpillDoor = { open: () => null };
  const shell = {
    confinement: { tier: "off" as const, active: false },
    start: () => Promise.resolve(child),
  };
  return { ...fileToolContext(process.cwd()), spill, shell };
}

test("bash loses nothing that is in the pipe when its grace is over before the pipe was read [B01][A-TOOL-04]", async () => {
  const tool = bashTool({ background: createBackgroundCommands({ clock: hurried }), clock: hurried });
  const outcome = await tool.run({ command: "print" }, contextFor(endedProgram()));
  expect(outcome.text).toBe("first\nsecond\nlast");
});

test("bash shows what was printed although a child holds the pipe open, and says so [B01][A-TOOL-04]", async () => {
  const tool = bashTool({ background: createBackgroundCommands({ clock: hurried }), clock: hurried });
  const outcome = await tool.run({ command: "print" }, contextFor(endedProgram(true)));
  expect(outcome.text).toStartWith("first\nsecond\nlast\n[still running in the background");
});

test("bash-output loses no last words of a background command on a busy machine [B01][A-TOOL-04]", async () => {
  const background = createBackgroundCommands({ clock: hurried });
  const context = contextFor(endedProgram());
  await bashTool({ background, clock: hurried }).run({ command: "print", background: true }, context);
  const outcome = await bashOutputTool({ background }).run({ id: "bg1" }, context);
  expect(outcome.text).toBe("first\nsecond\nlast\n[bg1 exit 0 after 0 s]");
});
