/** `pi --mode rpc`: sessions on a socket, driven by the published client and by plain bytes, on the built executable. */
import { expect, test } from "bun:test";
import { chmodSync, existsSync, lstatSync, statSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import {
  call,
  type ModelServer,
  modelServer,
  runProcess,
  say,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { connect, type RpcClient, type RpcEvent } from "../packages/agent/src/client/index.ts";
import { type PiOptions, pi, startPi } from "./support/pi.ts";
import { messagesOf, onlySession, sessionsOf } from "./support/state.ts";

const unix = process.platform !== "win32";

/** A server in a workspace; the caller disposes of it. */
async function serve(
  ws: Workspace,
  server: ModelServer,
  argv: readonly string[] = [],
  options: PiOptions = {},
) {
  const socket = join(ws.temp, "s");
  const running = startPi(ws, ["--mode", "rpc", "--socket", socket, ...argv], { server, ...options });
  try {
    await running.waitForOutput(/"type":"ready"/);
  } catch (thrown) {
    await running[Symbol.asyncDispose]();
    throw thrown;
  }
  return { socket, running };
}

/** Reads events until one fits. */
async function until(
  events: AsyncIterable<RpcEvent>,
  fits: (event: RpcEvent) => boolean,
): Promise<RpcEvent[]> {
  const seen: RpcEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (fits(event)) return seen;
  }
  throw new Error(`the events ended without it: ${JSON.stringify(seen).slice(0, 2_000)}`);
}

const isDelta = (text: string) => (event: RpcEvent) =>
  event.type === "text_delta" && event.delta.includes(text);

test.if(unix)(
  "two clients drive one conversation: both see it, either cancels, either goes on [A-OUT-04][H05]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.txt": "PLUM" });
    const { socket, running } = await serve(ws, server);
    await using _ = running;
    await using one = await connect({ socket });
    await using two = await connect({ socket });
    server.reply(call("read", { file_path: "a.txt" }));
    server.reply(say("it says PLUM"));
    const first = await one.prompt({ text: "what is in a.txt?" });
    expect((await first.ended).text).toBe("it says PLUM");
    const heard = await two.subscribe(first.sessionId);
    expect(heard.history.map(({ type }) => type)).toEqual([
      "prompt",
      "turn_end",
      "tool_call",
      "tool_result",
      "text_delta",
      "turn_end",
    ]);
    server.reply(call("bash", { command: "echo up; sleep 600" }));
    const second = await one.prompt({ text: "wait", session_id: first.sessionId });
    await until(heard, (event) => event.type === "tool_progress" && event.delta.includes("up"));
    await expect(two.prompt({ text: "me", session_id: first.sessionId })).rejects.toMatchObject({
      code: -32001,
    });
    await two.call("cancel", { session_id: first.sessionId });
    expect((await second.ended).stop_reason).toBe("aborted");
    server.reply(say("with you"));
    const third = await two.prompt({ text: "and now?", session_id: first.sessionId });
    expect(await third.ended).toMatchObject({ stop_reason: "end", text: "with you" });
    const said = JSON.stringify(server.request(4).body);
    for (const text of ["what is in a.txt?", "it says PLUM", "wait", "and now?"])
      expect(said).toContain(text);
    await one.call("shutdown");
    expect((await running.exited).code).toBe(0);
    expect(existsSync(socket)).toBe(false);
  },
);

test.if(unix)(
  "after kill -9 a new server takes the socket over, and the session goes on with all that was said [A-OUT-04][H05]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const before = await serve(ws, server);
    await using _ = before.running;
    server.reply(say("my word is QUINCE"));
    server.reply(call("bash", { command: "echo done > made; echo up; sleep 600" }));
    const client = await connect({ socket: before.socket });
    const first = await client.prompt({ text: "say a word" });
    await first.ended;
    const second = await client.prompt({ text: "now work", session_id: first.sessionId });
    await until(second, (event) => event.type === "tool_progress" && event.delta.includes("up"));
    before.running.kill("SIGKILL");
    await before.running.exited;
    await client.closed;
    expect(lstatSync(before.socket).isSocket()).toBe(true);

    const after = await serve(ws, server);
    await using __ = after.running;
    await using again = await connect({ socket: after.socket });
    const listed = await again.call("session.list", {});
    expect(listed.sessions.map(({ id }) => id)).toEqual([first.sessionId]);
    server.reply(say("it was QUINCE"));
    const third = await again.prompt({ text: "which word?", session_id: first.sessionId });
    expect((await third.ended).text).toBe("it was QUINCE");
    const said = JSON.stringify(server.request(3).body);
    for (const text of ["say a word", "QUINCE", "now work", "echo done"]) expect(said).toContain(text);
    expect(sessionsOf(ws)).toHaveLength(1);
  },
);

test.if(unix)(
  "SIGTERM ends runs with message_end, saves sessions, removes the socket and exits with 0 [A-OUT-04][H05]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const { socket, running } = await serve(ws, server);
    await using _ = running;
    server.reply(say("so far"), { kind: "hang" });
    await using client = await connect({ socket });
    const run = await client.prompt({ text: "go" });
    await until(run, isDelta("so far"));
    running.kill("SIGTERM");
    expect((await run.ended).stop_reason).toBe("aborted");
    await client.closed;
    expect((await running.exited).code).toBe(0);
    expect(existsSync(socket)).toBe(false);
    expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("so far");
  },
);

test.if(unix)(
  "many sessions in several folders at once, each with its own project's files and rules [A-OUT-04][X01]",
  async () => {
    await using server = await modelServer();
    const rule = JSON.stringify({ permissions: { deny: ["bash(touch:*)"] } });
    await using ws = await workspace({
      "one/a.txt": "ONE",
      "two/a.txt": "TWO",
      "three/a.txt": "THREE",
      "three/.pi-go/config.json": rule,
    });
    for (const name of ["one", "two", "three"]) ws.git("init", "--quiet", name);
    const { socket, running } = await serve(ws, server, ["--trust"], { cwd: ws.at("three") });
    await using _ = running;
    server.otherwise(({ results }) => {
      if (results.length === 0) return [call("bash", { command: "touch made; cat a.txt" })];
      return [say(results[0]!.text)];
    });
    const clients: RpcClient[] = await Promise.all([1, 2, 3].map(() => connect({ socket })));
    const ends = await Promise.all(
      ["one", "two", "three"].map(async (name, index) => {
        const run = await clients[index]!.prompt({ text: `go ${name}`, cwd: ws.at(name) });
        return run.ended;
      }),
    );
    expect(ends[0]!.text).toContain("ONE");
    expect(ends[1]!.text).toContain("TWO");
    expect(ends[2]!.text).toContain("bash(touch:*)");
    expect(["one", "two", "three"].map((name) => ws.exists(`${name}/made`))).toEqual([true, true, false]);
    for (const client of clients) await client.close();
  },
);

test.if(unix)(
  "without --socket it listens in the user's runtime folder, for that user alone [A-OUT-04][H05]",
  async () => {
    await using ws = await workspace();
    chmodSync(ws.temp, 0o755);
    const env = { XDG_RUNTIME_DIR: ws.temp };
    await using running = startPi(ws, ["--mode", "rpc"], { env });
    await running.waitForOutput(/"type":"ready"/);
    const ready = JSON.parse(running.stdout) as { socket: string; pid: number; version: string };
    expect(ready).toMatchObject({ type: "ready", socket: join(ws.temp, "pi-ts/rpc.sock"), pid: running.pid });
    expect(statSync(ready.socket).mode & 0o777).toBe(0o600);
    expect(statSync(join(ws.temp, "pi-ts")).mode & 0o777).toBe(0o700);
    const second = await pi(ws, ["--mode", "rpc"], { env });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`process ${running.pid} listens at ${ready.socket}`);
    await using client = await connect({ socket: ready.socket });
    expect((await client.call("status")).pid).toBe(running.pid);
    running.kill("SIGINT");
    expect((await running.exited).code).toBe(0);
  },
);

test.if(unix && process.getuid?.() === 0 && Bun.which("setpriv") !== null)(
  "another user who gets to the socket is refused (needs root and setpriv) [H05]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const { socket, running } = await serve(ws, server);
    await using _ = running;
    // The rights that keep others out are taken away, for what is behind them.
    chmodSync(socket, 0o666);
    for (const folder of [ws.temp, join(ws.temp, "..")]) chmodSync(folder, 0o755);
    const code = `require("node:net").connect(${JSON.stringify(socket)}).on("data", (d) => process.stdout.write(d)).resume()`;
    const result = await runProcess(["setpriv", "--reuid", "65534", "node", "-e", code], {
      cwd: "/",
      env: ws.env(),
    });
    expect(JSON.parse(result.stdout)).toMatchObject({ error: { data: { code: "other_user" } } });
    await running.waitForOutput(/a connection of user 65534 was refused/);
  },
);

test.if(unix)("half a message and a client that goes away leave the server as it was [H05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const { socket, running } = await serve(ws, server);
  await using _ = running;
  const raw = connectSocket(socket);
  await new Promise<void>((resolve) => raw.once("connect", () => resolve()));
  raw.write('{"jsonrpc":"2.0","id":1,"method":"prom');
  raw.destroy();
  await using client = await connect({ socket });
  server.reply(say("fine"));
  expect((await (await client.prompt({ text: "hi" })).ended).text).toBe("fine");
});

const wrong: [argv: string[], says: string][] = [
  [["hello"], "--mode rpc takes no prompt"],
  [["-p"], "--mode rpc takes no prompt"],
  [["--continue"], "--continue is nothing for --mode rpc"],
  [["--session", "x"], "--session is nothing for --mode rpc"],
  [["--socket", `/tmp/${"x".repeat(120)}`], "the system takes at most"],
  [["--socket", "no/such/folder/s"], "there is no such file or folder"],
];
test.if(unix).each(wrong)("%j is refused with what is wrong [A-OUT-04]", async (argv, says) => {
  await using ws = await workspace();
  const { code, stdout, stderr } = await pi(ws, ["--mode", "rpc", ...argv]);
  expect({ failed: code !== 0, stdout }).toEqual({ failed: true, stdout: "" });
  expect(stderr).toContain(says);
});
