/** A model of a service that an extension brings, in the terminal. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { modelServer, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { isReady, leave, openPi, send, talk } from "./support.ts";

const SERVICE = `export default (pi) => {
  const model = { id: "m", name: "M", reasoning: false, input: ["text"], contextWindow: 50000, maxTokens: 900, cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } };
  pi.registerProvider("corp", {
    api: "corp-protocol", apiKey: "corp-key-0123456789", models: [model],
    streamSimple(model) {
      const text = "corp says hello";
      const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 5, cost: { total: 0 } };
      const message = { role: "assistant", content: [{ type: "text", text }], api: model.api, provider: model.provider, model: model.id, usage, stopReason: "stop", timestamp: 1 };
      return (async function* () { yield { type: "text_delta", delta: text }; yield { type: "done", reason: "stop", message }; })();
    },
  });
};`;

test("the terminal program starts with a model of an extension's service and talks to it", async () => {
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "extensions/corp.ts"), SERVICE);
  await using program = await openPi(ws, undefined, { args: ["--model", "corp/m"] });
  expect(program.screen().at(-1)).toContain("m");
  await talk(program, "hi", "corp says hello");
  expect(await leave(program)).toBe(0);
});

test("/model changes to a model of an extension's service", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "extensions/corp.ts"), SERVICE);
  await using program = await openPi(ws, server);
  send(program, "/model corp/m");
  await program.waitFor((shown) => / M /.test(shown.screen().at(-1) ?? "") && isReady(shown));
  await talk(program, "hi", "corp says hello");
});

test("the models of an extension's service stand among those to choose from, and nobody asks it for more", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "extensions/corp.ts"), SERVICE);
  await using program = await openPi(ws, server);
  send(program, "/model");
  await program.waitFor("Claude");
  program.type("corp");
  await program.waitFor(/corp\/m|corp +M|M +corp/);
  expect(program.screen().join("\n")).not.toContain("could not be asked");
});
