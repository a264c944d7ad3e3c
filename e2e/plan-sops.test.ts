/** Where the instructions of planning come from. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { modelServer, type RecordedRequest, say, type Workspace, workspace } from "@pi-ts/testkit";
import { idle, openPi, send } from "./interactive/support.ts";
import { stateFolder } from "./support/state.ts";

/** What the model was told of the phase, after `/plan`. */
async function told(ws: Workspace, args: readonly string[] = []): Promise<{ text: string; screen: string }> {
  await using server = await modelServer();
  server.otherwise(() => [say("a question?")]);
  await using program = await openPi(ws, server, { cols: 140, rows: 60, args });
  send(program, "/plan some idea");
  await program.waitFor("a question?");
  await idle(program);
  const request: RecordedRequest = server.request(1);
  return { text: request.userTexts.join("\n"), screen: program.screen().join("\n") };
}

test("the project's SOP is used once it is trusted, else the user's own, else the built-in one [A-SOP-02][X01]", async () => {
  await using ws = await workspace();
  expect((await told(ws)).text).toContain("One question in each message");
  ws.write(join(stateFolder(ws), "sops/pdd.md"), "The user's own way of asking.\n");
  const own = (await told(ws)).text;
  expect(own).toContain("The user's own way of asking.");
  expect(own).not.toContain("One question in each message");
  ws.write(".pi-go/sops/pdd.md", "The project's way of asking.\n");
  expect((await told(ws, ["--trust"])).text).toContain("The project's way of asking.");
});

test("hidden characters of an SOP reach the model written out, and the person is told [A-SOP-02][X06]", async () => {
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "sops/pdd.md"), "Ask\u202e nicely.\n");
  const { text } = await told(ws);
  expect(text).toContain("Ask\\u{202e} nicely.");
  expect(text).not.toContain("\u202e");
});
