/** Compaction and branch summaries of the real Pi, with and without memory's part in them. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Block,
  fail,
  type ModelServer,
  modelServer,
  type RecordedRequest,
  say,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { stateEarlier } from "../support/memory.ts";
import {
  agentFolder,
  EXTENSION,
  MISSING,
  memorySettings,
  type PiRpc,
  sessionTexts,
  startPiRpc,
} from "./pi-host.ts";

/** A standing preference: it belongs beside every summary, and comes with every first prompt. */
const CANARY = "cobalt-heron";
const PREFERENCE = `Always use the ${CANARY} theme in screenshots.`;
const PROMPTS = [
  "Where is the parser? It matters a lot to us.",
  "And the printer? Look at it closely, please.",
];
const SUMMARY = "The user asked for parser and printer.";

/** Leaves the branch for its first prompt, as /tree does. */
const TREE = `export default function (pi) {
  pi.registerCommand("leave", { handler: async (words, ctx) => {
    const first = ctx.sessionManager.getBranch().find((entry) => entry.type === "message" && entry.message.role === "user");
    const [how, ...rest] = words.split(" ");
    await ctx.navigateTree(first.id, {
      summarize: how !== "plain",
      ...(rest.length === 0 ? {} : { customInstructions: rest.join(" "), replaceInstructions: how === "replace" }),
    });
  } });
}`;

interface Stored {
  readonly type: string;
  readonly summary?: string;
  readonly fromHook?: boolean;
  readonly details?: unknown;
}

function entries(ws: Workspace, type: string): Stored[] {
  return sessionTexts(ws)
    .flatMap((text) => text.trim().split("\n"))
    .map((line) => JSON.parse(line) as Stored)
    .filter((entry) => entry.type === type);
}

function isSummary({ tools }: RecordedRequest): boolean {
  return tools.length === 0;
}

/** A session of two turns whose model answers requests for a summary as told. */
async function talked(
  ws: Workspace,
  options: { readonly compaction: boolean; readonly summary: Block[] },
  work: (pi: PiRpc, summaries: () => RecordedRequest[], server: ModelServer) => Promise<void>,
): Promise<void> {
  await using server = await modelServer();
  await stateEarlier(ws, [PREFERENCE]);
  memorySettings(ws, { compaction: options.compaction });
  mkdirSync(agentFolder(ws), { recursive: true });
  const pi = { compaction: { keepRecentTokens: 1, reserveTokens: 1_000 }, retry: { enabled: false } };
  writeFileSync(join(agentFolder(ws), "settings.json"), JSON.stringify(pi));
  server.otherwise((request) => (isSummary(request) ? options.summary : [say("It is in its folder.")]));
  await using rpc = startPiRpc(ws, server, [], { extensions: [EXTENSION, ws.at("tree.js")] });
  for (const prompt of PROMPTS) await rpc.prompt(prompt);
  expect(server.request(1).text).toContain(CANARY);
  await work(rpc, () => server.requests.filter(isSummary), server);
  expect(await rpc.end()).toBe(0);
}

const FILES = { "tree.js": TREE };

describe("compaction", () => {
  test.skipIf(MISSING !== "")(
    `without the option Pi's own summary stands, and no memory is in it, nor in what it was made of${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: false, summary: [say(SUMMARY)] }, async (pi, summaries) => {
        await pi.command("compact");
        expect(summaries().length).toBeGreaterThan(0);
        for (const { text } of summaries()) expect(text).not.toContain(CANARY);
        await pi.prompt("Go on with the parser now, please.");
      });
      const [entry] = entries(ws, "compaction");
      expect(entry!.fromHook).not.toBe(true);
      expect(sessionTexts(ws).join()).not.toContain(CANARY);
    },
  );

  test.skipIf(MISSING !== "")(
    `what stands comes back beside the summary, and is not in the session${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: false, summary: [say(SUMMARY)] }, async (pi, _, server) => {
        await pi.command("compact");
        await pi.prompt("Go on with the parser now, please.");
        const next = server.requests.at(-1)!;
        expect(next.text).toContain(SUMMARY);
        expect(next.text).not.toContain(PROMPTS[0]!);
        expect(next.userTexts.at(-1)).toContain(CANARY);
        const { messages } = (await pi.command("get_messages")) as { messages: unknown[] };
        expect(JSON.stringify(messages)).not.toContain(CANARY);
      });
    },
  );

  test.skipIf(MISSING !== "")(
    `with the option the model's summary of the whole conversation stands, with what stands behind it and the rest of Pi's facts [B-PI-09]${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: true, summary: [say(SUMMARY)] }, async (pi, summaries) => {
        await pi.command("compact", { customInstructions: "mind the printer" });
        const [request, ...more] = summaries();
        expect(more).toEqual([]);
        expect(request!.text).toContain("Where is the parser?");
        expect(request!.text).toContain("It is in its folder.");
        expect(request!.text).toContain("mind the printer");
        expect(request!.text).not.toContain(CANARY);
      });
      const [entry] = entries(ws, "compaction");
      expect(entry!.fromHook).toBe(true);
      expect(entry!.summary).toStartWith(SUMMARY);
      expect(entry!.summary).toMatch(
        /<recalled-memory trust="untrusted">[\s\S]*cobalt-heron[\s\S]*<\/recalled-memory>/,
      );
      expect(entry!.details).toEqual({ readFiles: [], modifiedFiles: [] });
    },
  );

  test.skipIf(MISSING !== "").each([
    ["an empty answer", [say(" ")]],
    ["an answer that was cut", [say("half a"), { kind: "stop", reason: "length" } as Block]],
  ])(
    `with the option and %s, Pi makes its own, and no memory alone is a summary [B-PI-09]${MISSING}`,
    async (_, answer) => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: true, summary: answer as Block[] }, async (pi, summaries) => {
        await pi.command("compact").catch(() => undefined);
        expect(summaries().length).toBeGreaterThan(1);
      });
      for (const { fromHook, summary } of entries(ws, "compaction")) {
        expect(fromHook).not.toBe(true);
        expect(summary).not.toContain(CANARY);
      }
    },
  );

  test.skipIf(MISSING !== "")(
    `with the option, a summary that is asked for again does not take up what was remembered in the first one [R03]${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: true, summary: [say(SUMMARY)] }, async (pi, summaries) => {
        await pi.command("compact");
        await pi.prompt("Go on with the parser now, please.");
        await pi.prompt("And then with the printer.");
        await pi.command("compact");
        expect(summaries()).toHaveLength(2);
        expect(summaries()[1]!.text).toContain(SUMMARY);
        expect(summaries()[1]!.text).not.toContain(CANARY);
      });
    },
  );
});

describe("a branch that is left", () => {
  test.skipIf(MISSING !== "")(
    `without the option Pi summarises it, and no memory is in the summary nor in what it was made of${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: false, summary: [say(SUMMARY)] }, async (pi, summaries) => {
        await pi.command("prompt", { message: "/leave summary" });
        expect(summaries()).toHaveLength(1);
        expect(summaries()[0]!.text).not.toContain(CANARY);
      });
      expect(entries(ws, "branch_summary")[0]!.fromHook).not.toBe(true);
      expect(sessionTexts(ws).join()).not.toContain(CANARY);
    },
  );

  test.skipIf(MISSING !== "")(
    `with the option the model's summary stands, with the user's focus and what stands behind it [B-PI-10]${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: true, summary: [say(SUMMARY)] }, async (pi, summaries) => {
        await pi.command("prompt", { message: "/leave summary mind the printer" });
        expect(summaries()).toHaveLength(1);
        expect(summaries()[0]!.text).toContain("And the printer?");
        expect(summaries()[0]!.text).toMatch(/## Goal[\s\S]*mind the printer/);
        expect(summaries()[0]!.text).not.toContain(CANARY);
      });
      const [entry] = entries(ws, "branch_summary");
      expect(entry!.fromHook).toBe(true);
      expect(entry!.summary).toContain(SUMMARY);
      expect(entry!.summary).toContain(CANARY);
    },
  );

  test.skipIf(MISSING !== "")(
    `with the option the user's instructions can take the place of ours [B-PI-10]${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: true, summary: [say(SUMMARY)] }, async (pi, summaries) => {
        await pi.command("prompt", { message: "/leave replace Only name the files." });
        expect(summaries()[0]!.text).toContain("Only name the files.");
        expect(summaries()[0]!.text).not.toContain("## Goal");
      });
    },
  );

  test.skipIf(MISSING !== "")(
    `no summary is made where the user wants none, and none of memory where the model fails [B-PI-11]${MISSING}`,
    async () => {
      await using ws = await workspace(FILES, { git: true });
      await talked(ws, { compaction: true, summary: [fail(400)] }, async (pi, summaries) => {
        await pi.command("prompt", { message: "/leave plain" });
        expect(summaries()).toEqual([]);
        await pi.prompt("Another way, then.");
        await pi.command("prompt", { message: "/leave summary" });
        expect(summaries()).toHaveLength(2);
      });
      expect(entries(ws, "branch_summary").filter(({ summary }) => summary?.includes(CANARY))).toEqual([]);
    },
  );
});
