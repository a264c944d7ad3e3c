import { expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import type { OwnedProcess } from "../../contract/process.ts";
import { systemClock } from "../../platform/clock.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import { until } from "../../platform/processes/test-support/until.ts";
import { createShell } from "./shell.ts";
import { shellBench } from "./test-support/shell-bench.ts";

async function withShell(
  ws: Workspace,
  use: (run: (command: string) => Promise<string>, waiting: () => readonly OwnedProcess[]) => Promise<void>,
) {
  const processes = createProcessRegistry({
    environment: ws.env(),
    ownerId: `test-${crypto.randomUUID()}`,
    clock: systemClock,
  });
  const shell = createShell({
    tier: "off",
    network: true,
    root: ws.path,
    home: { user: ws.home, root: join(ws.home, ".pi-go") },
    processes,
  });
  try {
    await use(
      async (command) => {
        const output = await outputOf(await shell.start(command, { cwd: ws.path }));
        // The next bash is started on a later turn.
        await new Promise((resolve) => setTimeout(resolve, 0));
        return output;
      },
      () => processes.list(),
    );
  } finally {
    await processes.endAll();
  }
}

async function outputOf(child: OwnedProcess): Promise<string> {
  const read = async (stream: AsyncIterable<Uint8Array>) => {
    let text = "";
    for await (const bytes of stream) text += Buffer.from(bytes).toString();
    return text;
  };
  const [out, errors] = await Promise.all([read(child.stdout), read(child.stderr)]);
  const { code, signal } = await child.exited;
  return `${out}${errors}[${signal ?? code}]`;
}

/** The same command in a bash of its own (the first) and in one that waited (the others). */
async function thrice(ws: Workspace, command: string): Promise<string[]> {
  const outputs: string[] = [];
  await withShell(ws, async (run) => {
    for (let round = 0; round < 3; round++) outputs.push(await run(command));
  });
  return outputs;
}

const commands = [
  "echo one; echo two >&2; exit 3",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
  'echo "$0"; echo "$#"; echo "${pi_folder-unset} ${pi_command-unset}"; pwd',
  "cat; read -r x || echo no-input",
  "true\nnosuchcommand\ntrue",
  "if true; then",
  "cat <<X\na  b\n  $HOME\nX",
  "set -e; false; echo not-here",
  "printf '%s' 'ü 日本 🎉' \"a'b\" 'c\\d' | od -c | head -2",
  "kill -TERM $$",
  "exec echo replaced",
  "cd /; pwd; shopt -s extglob\necho @(bin|nope)",
  "env | grep -c ^TERM=dumb; ps -o stat= -p $$ | grep -c + || true",
];
for (const command of commands)
  test(`a bash that waited runs the same as one of its own: ${JSON.stringify(command)} [A-TOOL-04]`, async () => {
    await using ws = await workspace({ "a.txt": "one\n" });
    const [own, second, third] = await thrice(ws, command);
    // bash names what it reads the command from; nothing else may differ.
    const alike = (text: string) => text.replaceAll(": eval: ", ": -c: ");
    expect(alike(second!)).toBe(own!);
    expect(alike(third!)).toBe(own!);
  });

test("a command never sees a variable or folder that an earlier one set", async () => {
  await using ws = await workspace({});
  await withShell(ws, async (run) => {
    await run("export LEFT=over; cd /; umask 077");
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's
    expect(await run('echo "${LEFT-unset}"; pwd; umask')).toBe(`unset\n${ws.path}\n0022\n[0]`);
  });
});

test.skipIf(process.platform === "win32")(
  "a subshell that a command left running is called that, and not by the script that waits for commands [B01]",
  async () => {
    await using ws = await workspace({});
    await using bench = shellBench(ws, { tier: "off" });
    await bench.run("true");
    await until(() => bench.processes.list().length === 1);
    const child = await bench.shell.start("(sleep 603; true) > /dev/null 2>&1 &", { cwd: ws.path });
    await child.exited;
    expect(child.survivorLabels?.()).toContainEqual(expect.stringMatching(/^\d+ a subshell of the command$/));
  },
);

test("long commands and a killed waiting bash do not matter", async () => {
  await using ws = await workspace({});
  await withShell(ws, async (run, waiting) => {
    expect(await run("echo 1")).toBe("1\n[0]");
    expect(await run(`: ${"x".repeat(200_000)}; echo 2`)).toBe("2\n[0]");
    await run(`pkill -KILL -f "pi_folder" || true`);
    // Its end is noticed before the next command: a model's answer lies between.
    for (let turn = 0; turn < 5_000 && waiting().length > 0; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    expect(await run("echo 3")).toBe("3\n[0]");
    expect(await run("echo 4")).toBe("4\n[0]");
  });
});

test.skipIf(process.platform !== "linux")(
  "a waiting bash that was killed leaves no descriptor open",
  async () => {
    await using ws = await workspace({});
    const open = () => readdirSync("/proc/self/fd").length;
    await withShell(ws, async (run, waiting) => {
      await run("true");
      await until(() => waiting().length === 1);
      const before = open();
      process.kill(waiting()[0]!.pid, "SIGKILL");
      await until(() => waiting().length === 0);
      await run("true");
      await until(() => waiting().length === 1);
      expect(open()).toBe(before);
    });
  },
);

test("a folder that was removed while a bash waited in it is told, one that was made again works", async () => {
  await using ws = await workspace({});
  await withShell(ws, async (run) => {
    await run("true");
    rmSync(ws.path, { recursive: true });
    expect(await run("pwd")).toContain("[126]");
    const { mkdirSync } = await import("node:fs");
    mkdirSync(ws.path);
    expect(await run("echo new > f; cat f")).toBe("new\n[0]");
  });
});
