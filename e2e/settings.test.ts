/** Settings that have an effect only where everything is joined. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, fail, hang, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { endOf, eventsOf, ofType } from "./support/events.ts";
import { pi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

function configure(ws: Workspace, config: object): void {
  mkdirSync(stateFolder(ws), { recursive: true, mode: 0o700 });
  writeFileSync(join(stateFolder(ws), "config.json"), JSON.stringify(config));
}

const TIERS = ["off", "workspace-write"] as const;

test.each(TIERS)(
  "variables that look like keys reach commands only when the user names them, with the sandbox %s [B08]",
  async (tier) => {
    await using server = await modelServer();
    await using ws = await workspace();
    configure(ws, { sandbox: { tier, environment: ["NPM_*"] } });
    server.reply(call("bash", { command: "echo npm=$NPM_TOKEN gh=$GH_TOKEN" }));
    server.reply(say("ok"));
    const env = { NPM_TOKEN: "npm-value", GH_TOKEN: "gh-value" };
    expect((await pi(ws, ["-p", "go"], { server, env })).code).toBe(0);
    expect(server.request(2).results[0]?.text).toContain("npm=npm-value gh=");
    expect(server.request(2).text).not.toContain("gh-value");
  },
);

test.each(TIERS)(
  "the key in use is kept from commands under any other name too, with the sandbox %s [B08]",
  async (tier) => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: 'echo "mine=[$HARMLESS]"' }));
    server.reply(say("ok"));
    // A key without a form that gives it away: only its value is known.
    const key = "the-house-key-without-a-form";
    const env = { ANTHROPIC_API_KEY: key, HARMLESS: `prefix-${key}` };
    const result = await pi(ws, ["--sandbox", tier, "-p", "go"], { server, env });
    expect(result.code).toBe(0);
    expect(server.request(1).headers["x-api-key"]).toBe(key);
    expect(server.request(2).results[0]?.text).toContain("mine=[]");
  },
);

test("--debug tells session, model and tokens on stderr, and leaves stdout alone [A-OUT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("hello")]);
  const printed = await pi(ws, ["--debug", "-p", "hi"], { server });
  expect(printed.stdout).toBe("hello\n");
  expect(printed.stderr).toMatch(
    /^debug: session \w+ in .+\ndebug: model anthropic\/claude-\S+\ndebug: turn 1, end: \d+ in, \d+ cached/,
  );
  const told = await pi(ws, ["--debug", "--mode", "json", "-p", "hi"], { server });
  expect(eventsOf({ stdout: told.stdout, stderr: "" }).at(-1)?.type).toBe("message_end");
});

test("a service that asks for more patience than retry.maxDelay is not waited for [P03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  configure(ws, { retry: { maxDelay: 5 } });
  server.reply(fail(429, { headers: { "retry-after": "20" } }));
  const events = eventsOf(await pi(ws, ["--mode", "json", "-p", "go"], { server }));
  expect(ofType(events, "retry")).toEqual([]);
  expect(endOf(events)["stop_reason"]).toBe("error");
  expect(server.requests).toHaveLength(1);
});

test("a stream that goes silent for longer than idle.between is given up, and what came is kept [P05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  configure(ws, { idle: { between: 1 } });
  server.reply(say("half an answer"), hang());
  const events = eventsOf(await pi(ws, ["--mode", "json", "-p", "go"], { server }));
  expect(ofType(events, "error")).toMatchObject([{ code: "idle", retryable: true }]);
  expect(endOf(events)).toMatchObject({ stop_reason: "error", text: "half an answer" });
});

test("what a run cost is told where the model's price is known [Q05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("hello")]);
  const known = endOf(eventsOf(await pi(ws, ["--mode", "json", "-p", "hi"], { server })));
  expect((known["usage"] as { cost_usd?: number }).cost_usd).toBeGreaterThan(0);
  const argv = ["--mode", "json", "--model", "anthropic/nobody-knows-it", "-p", "hi"];
  const unknown = endOf(eventsOf(await pi(ws, argv, { server })));
  expect(unknown["usage"]).not.toHaveProperty("cost_usd");
});

test("thinking sets how much the model reasons, for the whole run", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("hello")]);
  configure(ws, { thinking: "low" });
  await pi(ws, ["-p", "hi"], { server, wire: "openai-responses" });
  configure(ws, { thinking: "high" });
  await pi(ws, ["-p", "hi"], { server, wire: "openai-responses" });
  expect(server.requests.map((request) => request.field("reasoning", "effort"))).toEqual(["low", "high"]);
});
