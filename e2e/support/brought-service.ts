/** Extensions that bring a service of their own, `corp`, with the model `m`. */
import { join } from "node:path";
import type { ModelServer, Workspace } from "@pi-ts/testkit";
import { stateFolder } from "./state.ts";

/** The key that its requests carry. */
const KEY = "corp-key-0123456789";
const MODEL =
  '{ id: "m", name: "M", reasoning: false, input: ["text"], contextWindow: 50000, maxTokens: 900, cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }';

/** A service that only the extension's own code speaks to. It answers with how many prompts it saw, and how often its module was loaded. */
export function bringOwnCode(ws: Workspace): void {
  extension(
    ws,
    `globalThis.loads = (globalThis.loads ?? 0) + 1;
export default (pi) => pi.registerProvider("corp", {
  api: "corp-protocol", apiKey: "${KEY}", models: [${MODEL}],
  streamSimple(model, context) {
    const text = context.messages.filter(({ role }) => role === "user").length + " asked, loaded " + globalThis.loads;
    const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 5, cost: { total: 0 } };
    const message = { role: "assistant", content: [{ type: "text", text }], api: model.api, provider: model.provider, model: model.id, usage, stopReason: "stop", timestamp: 1 };
    return (async function* () { yield { type: "text_delta", delta: text }; yield { type: "done", reason: "stop", message }; })();
  },
});`,
  );
}

/** A service that speaks a protocol of pi's, at the scripted one's address. */
export function bringKnownProtocol(ws: Workspace, server: ModelServer): void {
  extension(
    ws,
    `export default (pi) => pi.registerProvider("corp", { baseUrl: ${JSON.stringify(server.baseUrl("openai-chat"))}, api: "openai-completions", apiKey: "${KEY}", models: [${MODEL}] });`,
  );
}

function extension(ws: Workspace, text: string): void {
  ws.write(join(stateFolder(ws), "extensions/corp.ts"), text);
}
