/** Models of services that extensions bring, named on the command line, in the settings and by a session that goes on. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { pi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

/** Answers itself with what it was asked, and says how often its module was loaded. */
const SERVICE = `globalThis.loads = (globalThis.loads ?? 0) + 1;
export default (pi) => {
  const model = { id: "m", name: "M", reasoning: false, input: ["text"], contextWindow: 50000, maxTokens: 900, cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } };
  pi.registerProvider("corp", {
    api: "corp-protocol", apiKey: "corp-key-0123456789", models: [model],
    streamSimple(model, context) {
      const text = context.messages.filter(({ role }) => role === "user").length + " asked, loaded " + globalThis.loads;
      const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 5, cost: { total: 0 } };
      const message = { role: "assistant", content: [{ type: "text", text }], api: model.api, provider: model.provider, model: model.id, usage, stopReason: "stop", timestamp: 1 };
      return (async function* () { yield { type: "text_delta", delta: text }; yield { type: "done", reason: "stop", message }; })();
    },
  });
};`;

function withService(ws: Workspace): void {
  ws.write(join(stateFolder(ws), "extensions/corp.ts"), SERVICE);
}

test("--model names a model of an extension's service, which is loaded once, and a session goes on with it", async () => {
  await using ws = await workspace();
  withService(ws);
  const first = await pi(ws, ["--model", "corp/m", "-p", "hi"]);
  expect(first).toMatchObject({ stdout: "1 asked, loaded 1\n", code: 0 });
  const next = await pi(ws, ["-c", "-p", "more"]);
  expect(next).toMatchObject({ stdout: "2 asked, loaded 1\n", code: 0 });
});

test("the default model of the settings may be one of an extension's service", async () => {
  await using ws = await workspace();
  withService(ws);
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ roles: { default: { provider: "corp", model: "m" } } }),
  );
  expect(await pi(ws, ["-p", "hi"])).toMatchObject({ stdout: "1 asked, loaded 1\n", code: 0 });
});

test("a provider that nobody brings is told of as ever, and extensions that are switched off bring none", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  withService(ws);
  const unknown = await pi(ws, ["--model", "crop/m", "-p", "hi"], { server });
  expect(unknown.code).toBe(4);
  expect(unknown.stderr).toContain("crop");
  const off = await pi(ws, ["--no-extensions", "--model", "corp/m", "-p", "hi"], { server });
  expect(off.code).toBe(4);
  server.reply(say("fine"));
  expect((await pi(ws, ["-p", "hi"], { server })).stdout).toBe("fine\n");
});
