import { describe, expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { FRAME_INSTRUCTION } from "../../core/recall/frame.ts";
import type { Memory } from "../../runtime/memory.ts";
import { memoryOf } from "../../runtime/test-support/test-memory.ts";
import { startFakeHost } from "./test-support/fake-host.ts";

const FACT = "We deploy with the quokka script, never by hand.";
const QUESTION = "how do we deploy this?";

async function stateEarlier(space: Workspace, ...texts: readonly string[]): Promise<void> {
  await using memory = memoryOf(space);
  for (const text of texts)
    memory.session({ id: "earlier" }).typed({ messageId: text, text, source: "interactive" });
  await memory.idle();
}

/** Kinds and texts of what is remembered. */
async function remembered(space: Workspace): Promise<string[]> {
  await using memory = memoryOf(space);
  const store = await memory.store("read");
  const { scopes } = await memory.context("looking");
  const lists = await Promise.all(scopes.map((scope) => store?.memories.list({ scope }, 100) ?? []));
  return lists.flat().map(({ kind, text }) => `${kind}: ${text}`);
}

describe("recall", () => {
  test("a prompt's block stands before it at each request and is stored nowhere [B-OC-01]", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    await using host = await startFakeHost(space, { noteFile: "/note.md" });
    const config: { instructions?: string[] } = { instructions: ["mine.md"] };
    await host.hooks.config?.(config);
    expect(config.instructions).toEqual(["mine.md", "/note.md"]);
    await host.type("s", QUESTION);
    const first = await host.request("s");
    expect(first).toEqual([expect.stringMatching(/^<recalled-memory[\s\S]*quokka/), QUESTION]);
    expect(await host.request("s")).toEqual(first);
    expect(host.stored("s").flatMap(({ parts }) => parts.map(({ text }) => text))).toEqual([QUESTION]);
  });

  test("without the host's note the frame comes with the sentence that says what it is", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    await using host = await startFakeHost(space);
    await host.type("s", QUESTION);
    expect((await host.request("s"))[0]).toStartWith(`${FRAME_INSTRUCTION}\n<recalled-memory`);
  });

  test("an earlier turn keeps its block, and the next one repeats none of it [P17]", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT, "The staging database lives in Oslo.");
    await using host = await startFakeHost(space);
    await host.type("s", QUESTION);
    const first = await host.request("s");
    await host.answer("s", "With the script.");
    await host.type("s", "and how do we deploy the staging database?");
    const second = await host.request("s");
    expect(second.slice(0, 2)).toEqual(first);
    expect(second.join("\n").split("quokka").length).toBe(2);
    expect(second.join("\n")).toContain("Oslo");
  });

  test("a memory that hangs lets the request go, and one that throws is told in a word [R01]", async () => {
    await using space = await workspace();
    const never = new Promise<never>(() => undefined);
    const hanging = { processPrompt: () => never, sessionStart: () => never, typed: () => undefined };
    const open = (session: object) => () =>
      ({ session: () => session, maintain: () => undefined, close: () => never }) as unknown as Memory;
    const hung = await startFakeHost(space, { open: open(hanging), options: { waitMs: 50 } });
    await hung.type("s", QUESTION);
    expect(await hung.request("s")).toEqual([QUESTION]);
    const failing = {
      ...hanging,
      processPrompt: () => {
        throw new TypeError("quokka");
      },
    };
    const failed = await startFakeHost(space, { open: open(failing) });
    await failed.type("s", QUESTION);
    expect(await failed.request("s")).toEqual([QUESTION]);
    expect(failed.troubles.join("\n")).toContain("TypeError");
    expect(failed.troubles.join("\n")).not.toContain("quokka");
  });

  test("what comes too late for a request is there at the next one", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    const gate = Promise.withResolvers<void>();
    const open = (options: Parameters<typeof import("../../runtime/open-memory.ts").openMemory>[0]) => {
      const memory = memoryOf(space, options);
      const real = memory.session.bind(memory);
      return Object.assign(memory, {
        session: (about: Parameters<Memory["session"]>[0]) => {
          const session = real(about);
          const ask = session.processPrompt.bind(session);
          return Object.assign(session, {
            processPrompt: async (...given: Parameters<typeof ask>) => {
              await gate.promise;
              return ask(...given);
            },
          });
        },
      });
    };
    await using host = await startFakeHost(space, { open, options: { waitMs: 50 } });
    await host.type("s", QUESTION);
    expect(await host.request("s")).toEqual([QUESTION]);
    gate.resolve();
    let texts = await host.request("s");
    while (texts.length === 1) texts = await host.request("s");
    expect(texts[0]).toContain("quokka");
  });

  test("a session that works for another one gets what answers its task, and no start of its own", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT, "I prefer short answers in plain words.");
    const sessionOf = async (id: string) => ({ data: { id, ...(id === "child" ? { parentID: "s" } : {}) } });
    await using host = await startFakeHost(space, { sessionOf });
    const frames = (texts: readonly string[]): number =>
      texts.join("\n").split("</recalled-memory>").length - 1;
    await host.type("s", QUESTION);
    expect(frames(await host.request("s"))).toBe(2);
    await host.prompt({ sessionID: "child", agent: "general", messageID: "m" }, QUESTION);
    const child = await host.request("child");
    expect(child.join("\n")).toContain("quokka");
    expect(frames(child)).toBe(1);
  });
});

describe("compaction", () => {
  test("its writer gets no memory, neither recalled nor looked up, and with the option one line [B-OC-01]", async () => {
    for (const compaction of [false, true]) {
      await using space = await workspace();
      await stateEarlier(space, FACT);
      await using host = await startFakeHost(space, { options: { compaction } });
      await host.type("s", QUESTION);
      await host.request("s");
      await host.tool("s", { tool: "memory_search", state: { status: "completed", output: FACT } });
      await host.tool("s", { tool: "bash", state: { status: "completed", output: "deployed" } });
      const { context, texts } = await host.compact("s");
      expect(texts.join("\n")).not.toContain("quokka");
      expect(texts).toContain("deployed");
      expect(context).toHaveLength(compaction ? 1 : 0);
      expect(context.join("\n")).not.toContain("quokka");
      expect((await host.request("s"))[0]).toContain("quokka");
    }
  });
});

describe("capture", () => {
  test("takes what is typed, what was answered, and what tools did, with paths as they are called in the project [B-OC-01]", async () => {
    await using space = await workspace();
    {
      await using host = await startFakeHost(space);
      await host.type("s", "Remember: we deploy with blue.sh.", [
        { text: "the host read a cassowary", synthetic: true },
      ]);
      const input = { filePath: `${space.path}/src/a.ts` };
      await host.tool("s", { tool: "edit", state: { status: "completed", input, output: "done" } });
      await host.tool("s", { tool: "read", state: { status: "error", input, error: "Error: no such file" } });
      await host.tool("s", { tool: "bash", state: { status: "running", input: { command: "marmot" } } });
      await host.answer("s", "I have put the shoebill into its place, all is well.");
    }
    const kept = (await remembered(space)).join("\n");
    expect(kept).toContain("prompt: Remember: we deploy with blue.sh.");
    expect(kept).toContain("edit: src/a.ts");
    expect(kept).toContain("read: src/a.ts | failed");
    expect(kept).toContain("answer: I have put the shoebill");
    for (const word of ["cassowary", "marmot"]) expect(kept).not.toContain(word);
  });

  test("leaves out summaries, answers that were cut off, and calls that a rule refused [R03]", async () => {
    await using space = await workspace();
    {
      await using host = await startFakeHost(space);
      await host.type("s", "please go on with it");
      await host.answer("s", "The summary speaks of a marmot and its burrow.", { summary: true });
      await host.answer("s", "The answer was cut at the jabiru and never", { finish: "length" });
      await host.answer("s", "The answer broke at the hornbill and never", { error: { name: "Aborted" } });
      await host.tool("s", {
        tool: "read",
        state: {
          status: "error",
          input: { filePath: "kakapo.txt" },
          error: "The user rejected permission to use this specific tool call.",
        },
      });
    }
    const kept = (await remembered(space)).join("\n");
    for (const word of ["marmot", "jabiru", "hornbill", "kakapo"]) expect(kept).not.toContain(word);
  });

  test("counts nobody's words as a person's: of a command, a program, a helper, or a session that the host does not know [R03]", async () => {
    await using space = await workspace();
    {
      const sessionOf = async (id: string) =>
        id === "unknown" ? {} : { data: { id, ...(id === "child" ? { parentID: "s" } : {}) } };
      await using host = await startFakeHost(space, { sessionOf });
      const say = "Remember: we always use the quokka.";
      await host.hooks["command.execute.before"]?.({ command: "tag", sessionID: "s" }, { parts: [] });
      await host.type("s", say);
      await host.prompt({ sessionID: "s" }, say);
      await host.prompt({ sessionID: "s", agent: "build", model: {}, messageID: "m" }, say);
      await host.type("child", say);
      await host.type("unknown", say);
    }
    expect(await remembered(space)).toEqual([]);
  });
});

test("a wrong call of a tool is answered in words, and so is one after the end [B-OC-01]", async () => {
  await using space = await workspace();
  const host = await startFakeHost(space);
  expect(await host.call("s", "memory_search", { query: 3 })).toContain("query is no text");
  expect(await host.call("s", "memory_search", {})).toContain("query is missing");
  expect(await host.call("s", "memory_submit_correction", { statement: "It is so." })).toContain(
    "no earlier prompt to correct",
  );
  await host[Symbol.asyncDispose]();
  expect(await host.call("s", "memory_search", { query: "x" })).toContain("Go on without it");
  expect(await host.type("s", "Remember: we always use the quokka.")).toBeString();
  expect(await host.request("s")).toEqual(["Remember: we always use the quokka."]);
});

test("its end waits neither for a turn that never ends nor for a memory that never closes", async () => {
  await using space = await workspace();
  const never = new Promise<never>(() => undefined);
  const session = { processPrompt: () => never, typed: () => undefined, end: () => never };
  const memory = { session: () => session, maintain: () => undefined, close: () => never };
  const host = await startFakeHost(space, { open: () => memory as unknown as Memory });
  await host.type("s", QUESTION);
  await host[Symbol.asyncDispose]();
  expect(host.troubles).toEqual([]);
});

test("only programs that a model starts are told that an agent runs them", async () => {
  await using space = await workspace();
  await using host = await startFakeHost(space);
  const own = { env: {} as Record<string, string> };
  await host.hooks["shell.env"]?.({}, own);
  expect(own.env).toEqual({});
  await host.hooks["shell.env"]?.({ callID: "c" }, own);
  expect(own.env).toEqual({ REMEM_AGENT: "1" });
});
