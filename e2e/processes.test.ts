/** Whatever a command starts lives as long as the session and never longer. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { call, leftovers, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { endOf, eventsOf } from "./support/events.ts";
import { pi, startPi } from "./support/pi.ts";

const unix = process.platform !== "win32";
const TIERS = ["workspace-write", "off"];

/** Children of every kind: plain, with its own session, deaf to signals, with nohup, with an emptied environment. */
const BACKGROUND = [
  "sleep 601 & echo $! > plain.pid",
  "(setsid sleep 602 > /dev/null 2>&1 &)",
  "nohup sleep 603 > /dev/null 2>&1 &",
  "(trap '' TERM HUP INT; sleep 604 & wait) > /dev/null 2>&1 &",
  "env -i sleep 605 &",
  "echo started",
].join("\n");

/** The background children that live, by their number of seconds. */
function living(ws: Workspace): string[] {
  const found = leftovers(ws.marker).flatMap((line) => /\bsleep (60[1-5])$/.exec(line)?.[1] ?? []);
  return [...new Set(found)].sort();
}

/** After a SIGKILL a watchdog cleans up, which takes its moment. */
async function untilGone(ws: Workspace): Promise<void> {
  while (leftovers(ws.marker).length > 0 || readdirSync(ws.temp).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

test.if(unix).each(TIERS)(
  "with the sandbox %s a command with background children returns at once, they live on, and end with the session [B01][B03]",
  async (tier) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const held = Promise.withResolvers<void>();
    server.reply(call("bash", { command: BACKGROUND }));
    server.reply(call("bash", { command: "kill -0 $(cat plain.pid) && echo alive" }));
    server.reply({ kind: "hold", until: held.promise }, say("ok"));
    await using running = startPi(ws, ["--mode", "json", "--sandbox", tier, "-p", "go"], { server });
    const third = await server.waitFor(3);
    const [first, second] = third.results;
    expect(first?.text).toContain("started");
    expect(first?.text).toMatch(/still|background|running/i);
    expect(second?.text).toContain("alive");
    if (process.platform === "linux") expect(living(ws)).toEqual(["601", "602", "603", "604", "605"]);
    held.resolve();
    expect((await running.exited).code).toBe(0);
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

const DEATHS = TIERS.flatMap((tier) =>
  (["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL"] as const).map((signal) => [signal, tier] as const),
);

test.if(unix).each(DEATHS)(
  "after %s to the agent nothing of a command is left, with the sandbox %s [B03]",
  async (signal, tier) => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: BACKGROUND }));
    server.reply(call("bash", { command: "echo up; sleep 606" }));
    await using running = startPi(ws, ["--mode", "json", "--sandbox", tier, "-p", "go"], { server });
    await running.waitForOutput(/"type":"tool_progress"[^\n]*"delta":"up/);
    running.kill(signal);
    await running.exited;
    if (signal === "SIGKILL") await untilGone(ws);
    expect(leftovers(ws.marker)).toEqual([]);
    expect(readdirSync(ws.temp)).toEqual([]);
    if (signal !== "SIGKILL") expect(endOf(eventsOf(running))["stop_reason"]).toBe("aborted");
  },
);

test.if(unix).each(TIERS)(
  "a command that runs out of time ends whole, and what it had said is kept, with the sandbox %s [B02]",
  async (tier) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const command =
      "echo out; echo err >&2; trap '' TERM; sh -c \"trap '' TERM; sleep 600\" & wait; sleep 600";
    server.reply(call("bash", { command, timeout: 1_000 }));
    server.reply(call("bash", { command: "echo next" }));
    server.reply(say("ok"));
    const result = await pi(ws, ["--mode", "json", "--sandbox", tier, "-p", "go"], { server });
    expect(result.code).toBe(0);
    const [late, next] = server.request(3).results;
    expect(late?.text).toMatch(/timed out after 1 s/);
    expect(late?.text).toMatch(/out[\s\S]*err/);
    expect(late?.isError).toBe(true);
    expect(next?.text).toContain("next");
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

test.if(unix)(
  "a background command is read and ended by its tools, and is gone afterwards [B01]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: "echo ready; sleep 600", background: true }));
    server.otherwise(({ results }) => {
      const id = /Started as (\w+)/.exec(results[0]?.text ?? "")?.[1];
      if (results.length === 1) return [call("bash-output", { id, wait: 1_000 })];
      if (results.length === 2) return [call("bash-kill", { id })];
      return [say("ok")];
    });
    const result = await pi(ws, ["-p", "go"], { server });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: "ok\n" });
    const [, output, killed] = server.request(4).results;
    expect(output?.text).toContain("ready");
    expect(killed?.isError).toBe(false);
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

test.if(unix)(
  "an interrupt while commands run keeps what they had said in the history [A-AGENT-07][B02]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: "echo half of it; sleep 600" }));
    await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server });
    await running.waitForOutput(/"type":"tool_progress".*half of it/);
    running.kill("SIGINT");
    expect((await running.exited).code).toBe(130);
    server.reply(say("on"));
    await pi(ws, ["-c", "-p", "go on"], { server });
    const [interrupted] = server.request(2).results;
    expect(interrupted?.text).toMatch(/^Interrupted|interrupted/);
    expect(interrupted?.text).toContain("half of it");
  },
);

test.if(unix)("an endless writer is cut and ends with its time [B07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "yes 0123456789", timeout: 1_500 }));
  server.reply(say("ok"));
  const result = await pi(ws, ["-p", "go"], { server });
  expect(result.code).toBe(0);
  const [output] = server.request(2).results;
  expect(output!.text.length).toBeLessThan(110_000);
  expect(output?.text).toMatch(/timed out/);
});
