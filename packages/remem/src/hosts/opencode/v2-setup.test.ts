import { describe, expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { FRAME_INSTRUCTION } from "../../core/recall/frame.ts";
import { memoryOf } from "../../runtime/test-support/test-memory.ts";
import { readHandshake } from "../shared/handshake.ts";
import { FakeMessage, FakeV2Host } from "./test-support/fake-v2-host.ts";
import { setUp } from "./v2-setup.ts";

const FACT = "We deploy with the quokka script, never by hand.";
const QUESTION = "how do we deploy this?";
const KEEPS = { waitMs: 10_000, capture: { enabled: true } };

const started = async (
  space: Workspace,
  host: FakeV2Host,
): Promise<AsyncDisposable & { ended(): Promise<void> }> => {
  const end = await setUp(host.context, { environment: space.env(), home: space.home });
  const ended = async (): Promise<void> => end?.();
  return { ended, [Symbol.asyncDispose]: ended };
};

async function stateEarlier(space: Workspace, text: string): Promise<void> {
  await using memory = memoryOf(space);
  memory.session({ id: "earlier" }).typed({ messageId: text, text, source: "interactive" });
  await memory.idle();
}

async function remembered(space: Workspace): Promise<string> {
  await using memory = memoryOf(space);
  const store = await memory.store("read");
  const { scopes } = await memory.context("looking");
  const lists = await Promise.all(scopes.map((scope) => store?.memories.list({ scope }, 100) ?? []));
  return lists
    .flat()
    .map(({ kind, text, provenance }) => `${kind} ${provenance.typed ? "typed" : "untyped"}: ${text}`)
    .join("\n");
}

describe("the newer hooks", () => {
  test.each([
    undefined,
    null,
    {},
    { options: {}, agent: {}, catalog: {}, plugin: { add: () => undefined } },
    { session: {} },
  ])("a host without them is left alone: %p", async (context) => {
    await using space = await workspace();
    expect(await setUp(context, { environment: space.env(), home: space.home })).toBeUndefined();
    expect(space.snapshotOf("home")).toEqual({});
  });

  test("a prompt's block stands before it in the host's own kind of message, and the system text says what it is [B-OC-01][R12]", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    const host = new FakeV2Host(space.path, { options: KEEPS });
    await using _ = await started(space, host);
    const messages = [new FakeMessage("user", QUESTION, "m1")];
    const first = await host.request("context", messages, "primary");
    expect(first.texts).toEqual([expect.stringMatching(/^<recalled-memory[\s\S]*quokka/), QUESTION]);
    expect(first.system).toContain(FRAME_INSTRUCTION);
    expect(first.system).not.toContain("quokka");
    expect(first.messages[0]).toBeInstanceOf(FakeMessage);
    expect(messages).toHaveLength(1);
    const later = [
      ...messages,
      new FakeMessage("assistant", "With it."),
      new FakeMessage("user", "thanks for that", "m2"),
    ];
    expect((await host.request("context", later)).texts).toEqual([
      ...first.texts,
      "With it.",
      "thanks for that",
    ]);
  });

  test("messages without ids keep their blocks, too [P17]", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    const host = new FakeV2Host(space.path, { options: KEEPS });
    await using _ = await started(space, host);
    const messages = [new FakeMessage("user", QUESTION)];
    const { texts } = await host.request("context", messages);
    const later = [
      ...messages,
      new FakeMessage("assistant", "With it."),
      new FakeMessage("user", "and now?"),
    ];
    expect((await host.request("context", later)).texts.slice(0, 2)).toEqual(texts);
  });

  test("requests of other kinds get nothing, and a summary's writer not even what was looked up [B-OC-01]", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    const host = new FakeV2Host(space.path, { options: { ...KEEPS, compaction: true } });
    await using _ = await started(space, host);
    const messages = [new FakeMessage("user", QUESTION, "m1")];
    for (const kind of ["title", "generate"])
      expect((await host.request("context", messages, kind)).texts).toEqual([QUESTION]);
    const looked = Object.assign(new FakeMessage("tool", ""), {
      content: [{ type: "tool-result", name: "memory_search", result: { type: "text", value: FACT } }],
    });
    const { texts, system } = await host.request("compaction", [...messages, looked]);
    expect(texts.join("\n")).not.toContain("quokka");
    expect(system).toContain("Recalled memories are kept elsewhere");
    expect(looked.content[0]!.result.value).toBe(FACT);
  });

  test("a prompt is a person's only where the user says so, and never a helper's; only what comes of one leaves notes [R03]", async () => {
    await using space = await workspace();
    const said = { sessionID: "s", messageID: "m", prompt: { text: "Remember: we always use the marmot." } };
    const child = { sessionID: "child", messageID: "c", prompt: { text: "Remember: we use jabiru." } };
    const failed = { tool: "bash", status: "error", error: { message: "Error: no rule" } };
    for (const typed of [[], ["serve"]]) {
      expect(await remembered(space)).toBe("");
      const host = new FakeV2Host(space.path, { options: { ...KEEPS, typed }, parents: { child: "s" } });
      await using _ = await started(space, host);
      await host.prompt(child);
      await host.tool({ ...failed, sessionID: "child", id: "c1", input: { command: "make hornbill" } });
      await host.prompt(said);
      await host.tool({ ...failed, sessionID: "s", id: "c2", input: { command: "make" } });
    }
    const kept = await remembered(space);
    expect(kept).toContain("prompt typed: Remember: we always use the marmot.");
    expect(kept).toContain("untyped: bash: make | failed");
    for (const word of ["jabiru", "hornbill"]) expect(kept).not.toContain(word);
  });

  test("in a host that an agent runs nothing is kept [R03]", async () => {
    await using space = await workspace();
    {
      const host = new FakeV2Host(space.path, { options: { ...KEEPS, typed: ["serve"] } });
      const environment = { ...space.env(), CLAUDECODE: "1" };
      const end = await setUp(host.context, { environment, home: space.home });
      await host.prompt({ sessionID: "s", messageID: "m", prompt: { text: "Remember: we use the marmot." } });
      const call = { sessionID: "s", id: "c", tool: "bash", input: { command: "make" } };
      await host.tool({ ...call, status: "error", error: { message: "Error: no rule" } });
      await end?.();
    }
    expect(await remembered(space)).toBe("");
  });

  test("the tools are callable by their names and check their arguments [B-OC-01]", async () => {
    await using space = await workspace();
    await stateEarlier(space, FACT);
    const host = new FakeV2Host(space.path, { options: KEEPS });
    await using _ = await started(space, host);
    expect([...host.tools.values()].map(({ name, options }) => [name, options.codemode])).toEqual(
      ["search", "status", "explain", "submit_correction", "review_status"].map((name) => [
        `memory_${name}`,
        false,
      ]),
    );
    expect(await host.call("memory_search", { query: "deploy script" })).toContain("quokka");
    expect(await host.call("memory_search", "deploy")).toContain("the arguments are no object");
  });

  test.each(["prompt", "context", "compaction", "execute.after", "transform"] as const)(
    "where %s cannot be registered, everything is taken back",
    async (broken) => {
      await using space = await workspace();
      const host = new FakeV2Host(space.path, { options: KEEPS, broken });
      await using _ = await started(space, host);
      expect([host.registered, host.tools.size]).toEqual([[], 0]);
    },
  );

  test("its end takes everything back; doctor knows that it was loaded [B-CLI-02]", async () => {
    await using space = await workspace();
    const host = new FakeV2Host(space.path, { options: KEEPS });
    const running = await started(space, host);
    expect(host.registered).toEqual(["compaction", "context", "execute.after", "prompt"]);
    await running.ended();
    expect([host.registered, host.tools.size]).toEqual([[], 0]);
    expect(readHandshake({ globalFolder: `${space.home}/.pi-go` }, "opencode")).toMatchObject({
      hostVersion: "2.0.22",
    });
  });
});
