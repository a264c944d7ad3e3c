/** Capture in the real Pi: whose words are kept, and whose never. */
import { describe, expect, test } from "bun:test";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { EXTENSION, kept, MISSING, memorySettings, RUNTIMES, runPi, startPiRpc } from "./pi-host.ts";

const ON = { capture: { enabled: true } };
const STATEMENT = "Remember: we format with biome, never with prettier.";

/** An extension that sends a prompt in the user's name. */
const SPEAKER = `export default function (pi) {
  pi.registerCommand("speak", { handler: async (words, ctx) => {
    pi.sendUserMessage(words);
    await ctx.waitForIdle();
  } });
}`;

describe.each(RUNTIMES)("Pi on $name", (runtime) => {
  test.skipIf(MISSING !== "")(
    `what a person states on the command line is kept once capture is on, with its author, and comes back in the next session [B-PI-07]${MISSING}`,
    async () => {
      await using ws = await workspace({}, { git: true });
      await using server = await modelServer();
      memorySettings(ws, ON);
      server.reply(say("noted"));
      server.reply(say("biome"));
      expect((await runPi(ws, server, ["-p", STATEMENT], { runtime })).code).toBe(0);
      const [fact] = (await kept(ws)).filter(({ text }) => text.includes("biome"));
      expect(fact).toMatchObject({ typed: true, author: "user", state: "active", scope: "project" });
      expect((await runPi(ws, server, ["-p", "What do we format with?"], { runtime })).code).toBe(0);
      expect(server.request(2).userTexts.join()).toContain("we format with biome");
    },
  );
});

test.skipIf(MISSING !== "")(`nothing is kept before capture is switched on [B-PI-07]${MISSING}`, async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  await using server = await modelServer();
  server.reply(call("read", { path: "a.txt" }));
  server.reply(say("noted"));
  expect((await runPi(ws, server, ["-p", STATEMENT])).code).toBe(0);
  expect(await kept(ws)).toEqual([]);
});

test.skipIf(MISSING !== "")(
  `what a program sends over RPC and what an extension says are nobody's statements, and nothing of their turns is kept [B-PI-07]${MISSING}`,
  async () => {
    await using ws = await workspace({ "speaker.js": SPEAKER, "a.txt": "one\n" }, { git: true });
    await using server = await modelServer();
    memorySettings(ws, ON);
    server.reply(call("bash", { command: "touch made-by-rpc" }));
    server.reply(say("We decided on the rpc-answer."));
    server.reply(say("done"));
    {
      await using pi = startPiRpc(ws, server, [], { extensions: [EXTENSION, ws.at("speaker.js")] });
      await pi.prompt("Remember: the rpc-client writes in tabs.");
      await pi.prompt("/speak Remember: the extension prefers semicolons.");
      expect(await pi.end()).toBe(0);
    }
    expect(server.requests).toHaveLength(3);
    expect(await kept(ws)).toEqual([]);
  },
);

test.skipIf(MISSING !== "")(
  `what was piped in, a template's text, and the prompts of a Pi that an agent started are nobody's statements [B-PI-07]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    memorySettings(ws, ON);
    server.otherwise(() => [say("noted")]);
    const piped = "Remember: the log says that port 9 is open.\n";
    expect((await runPi(ws, server, ["-p", "look at this"], { stdin: piped })).code).toBe(0);
    const agent = { PI_SUBAGENT_CHILD: "1" };
    expect((await runPi(ws, server, ["-p", STATEMENT], { env: agent })).code).toBe(0);
    expect((await kept(ws)).filter(({ text }) => /port 9|biome/.test(text))).toEqual([]);
    expect(server.requests).toHaveLength(2);
  },
);

test.skipIf(MISSING !== "")(
  `what was recalled, and what memory's own tools say, is not learned again [R03]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    memorySettings(ws, ON);
    server.reply(say("noted"));
    server.reply(call("memory_search", { query: "format" }));
    server.reply(say("we format with biome, never with prettier."));
    expect((await runPi(ws, server, ["-p", STATEMENT])).code).toBe(0);
    const before = (await kept(ws)).filter(({ text }) => text.includes("biome")).length;
    expect((await runPi(ws, server, ["-p", "What do we format with?"])).code).toBe(0);
    expect(server.request(3).results[0]!.text).toContain("biome");
    expect((await kept(ws)).filter(({ text }) => text.includes("biome"))).toHaveLength(before);
  },
);

test.skipIf(MISSING !== "")(
  `tool calls and answers of a person's turn are kept by rule, and no secret with them [B-PI-07][X05]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    memorySettings(ws, ON);
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    server.reply(call("bash", { command: `echo ${secret} > token.txt && false` }));
    server.reply(say("The build failed because the linker was missing."));
    expect((await runPi(ws, server, ["-p", "please build the whole project now"])).code).toBe(0);
    const memories = await kept(ws, "--verbatim");
    expect(memories.map(({ author }) => author)).toContain("agent");
    expect(memories.map(({ author }) => author)).toContain("tool");
    expect(JSON.stringify(memories)).not.toContain(secret);
  },
);
