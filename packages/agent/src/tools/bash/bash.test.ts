import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { leftovers, type Workspace, workspace } from "@pi-ts/testkit";
import type { ToolContext, ToolOutcome } from "../../contract/tool.ts";
import { systemClock } from "../../platform/clock.ts";
import { createBackgroundCommands } from "../shared/commands/background-commands.ts";
import { type CommandContext, commandContext } from "../shared/test-support/command-context.ts";
import { bashTool } from "./bash.ts";

interface Bench extends CommandContext {
  run(command: string, more?: { timeout?: number; background?: boolean }): Promise<ToolOutcome>;
}

function bench(ws: Workspace, parts: Partial<ToolContext> = {}): Bench {
  const doors = commandContext(ws, parts);
  const tool = bashTool({ background: createBackgroundCommands({ clock: systemClock }) });
  return { ...doors, run: (command, more = {}) => tool.run({ command, ...more }, doors.context) };
}

test("a command runs in the project folder and gives its output and exit code [A-TOOL-04]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" });
  await using b = bench(ws);
  const outcome = await b.run("pwd; cat a.txt");
  expect(outcome).toMatchObject({ outcome: "found", isError: false, text: `${ws.path}\none` });
  expect(outcome.details).toMatchObject({
    stdout: `${ws.path}\none`,
    stderr: "",
    exit_code: 0,
    timed_out: false,
  });
});

test("a failing command is an answer and no error: both outputs, labelled, and the code [A-TOOL-04]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const outcome = await b.run("echo out; echo err >&2; exit 3");
  expect(outcome).toMatchObject({ outcome: "found", isError: false });
  expect(outcome.text).toBe("stdout:\nout\nstderr:\nerr\n[exit code 3]");
  expect((await b.run("echo only >&2")).text).toBe("only");
  expect((await b.run("no-such-command-here")).text).toContain("[exit code 127: command not found]");
});

test("silence is said to be silence", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  expect(await b.run(":")).toMatchObject({ outcome: "empty", isError: false, text: "no output, exit 0" });
  expect((await b.run("exit 5")).text).toBe("no output, exit code 5");
});

test("a child that holds the output does not hold the call, and is named [B01]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  for (const command of [
    "sleep 600 & echo started",
    "(setsid sleep 600 >&1 &) ; echo started",
    "nohup sleep 600 >/dev/null 2>&1 & echo started",
  ]) {
    const { text, isError } = await b.run(command);
    expect(isError).toBe(false);
    expect(text).toStartWith("started\n[still running in the background: ");
    expect(text).toContain("It ends with the session");
  }
  expect(leftovers(ws.marker).filter((left) => left.includes("sleep 600")).length).toBe(3);
  await b.processes.endAll();
  expect(leftovers(ws.marker)).toEqual([]);
});

test("after the time limit the whole tree is gone and what was written is kept [B02]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const command = `echo out; echo err >&2; trap '' TERM; sh -c "trap '' TERM; sleep 600" & (setsid sleep 600 &) ; wait`;
  const outcome = await b.run(command, { timeout: 1000 });
  expect(outcome).toMatchObject({ outcome: "failed", isError: true });
  expect(outcome.details).toMatchObject({ stdout: "out", stderr: "err", exit_code: -1, timed_out: true });
  expect(outcome.text).toContain("timed out after 1 s");
  // A bash that waits for the next command may be there.
  expect(leftovers(ws.marker).filter((left) => left.includes("sleep"))).toEqual([]);
});

test("a time limit over ten minutes is lowered and that is said [B02][A-TOOL-04]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text } = await b.run("echo x", { timeout: 900_000 });
  expect(text).toBe("x\n[timeout 900000 ms is over the limit: 600000 ms were used]");
});

test("an interrupt ends the command, keeps its output, and runs nothing when it came before", async () => {
  await using ws = await workspace({});
  const interrupting = new AbortController();
  await using b = bench(ws, {
    signal: interrupting.signal,
    progress: () => interrupting.abort(),
  });
  const outcome = await b.run("echo early; sleep 600");
  expect(outcome).toMatchObject({ isError: true, outcome: "failed" });
  expect(outcome.text).toStartWith("early\n[interrupted by the user");
  // A bash that waits for the next command may be there.
  expect(leftovers(ws.marker).filter((left) => left.includes("sleep"))).toEqual([]);
  expect((await b.run("touch x")).isError).toBe(true);
  expect(ws.exists("x")).toBe(false);
});

test("what cannot be run is refused with the reason", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  expect(await b.run("  \n")).toMatchObject({ isError: true, text: expect.stringContaining("empty") });
  expect(await b.run("echo a\0b")).toMatchObject({ isError: true, text: expect.stringContaining("NUL") });
  expect(await b.run("echo a", { timeout: 0 })).toMatchObject({
    isError: true,
    text: expect.stringContaining("timeout is 0"),
  });
});

test("ten thousand frames of a progress bar become one short line without escapes [B05]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text } = await b.run(
    "for ((i=1;i<=10000;i++)); do printf '\\r\\e[K\\e[32m%d%%\\e[0m' $i; done; printf '\\n\\e]8;;http://x\\e\\\\link\\e]8;;\\e\\\\\\n'",
  );
  expect(text).toBe("10000%\nlink");
  expect(b.live()).not.toContain("\x1b");
});

test("of five megabytes the failing end is shown, the rest counted, and all of it is in a private file [B06]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text, details } = await b.run(
    "head -c 5000000 /dev/zero | tr '\\0' a | fold -w 79; echo; echo 'ERROR: real cause'; exit 1",
  );
  expect(text).toEndWith("\nERROR: real cause\n[exit code 1]");
  expect(Buffer.byteLength(text)).toBeLessThan(31_000);
  const path = /bytes, [\d,]+ lines not shown; all of it: (\S+) \.\.\.\]/.exec(text)?.[1] ?? "";
  const log = await Bun.file(path).text();
  expect(log).toEndWith("\nERROR: real cause\n");
  expect(log.length).toBeGreaterThan(5_000_000);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(details["truncated"]).toBe(true);
  expect(details["stdout"]).toBe(text.replace("\n[exit code 1]", ""));
});

test("long output on both sides shares the room, and neither is lost [B06]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text, details } = await b.run("seq 1 100000; seq 200001 300000 >&2; echo last >&2");
  expect(Buffer.byteLength(text)).toBeLessThan(31_000);
  expect(details["stdout"]).toEndWith("\n100000");
  expect(details["stderr"]).toEndWith("\n300000\nlast");
});

test("endless output is stopped by the time limit in bounded memory [B07]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  // The process has run other tests before: what counts is what this command adds.
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let peak = 0;
  // Looked at while it runs, and after a collection: what is held counts, not what waits to be collected.
  const sampling = setInterval(() => {
    Bun.gc(true);
    peak = Math.max(peak, process.memoryUsage.rss() - before);
  }, 400);
  const started = performance.now();
  const { text } = await b.run("yes", { timeout: 1500 }).finally(() => clearInterval(sampling));
  const seconds = (performance.now() - started) / 1_000;
  expect(text).toContain("timed out after 1.5 s");
  expect(peak).toBeLessThan(200 * 1024 * 1024);
  // The longer a slow machine takes, the more may be shown.
  expect(b.live().length / seconds).toBeLessThan(3_000_000);
});

test("binary output is counted, not shown [B07]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text } = await b.run("echo before; head -c 20000000 /dev/urandom");
  expect(text).toMatch(/^(before\n)?\[binary output, 20,000,0\d\d bytes; all of it: \S+\]$/);
  expect(text.isWellFormed()).toBe(true);
});

test("what a command says behind binary output is shown [B07]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text } = await b.run(
    "head -c 100000 /dev/urandom; printf '\\n\\033[31m2 tests failed\\033[0m\\nsee test.log\\n'; exit 1",
  );
  expect(text).toMatch(/^\[binary output, 100,00\d bytes; all of it: \S+\]\n2 tests failed\nsee test\.log\n/);
});

test("characters split over two writes are whole, odd bytes are shown by value [P13]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  const { text } = await b.run("printf '\\xe6\\x97'; sleep 0.05; printf '\\xa5 caf\\xe9'");
  expect(text).toBe("日 caf\\xE9");
});

test("without bash the answer says what to do", async () => {
  await using ws = await workspace({});
  const { PiError } = await import("../../contract/errors.ts");
  const missing = new PiError({
    code: "process_missing",
    message: "There is no bash",
    hint: "Install bash.",
  });
  await using b = bench(ws, {
    shell: { confinement: { tier: "off", active: false }, start: () => Promise.reject(missing) },
  });
  expect(await b.run("ls")).toMatchObject({ isError: true, text: "There is no bash\nInstall bash." });
});

test("a full disk costs the log, not the result [B10]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws, { spill: { open: () => null } });
  const { text, isError } = await b.run("seq 1 100000");
  expect(isError).toBe(false);
  expect(text).toContain("lines not shown ...]");
  expect(text).toEndWith("\n100000");
});

test("a refusal of the sandbox is named as one", async () => {
  await using ws = await workspace({});
  const { context, ...rest } = commandContext(ws);
  const shell = { ...context.shell, confinement: { tier: "workspace-write" as const, active: true } };
  await using b = bench(ws, { shell });
  expect((await b.run("echo 'x: Read-only file system' >&2; exit 1")).text).toContain(
    "[sandbox: only the project",
  );
  expect((await b.run("echo '.env: Permission denied' >&2; exit 1")).text).toContain(
    "[sandbox: files with secrets",
  );
  expect((await b.run("echo '/etc/shadow: Permission denied' >&2; exit 1")).text).not.toContain("[sandbox");
  expect((await b.run("echo 'Read-only file system'")).text).not.toContain("[sandbox");
  await rest[Symbol.asyncDispose]();
});

test("a background command returns at once with its id; the ninth is refused with the list [A-TOOL-04]", async () => {
  await using ws = await workspace({});
  await using b = bench(ws);
  for (let number = 1; number <= 8; number++) {
    const { text, details } = await b.run("sleep 600", { background: true });
    expect(text).toStartWith(`Started as bg${number}.`);
    expect(details).toMatchObject({ handle: `bg${number}`, running: true });
  }
  const ninth = await b.run("touch ninth", { background: true });
  expect(ninth.isError).toBe(true);
  expect(ninth.text).toMatch(
    /8 background commands are running[\s\S]*bg1 \(running, \d+ s\): sleep 600[\s\S]*bash-kill/,
  );
  expect(ws.exists("ninth")).toBe(false);
  await b.processes.endAll();
  expect(leftovers(ws.marker)).toEqual([]);
});
