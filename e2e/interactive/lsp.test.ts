/** Language servers in the terminal. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { userConfig } from "../support/mcp.ts";
import { ROOT } from "../support/pi.ts";
import { openPi, send, talk } from "./support.ts";

const FAKE = join(ROOT, "packages/agent/src/lsp/__fixtures__/fake-server.mjs");

test("/rewind after an edit that a server formatted brings the exact bytes back, and undo those that it formatted [A-LSP-01][A-SESS-02][L04]", async () => {
  await using server = await modelServer();
  const before = "\ufeffone\r\n    two \r\n";
  await using ws = await workspace({ "a.fake": before });
  const script = join(ws.outside, "script.json");
  ws.write(script, JSON.stringify({ answers: { "textDocument/formatting": [{ format: "tabs" }] } }));
  const fake = { command: "node", args: [FAKE, script], extensions: [".fake"] };
  userConfig(ws, { lsp: { servers: { fake } } });
  await using program = await openPi(ws, server, { rows: 40 });
  server.reply(call("lsp-diagnostics", { file: "a.fake" }));
  server.reply(call("edit", { file_path: "a.fake", old_string: "one", new_string: "  1" }));
  server.reply(say("It is a number now."));
  await talk(program, "number them", "It is a number now.");
  const after = ws.read("a.fake");
  expect(server.request(3).results.at(-1)?.text).toContain("fake formatted the file");
  expect(after).toStartWith("\ufeff\t1\r\n");
  send(program, "/rewind");
  await program.waitFor("Go back to before a message");
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor('You are before "number them". 1 file changed.');
  expect(ws.read("a.fake")).toBe(before);
  program.press("ctrl+c");
  send(program, "/rewind undo");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor("It is a number now.");
  expect(ws.read("a.fake")).toBe(after);
});
