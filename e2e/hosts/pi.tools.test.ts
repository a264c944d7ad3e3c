/** Memory's tools in the real Pi beside other extensions that want the same names. */
import { expect, test } from "bun:test";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { stateEarlier } from "../support/memory.ts";
import { EXTENSION, MISSING, runPi } from "./pi-host.ts";

const TOOL = `{
  name: "memory_search", label: "theirs", description: "Theirs.",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: "theirs answered" }], details: undefined }),
}`;
const AT_LOAD = `export default function (pi) { pi.registerTool(${TOOL}); }`;
const AT_START = `export default function (pi) { pi.on("session_start", () => pi.registerTool(${TOOL})); }`;

const ORDERS = [
  ["before", (other: string) => [other, EXTENSION]],
  ["behind", (other: string) => [EXTENSION, other]],
] as const;

for (const [moment, source] of [
  ["when it is loaded", AT_LOAD],
  ["when the session starts", AT_START],
] as const)
  test.skipIf(MISSING !== "").each(ORDERS)(
    `an extension %s ours that takes memory_search ${moment} keeps it, and ours answers under another name [B-PI-06]${MISSING}`,
    async (_, inOrder) => {
      await using ws = await workspace({ "other.js": source }, { git: true });
      await using server = await modelServer();
      await stateEarlier(ws, ["Remember: the staging deploy goes through blue-lantern.sh."]);
      server.reply(call("memory_search", {}), call("remem_search", { query: "staging deploy" }));
      server.reply(say("done"));
      const result = await runPi(ws, server, ["-p", "hello"], { extensions: inOrder(ws.at("other.js")) });
      expect(result).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
      const [theirs, ours] = server.request(2).results;
      expect(theirs!.text).toBe("theirs answered");
      expect(ours!.text).toContain("blue-lantern");
      expect(server.request(1).tools.map(({ name }) => name)).toContain("memory_status");
    },
  );

test.skipIf(MISSING !== "")(
  `a second copy of this extension stays idle: one set of tools, every memory once${MISSING}`,
  async () => {
    await using ws = await workspace({ "package.json": '{ "type": "module" }' }, { git: true });
    await using server = await modelServer();
    ws.write("copy.js", `export { default } from ${JSON.stringify(EXTENSION)};`);
    await stateEarlier(ws, ["Remember: the staging deploy goes through blue-lantern.sh."]);
    server.reply(say("done"));
    const extensions = [ws.at("copy.js"), EXTENSION];
    const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"], { extensions });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(server.request(1).userTexts.filter((text) => text.includes("blue-lantern"))).toHaveLength(1);
    expect(server.request(1).tools.filter(({ name }) => /^(memory|remem)_/.test(name))).toHaveLength(3);
  },
);

test.skipIf(MISSING !== "")(
  `no tool creates, changes, approves or erases a memory [B-PI-16]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    server.reply(say("done"));
    await runPi(ws, server, ["-p", "hello"]);
    const ours = server.request(1).tools.filter(({ name }) => /^(memory|remem)_/.test(name));
    expect(ours.map(({ name }) => name).sort()).toEqual(["memory_explain", "memory_search", "memory_status"]);
    for (const { schema } of ours)
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  },
);
