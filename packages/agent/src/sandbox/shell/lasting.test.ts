import { expect, test } from "bun:test";
import { join } from "node:path";
import { leftovers, runProcess, startProcess, workspace } from "@pi-ts/testkit";
import type { Clock } from "../../contract/services.ts";
import { systemClock } from "../../platform/clock.ts";
import { until } from "../../platform/processes/test-support/until.ts";
import { canConfine, shellBench } from "./test-support/shell-bench.ts";

const works = await canConfine();
const confined = test.if(works);

confined(
  "what a command leaves running is seen by the next one and ends with the session [B01][B03]",
  async () => {
    await using ws = await workspace({});
    {
      await using bench = shellBench(ws);
      await bench.run("sleep 611 >/dev/null 2>&1 &");
      await bench.run("setsid sleep 612 >/dev/null 2>&1 </dev/null &");
      expect((await bench.run("pgrep -a sleep")).stdout).toMatch(/sleep 611[\s\S]*sleep 612/);
    }
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

confined("a killed agent takes the sandbox and all in it along [B03]", async () => {
  await using ws = await workspace({});
  const agent = startProcess(
    [process.execPath, join(import.meta.dir, "__fixtures__/doomed-shell.ts"), ws.path, ws.home],
    { cwd: ws.path, env: ws.env() },
  );
  await agent.waitForOutput(/ready/);
  expect(leftovers(ws.marker).some((left) => left.includes("sleep 613"))).toBe(true);
  process.kill(agent.pid, "SIGKILL");
  await agent.exited;
  await until(() => leftovers(ws.marker).length === 0);
});

confined("a command that is ended takes its whole tree along and nothing else [B02]", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  await bench.run("sleep 614 >/dev/null 2>&1 &");
  const child = await bench.shell.start(
    "trap '' TERM; sh -c \"trap '' TERM; echo up; sleep 615\" & (setsid sleep 615 &); wait",
    { cwd: ws.path },
  );
  for await (const _ of child.stdout) break;
  await child.end(20);
  expect(child.survivors()).toEqual([]);
  const left = leftovers(ws.marker);
  expect(left.filter((line) => line.includes("sleep 615"))).toEqual([]);
  expect(left.some((line) => line.includes("sleep 614"))).toBe(true);
});

confined("commands run side by side, each with its own output", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  const runs = await Promise.all(["a", "b", "c"].map((name) => bench.run(`echo ${name}; echo ${name} >&2`)));
  expect(runs.map((run) => run.all)).toEqual(["a\na\n", "b\nb\n", "c\nc\n"]);
});

confined("a held output never mixes with that of a later command [B01]", async () => {
  await using ws = await workspace({ go: "" });
  await using bench = shellBench(ws);
  const holding = "(while [ -e go ]; do sleep 0.01; done; echo late; touch said) & echo early";
  const first = await bench.shell.start(holding, { cwd: ws.path });
  await first.exited;
  first.detachStreams();
  const second = await bench.run("rm go; while [ ! -e said ]; do sleep 0.01; done; echo mine");
  expect(second.all).toBe("mine\n");
});

confined("a command that kills everything it can see ends itself, and the next one runs", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  await bench.run("pkill bash");
  expect((await bench.run("echo one")).stdout).toBe("one\n");
  await bench.run("kill -9 -1; exit 0");
  expect((await bench.run("echo two")).stdout).toBe("two\n");
});

confined("a command that kills what waits for its end still ends, with its output [B01]", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  expect((await bench.run("echo one; kill -9 $PPID; echo two")).stdout).toBe("one\ntwo\n");
  const child = await bench.shell.start("kill -9 $PPID; echo up; sleep 617", { cwd: ws.path });
  for await (const _ of child.stdout) break;
  await child.end(20);
  expect((await bench.run("pgrep -f 'sleep 61[7]'; echo three")).stdout).toBe("three\n");
});

confined("a sandbox that a command has stopped is replaced by a new one [B01]", async () => {
  await using ws = await workspace({});
  let stopped = false;
  // Time passes at once when the sandbox hangs, and not before.
  const sleep: Clock["sleep"] = async (ms, signal) => {
    if (ms < 20_000) return systemClock.sleep(ms, signal);
    while (!stopped && !signal?.aborted) await systemClock.sleep(10, signal);
    if (!signal?.aborted) await systemClock.sleep(300, signal);
  };
  await using bench = shellBench(ws, { clock: { now: () => Date.now(), sleep } });
  await bench.run("kill -STOP -1; exit 0");
  stopped = true;
  expect((await bench.run("echo next")).stdout).toBe("next\n");
});

confined("a command longer than an argument may be runs whole", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  await using open = shellBench(ws, { tier: "off" });
  const command = `text=${"b".repeat(200_000)}; echo \${#text}`;
  expect((await bench.run(command)).stdout).toBe("200000\n");
  expect((await open.run(command)).stdout).toBe("200000\n");
});

confined("exit codes, signals and odd folders come back as they are", async () => {
  await using ws = await workspace({ "a b\nc/x": "" });
  await using bench = shellBench(ws);
  expect((await bench.run("exit 7")).code).toBe(7);
  expect((await bench.run("kill -9 $$")).code).toBe(137);
  const child = await bench.shell.start("ls", { cwd: `${ws.path}/a b\nc` });
  for await (const bytes of child.stdout) expect(Buffer.from(bytes).toString()).toBe("x\n");
});

confined("the network is there unless it is turned off", async () => {
  await using ws = await workspace({});
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("pong") });
  const command = `exec 3<>/dev/tcp/127.0.0.1/${server.port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3`;
  await using open = shellBench(ws);
  expect((await open.run(command)).stdout).toContain("pong");
  await using closed = shellBench(ws, { network: false });
  expect((await closed.run(command)).code).not.toBe(0);
});

test.if(works && process.getuid?.() === 0)("it works without root's rights", async () => {
  await using ws = await workspace({ ".env": "CANARY", "a.txt": "" });
  await runProcess(["chown", "-R", "65534:65534", join(ws.path, "..")], { cwd: "/", env: ws.env() });
  const result = await runProcess(
    ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", process.execPath].concat(
      join(import.meta.dir, "__fixtures__/unprivileged-shell.ts"),
      ws.path,
      ws.home,
    ),
    { cwd: ws.path, env: ws.env() },
  );
  expect(JSON.parse(result.stdout || result.stderr)).toEqual({
    active: true,
    stdout: "65534\nok\n",
    left: "sleep 616",
    survivors: 0,
  });
});
