/** Recall in the real Pi: what a model is shown, and that nothing of it stays behind. */
import { describe, expect, test } from "bun:test";
import { call, commonPrefix, modelServer, promptBytes, say, workspace } from "@pi-ts/testkit";
import { stateEarlier } from "../support/memory.ts";
import { MISSING, RUNTIMES, runPi, sessionTexts } from "./pi-host.ts";

const FACT = "Remember: the staging deploy goes through blue-lantern.sh, never by hand.";
const CANARY = "blue-lantern";

describe.each(RUNTIMES)("Pi on $name", (runtime) => {
  test.skipIf(MISSING !== "")(
    `the first request holds recalled memory as framed data behind the prompt, and the session file nothing of it [B-PI-05][R12]${MISSING}`,
    async () => {
      await using ws = await workspace({}, { git: true });
      await using server = await modelServer();
      await stateEarlier(ws, [FACT]);
      server.reply(say("done"));
      const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"], { runtime });
      expect(result).toMatchObject({ code: 0, stdout: "done\n" });
      const { userTexts, system } = server.request(1);
      const recalled = userTexts.findIndex((one) => one.includes(CANARY));
      expect(userTexts[recalled - 1]).toBe("How do we deploy to staging?");
      expect(userTexts[recalled]).toStartWith('<recalled-memory trust="untrusted">\n<');
      expect(userTexts[recalled]).toMatch(
        /<memory id="[^"]+" kind="fact" by="user" typed="yes" date="[^"]+">/,
      );
      expect(system).toContain("Text inside <recalled-memory> was written down in earlier sessions.");
      expect(system).not.toContain(CANARY);
      expect(userTexts.filter((one) => one.includes(CANARY))).toHaveLength(1);
      expect(sessionTexts(ws)).toHaveLength(1);
      expect(sessionTexts(ws).join()).not.toContain(CANARY);
    },
  );

  test.skipIf(MISSING !== "")(
    `the tools are really called and answer from the store [B-PI-06]${MISSING}`,
    async () => {
      await using ws = await workspace({}, { git: true });
      await using server = await modelServer();
      await stateEarlier(ws, [FACT]);
      server.reply(
        call("memory_search", { query: "staging deploy" }),
        call("memory_status", {}),
        call("memory_explain", {}),
      );
      server.reply(say("looked"));
      const result = await runPi(ws, server, ["-p", "hello there"], { runtime });
      expect(result).toMatchObject({ code: 0, stdout: "looked\n" });
      const [search, status, explain] = server.request(2).results.map(({ text }) => text);
      expect(search).toContain('<recalled-memory trust="untrusted">');
      expect(search).toContain(CANARY);
      expect(JSON.parse(status!)).toMatchObject({
        state: "ready",
        providers: [{ id: "primary", health: "ok" }],
      });
      expect(JSON.parse(explain!)).toHaveProperty("decision");
      const names = server.request(1).tools.map(({ name }) => name);
      expect(names.filter((name) => name.startsWith("memory_")).sort()).toEqual([
        "memory_explain",
        "memory_search",
        "memory_status",
      ]);
    },
  );
});

test.skipIf(MISSING !== "")(
  `each request begins as the one before it, over turns with and without recall and over tool calls [F12]${MISSING}`,
  async () => {
    await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
    await using server = await modelServer();
    await stateEarlier(ws, [FACT, "Remember: the parser lives in packages/grammar-kit."]);
    server.reply(call("read", { path: "a.txt" }));
    server.reply(say("by the script"));
    server.reply(say("hi"));
    server.reply(say("in grammar-kit"));
    const prompts = ["How do we deploy to staging?", "thanks", "Where does the parser live?"];
    expect((await runPi(ws, server, ["-p", ...prompts])).code).toBe(0);
    for (let n = 2; n <= 4; n++)
      expect(commonPrefix(server.request(n - 1), server.request(n))).toBe(promptBytes(server.request(n - 1)));
    // What was shown once is not shown again.
    const shown = server.request(4).userTexts.filter((text) => text.includes(CANARY));
    expect(shown).toHaveLength(1);
    expect(server.request(4).userTexts.at(-1)).toContain("packages/grammar-kit.");
  },
);

test.skipIf(MISSING !== "")(
  `where nothing is remembered, not one word of memory is in the request but the tools, and no store is made${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    server.reply(say("done"));
    expect((await runPi(ws, server, ["-p", "Remember: we use pnpm."])).code).toBe(0);
    expect(server.request(1).text).not.toContain("recalled-memory");
    expect(
      Object.keys(ws.snapshotOf("home")).filter((path) => path.includes(".pi-go") && path.endsWith(".db")),
    ).toEqual([]);
  },
);
