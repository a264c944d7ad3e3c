/** The client as it is published: `pi-ts/rpc` out of the package, on plain Node, against the built executable. */
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, runProcess, say, workspace } from "@pi-ts/testkit";
import { ROOT, startPi } from "./support/pi.ts";

const unix = process.platform !== "win32";

const PROGRAM = `
import { connect, RpcError } from "pi-ts/rpc";
const client = await connect();
const run = await client.prompt({ text: "What is in a.txt?" });
const types = new Set();
for await (const event of run) types.add(event.type);
const { text, stop_reason } = await run.ended;
const refused = await client.call("steer", { session_id: run.sessionId, text: "late" }).catch((error) => error);
const { sessions } = await client.call("session.list", {});
console.log(JSON.stringify({ text, stop_reason, types: [...types], refused: [refused instanceof RpcError, refused.reason], sessions: sessions.length }));
await client.call("shutdown");
await client.closed;
`;

test.if(unix)("a program on plain Node finds the server, runs a prompt and ends it [A-OUT-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "PLUM", "use.mjs": PROGRAM });
  const agent = join(ROOT, "packages/agent");
  for (const path of ["package.json", "dist/rpc"])
    cpSync(join(agent, path), ws.at(`node_modules/pi-ts/${path}`), { recursive: true });
  server.reply(call("read", { file_path: "a.txt" }));
  server.reply(say("PLUM"));
  const env = { XDG_RUNTIME_DIR: ws.temp };
  await using running = startPi(ws, ["--mode", "rpc"], { server, env });
  await running.waitForOutput(/"type":"ready"/);
  const result = await runProcess(["node", "use.mjs"], { cwd: ws.path, env: ws.env(env) });
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(result.stdout)).toEqual({
    text: "PLUM",
    stop_reason: "end",
    types: ["message_start", "turn_end", "tool_call", "tool_result", "text_delta", "message_end"],
    refused: [true, "not_busy"],
    sessions: 1,
  });
  expect((await running.exited).code).toBe(0);
});
