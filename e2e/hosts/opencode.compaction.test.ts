/** Compaction in the real OpenCode: what the writer of a summary is given, with and without the option, and what comes after. */
import { describe, expect, test } from "bun:test";
import { call, type ModelServer, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { stateEarlier } from "../support/memory.ts";
import {
  conversation,
  keptByOpencode,
  MISSING,
  plugin,
  rememberedWith,
  type Serving,
  serve,
  setUpOpencode,
} from "./opencode-host.ts";

const FACT = "We deploy with the quokka script, never by hand.";
const QUESTION = "how do we deploy this?";
const SUMMARY = "The person asked how to deploy, and the work on the marmot is half done.";

describe.skipIf(MISSING !== "")(`OpenCode compacts${MISSING}`, () => {
  const twoTurns = async (
    ws: Workspace,
    server: ModelServer,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly host: Serving; readonly session: string }> => {
    await stateEarlier(ws, [FACT]);
    setUpOpencode(ws, { server, plugin: [plugin(options)] });
    server.when(({ system }) => system.startsWith("You are a title generator")).reply(say("A title"));
    server.when(({ tools }) => tools.length === 0).reply(say(SUMMARY));
    server.reply(call("memory_search", { query: "deploy script" }));
    server.reply(say("I have found out how it is done, and will go on with it."));
    const host = await serve(ws);
    const session = await host.session();
    await host.prompt(session, QUESTION);
    await host.post(`/session/${session}/summarize`, { providerID: "test", modelID: "test-model" });
    return { host, session };
  };
  const summaryRequest = (server: ModelServer) =>
    server.requests.find(({ text }) => text.includes("<conversation>"))!;

  test("no memory gets into a summary, neither recalled nor looked up, and nothing is added to its writer's text [B-OC-01]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    const { host } = await twoTurns(ws, server, {});
    await using _ = host;
    expect(conversation(server).at(-1)!.text).toContain("quokka");
    const { text } = summaryRequest(server);
    expect(text).toContain(QUESTION);
    expect(text).not.toContain("quokka");
    expect(text).not.toContain("Recalled memories are kept elsewhere");
  });

  test("with `compaction` its writer is told in one line to leave memories out, and still gets none [B-OC-01]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    const { host } = await twoTurns(ws, server, { compaction: true });
    await using _ = host;
    const { text } = summaryRequest(server);
    expect(text).toContain("Recalled memories are kept elsewhere");
    expect(text).not.toContain("quokka");
  });

  test("after it memory comes back before the next prompt, what the tools answered is kept by OpenCode as it was, and the summary is learned by nobody [R03]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    const { host, session } = await twoTurns(ws, server, {
      capture: { enabled: true },
      typed: ["serve"],
    });
    await using _ = host;
    server.reply(say("It is done with the script, which the cassowary keeps in its nest."));
    await host.prompt(session, "and how do we deploy it now?");
    const { userTexts } = conversation(server).at(-1)!;
    expect(userTexts.at(-1)).toBe("and how do we deploy it now?");
    expect(userTexts.at(-2)).toContain("quokka script");
    expect(conversation(server).at(-1)!.text).toContain(SUMMARY);
    expect(keptByOpencode(ws)).toContain("quokka script");
    expect((await rememberedWith(ws, "cassowary")).join("\n")).not.toContain("marmot");
  });
});
