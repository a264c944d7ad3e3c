/** Memory in Pi's terminal program: what is typed there, and what goes on behind it. */
import { expect, test } from "bun:test";
import { modelServer, say, startTerminal, workspace } from "@pi-ts/testkit";
import { openMemory } from "agentic-remem/runtime";
import { rememData } from "../support/remem.ts";
import { kept, MISSING, memorySettings, piHost, startPiRpc } from "./pi-host.ts";

test.skipIf(MISSING !== "")(
  `what is typed in the terminal is kept, is known after /new, and the program ends cleanly [B-PI-03][B-PI-07]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    memorySettings(ws, { capture: { enabled: true } });
    server.reply(say("I noted the lantern."));
    server.reply(say("Through the script of before."));
    const { argv, cwd, env } = piHost(ws, server, []);
    await using pi = startTerminal(argv, { cwd, env, cols: 120, rows: 40 });
    await pi.waitFor("[Extensions]");
    pi.type("Remember: the staging deploy goes through blue-lantern.sh.");
    pi.press("enter");
    await pi.waitFor("I noted the lantern.");
    pi.type("/new");
    pi.press("enter");
    await pi.waitFor((program) => !program.screen().join("\n").includes("I noted the lantern."));
    pi.type("How do we deploy to staging?");
    pi.press("enter");
    await pi.waitFor("Through the script of before.");
    expect(server.request(2).userTexts.some((text) => text.includes("<recalled-memory"))).toBe(true);
    pi.press("ctrl+d");
    expect((await pi.exited).code).toBe(0);
    const [fact] = (await kept(ws)).filter(({ text }) => text.includes("blue-lantern"));
    expect(fact).toMatchObject({ typed: true, author: "user" });
  },
);

test.skipIf(MISSING !== "")(
  `any input makes the vectors that are missing, whoever it comes from [B-PI-08]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    {
      await using memory = openMemory({
        host: "remem",
        cwd: ws.path,
        home: ws.home,
        environment: ws.env(),
        ignoreFiles: true,
        settings: { capture: { enabled: true }, embedding: { kind: "off" } },
      });
      const text = "Remember: the staging deploy goes through blue-lantern.sh.";
      memory.session({ id: "earlier" }).typed({ messageId: "m", text, source: "interactive" });
      await memory.idle();
    }
    const vectors = async () =>
      (await rememData<{ vectors: { settled: number; memories: number } }>(ws, ["status"])).vectors;
    expect((await vectors()).settled).toBe(0);
    server.reply(say("done"));
    {
      await using pi = startPiRpc(ws, server);
      await pi.prompt("hello");
      expect(await pi.end()).toBe(0);
    }
    const { settled, memories } = await vectors();
    expect(memories).toBeGreaterThan(0);
    expect(settled).toBe(memories);
  },
);
