import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { chmodSync, readFileSync } from "node:fs";
import { leftovers, type Workspace, workspace } from "@pi-ts/testkit";
import { systemClock } from "../clock.ts";
import { createProcessRegistry, type ProcessRegistry } from "./registry.ts";
import { until } from "./test-support/until.ts";

let owners = 0;

function registryFor(ws: Workspace, extra: Record<string, string> = {}): ProcessRegistry & AsyncDisposable {
  const registry = createProcessRegistry({
    environment: ws.env(extra),
    ownerId: `test-${process.pid}-${++owners}`,
    clock: systemClock,
  });
  return { ...registry, [Symbol.asyncDispose]: () => registry.endAll() };
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test("a program runs to its end with both outputs and its exit code", async () => {
  await using ws = await workspace({ "a.txt": "one" });
  await using registry = registryFor(ws);
  const result = await registry.run(
    { argv: ["sh", "-c", "cat a.txt; echo two >&2; exit 3"], cwd: ws.path, label: "x" },
    { timeoutMs: 60_000 },
  );
  expect([text(result.stdout), text(result.stderr), result.code]).toEqual(["one", "two\n", 3]);
  expect([result.timedOut, result.aborted, result.truncated]).toEqual([false, false, false]);
});

test("bytes given as stdin arrive whole", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const stdin = new Uint8Array(300_000).fill(65);
  const result = await registry.run(
    { argv: ["wc", "-c"], cwd: ws.path, stdin, label: "x" },
    { timeoutMs: 60_000 },
  );
  expect(text(result.stdout).trim()).toBe("300000");
});

test("a missing program and a missing folder are told apart by name", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const start = (argv: string[], cwd: string) => () => registry.start({ argv, cwd, label: "x" });
  expect(start(["no-such-program-here"], ws.path)).toThrow(
    expect.objectContaining({
      code: "process_missing",
      message: expect.stringContaining("no-such-program-here"),
    }),
  );
  expect(start(["sh"], `${ws.path}/gone`)).toThrow(
    expect.objectContaining({ code: "process_missing", message: expect.stringContaining(`${ws.path}/gone`) }),
  );
  expect(start([ws.path], ws.path)).toThrow(expect.objectContaining({ code: "process_failed" }));
});

test("no key of the agent is in a child's environment [B08]", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws, { ANTHROPIC_API_KEY: "sk-test-123", SERVICE_TOKEN: "tok-456" });
  const result = await registry.run({ argv: ["env"], cwd: ws.path, label: "x" }, { timeoutMs: 60_000 });
  expect(text(result.stdout)).not.toMatch(/sk-test-123|tok-456/);
  expect(text(result.stdout)).toContain("HOME=");
});

test("more output than the limit is cut, flagged, and never blocks the program", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const result = await registry.run(
    {
      argv: ["sh", "-c", "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2"],
      cwd: ws.path,
      label: "x",
    },
    { timeoutMs: 60_000, maxBytes: 1000 },
  );
  expect([result.stdout.length, result.stderr.length, result.truncated, result.code]).toEqual([
    1000,
    1000,
    true,
    0,
  ]);
});

test("at the time limit the whole tree ends, even what ignores SIGTERM and what left the group [B02]", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const child = registry.start({
    argv: [
      "sh",
      "-c",
      "trap '' TERM; (setsid sh -c \"trap '' TERM; echo b; sleep 600\" &); echo a; sleep 600; wait",
    ],
    cwd: ws.path,
    label: "x",
  });
  let said = "";
  for await (const bytes of child.stdout) {
    said += text(bytes);
    if (said.includes("a") && said.includes("b")) break;
  }
  expect(child.survivors().length).toBeGreaterThan(2);
  await child.end(20);
  expect(child.survivors()).toEqual([]);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a bounded run that takes too long says so and keeps what was written", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const result = await registry.run(
    { argv: ["sh", "-c", "echo early; exec sleep 600"], cwd: ws.path, label: "x" },
    { timeoutMs: 300 },
  );
  expect([result.timedOut, result.aborted, result.signal]).toEqual([true, false, "SIGTERM"]);
});

test("an abort ends a bounded run, also one that came before the start", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const spec = { argv: ["sleep", "600"], cwd: ws.path, label: "x" };
  const aborting = new AbortController();
  const running = registry.run(spec, { timeoutMs: 60_000, signal: aborting.signal });
  aborting.abort();
  expect(await running).toMatchObject({ aborted: true, timedOut: false });
  expect(await registry.run(spec, { timeoutMs: 60_000, signal: aborting.signal })).toMatchObject({
    aborted: true,
  });
});

test("a bounded run returns although a child of the program holds its output [B01]", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const result = await registry.run(
    { argv: ["sh", "-c", "sleep 600 & echo started"], cwd: ws.path, label: "server" },
    { timeoutMs: 60_000 },
  );
  expect([text(result.stdout), result.code]).toEqual(["started\n", 0]);
  expect(registry.list().map((each) => each.label)).toEqual(["server"]);
  await registry.endAll();
  expect(leftovers(ws.marker)).toEqual([]);
  expect(registry.list()).toEqual([]);
});

test("what is left running is named with its command line", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const child = registry.start({
    argv: ["sh", "-c", "sleep 601 >/dev/null 2>&1 & exit"],
    cwd: ws.path,
    label: "x",
  });
  await child.exited;
  await until(() => (child.survivorLabels?.() ?? []).some((label) => label.endsWith(" sleep 601")));
});

test("the end of everything reaches a process that no list knows any more [B03]", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  await registry.run(
    { argv: ["sh", "-c", "setsid sleep 600 >/dev/null 2>&1 </dev/null & exit"], cwd: ws.path, label: "x" },
    { timeoutMs: 60_000 },
  );
  await registry.endAll();
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a server that holds the output lives on after its reader has gone", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const child = registry.start({
    argv: [
      "sh",
      "-c",
      "trap 'exit 0' TERM; i=0; while :; do i=$((i+1)); echo line $i; echo $i > count; done",
    ],
    cwd: ws.path,
    label: "x",
  });
  for await (const _ of child.stdout) break;
  const count = () => (ws.exists("count") ? Number(ws.read("count")) : 0);
  const before = count();
  await until(() => count() > before + 500);
  expect(child.survivors()).toContain(child.pid);
});

test("a program whose output nobody reads stands still instead of filling our memory [B07]", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const before = process.memoryUsage.rss();
  const child = registry.start({ argv: ["yes"], cwd: ws.path, label: "x" });
  const state = () => /\) (\w)/.exec(readFileSync(`/proc/${child.pid}/stat`, "utf8"))?.[1];
  if (process.platform === "linux")
    for (let sleeping = 0; sleeping < 20; sleeping = state() === "S" ? sleeping + 1 : 0) await Bun.sleep(1);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
});

test("programs that left something running keep no buffers once they were ended [T08]", async () => {
  await using ws = await workspace({});
  await using registry = registryFor(ws);
  const leaving = ["sh", "-c", "echo hi; sleep 600 & exit 0"];
  const once = async () => {
    const child = registry.start({ argv: leaving, cwd: ws.path, label: "x" });
    const reads = [child.stdout, child.stderr].map((output) => Array.fromAsync(output));
    await child.exited;
    child.detachStreams();
    await Promise.all(reads);
    await child.end();
  };
  await once();
  const before = held();
  for (let run = 0; run < 10; run++) await once();
  // Each of the ten would hold two. The ends of their pipes are read a moment after the last of their processes is gone.
  await until(() => held() - before < 10);
});

/** What the runtime itself holds on to, such as the buffers of pipes. */
function held(): number {
  Bun.gc(true);
  return heapStats().protectedObjectCount;
}

test.skipIf(process.platform === "win32")(
  "a program that cannot start since its folder may not be entered is not what is blamed",
  async () => {
    await using ws = await workspace({ "shut/a.txt": "" });
    await using registry = registryFor(ws);
    const shut = ws.at("shut");
    chmodSync(shut, 0);
    // The superuser enters every folder.
    const isRoot = process.geteuid!() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      expect(() => registry.start({ argv: ["/bin/sh", "-c", "true"], cwd: shut, label: "x" })).toThrow(
        expect.objectContaining({
          code: "process_folder",
          message: `Cannot start /bin/sh: the folder ${shut} may not be entered`,
        }),
      );
    } finally {
      if (isRoot) process.seteuid!(0);
      chmodSync(shut, 0o700);
    }
  },
);
