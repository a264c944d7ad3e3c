import { expect, test } from "bun:test";
import type { Memory, MemorySession } from "agentic-remem/runtime";
import type { Message, UserMessage } from "../contract/messages.ts";
import { AgentMemory, type AgentMemoryParts } from "./agent-memory.ts";

const prompt = (text: string, origin: UserMessage["origin"] = "user"): UserMessage => ({
  role: "user",
  origin,
  parts: [{ type: "text", text }],
});
const piece = (id: string) => `<memory id="${id}">\nabout ${id}\n</memory>`;
const framed = (...ids: string[]) =>
  ids.length === 0
    ? ""
    : `<recalled-memory trust="untrusted">\n${ids.map(piece).join("\n")}\n</recalled-memory>`;

/** A conversation with an engine that gives what is written down here, and keeps what it was asked and told. */
function conversation(
  options: Partial<AgentMemoryParts> & {
    start?: string;
    answers?: Record<string, string>;
    late?: number;
  } = {},
) {
  const messages: Message[] = [];
  const heard: string[] = [];
  let late = options.late ?? 0;
  const injection = (text: string) => {
    const attempts = late-- > 0 ? [{ outcome: "timed_out" }] : [];
    return { text: attempts.length > 0 ? "" : text, trace: { attempts } };
  };
  const session = {
    sessionStart: async () => injection(options.start ?? ""),
    processPrompt: async (text: string, { turnId }: { turnId: string }) => {
      heard.push(`asked ${turnId.split("-")[1]} ${text}`);
      return injection(options.answers?.[text] ?? "");
    },
    compactionContext: async () => framed("standing"),
    typed: ({ text }: { text: string }) => heard.push(`typed ${text}`),
    answer: ({ text }: { text: string }) => heard.push(`answer ${text}`),
    tool: ({ tool }: { tool: string }) => heard.push(`tool ${tool}`),
    end: async () => heard.push("end"),
  } as unknown as MemorySession;
  const engine = {
    session: () => session,
    store: async () => ({
      memories: {
        get: async (ids: readonly string[]) =>
          ids.map((id) => ({
            id,
            provenance: { sessionId: id.startsWith("gone") ? "cleared-away" : "another" },
          })),
      },
    }),
    maintain: () => undefined,
    close: async () => heard.push("close"),
  } as unknown as Memory;
  let opened = 0;
  const memory = new AgentMemory({
    conversation: { id: "s1", messages: () => messages },
    open: async () => {
      opened++;
      return engine;
    },
    enabled: () => true,
    captures: true,
    cleared: new Set(["cleared-away"]),
    recalls: true,
    later: () => () => undefined,
    ...options,
  });
  const store = (message: Message | undefined) => message && messages.push(message);
  return {
    memory,
    messages,
    heard,
    opened: () => opened,
    /** What the loop does with a prompt. */
    async say(message: UserMessage) {
      await memory.callbacks.beforePrompt?.(structuredClone(message), new AbortController().signal);
      store(memory.before(message));
      store(message);
      store(memory.after(message));
    },
    /** The ids of all recalled memories, in order, with the prompts between them. */
    shown: () =>
      messages.flatMap((message) => {
        const text = message.parts.map((part) => ("text" in part ? part.text : "")).join("");
        if (message.role === "user" && message.origin === "memory")
          return [...text.matchAll(/id="(\w+)"/g)].map(([, id]) => id!);
        return [`[${text}]`];
      }),
  };
}

test("what stands comes before the first prompt, what answers it behind it, each once in a conversation [A-MEM-05][P17]", async () => {
  const { say, shown } = conversation({
    start: framed("a", "b"),
    answers: { one: framed("b", "c"), two: framed("c", "a"), three: framed("d") },
  });
  for (const text of ["one", "two", "three"]) await say(prompt(text));
  expect(shown()).toEqual(["a", "b", "[one]", "c", "[two]", "[three]", "d"]);
});

test("beside a summary that took its place, what stands comes once more, and only there [C06]", async () => {
  const { say, shown, messages } = conversation({ start: framed("a") });
  await say(prompt("one"));
  messages.splice(0, messages.length, prompt("summary of it", "summary"), prompt("one"));
  await say(prompt("two"));
  await say(prompt("three"));
  expect(shown()).toEqual(["[summary of it]", "[one]", "standing", "[two]", "[three]"]);
});

test("what comes from a conversation that was cleared away in this program does not come back by itself", async () => {
  const { say, shown } = conversation({ start: framed("gone1"), answers: { one: framed("a", "gone2") } });
  await say(prompt("one"));
  expect(shown()).toEqual(["[one]", "a"]);
});

test("a prompt that was kept from being sent leaves nothing for the next one", async () => {
  const { memory, say, shown } = conversation({ answers: { secret: framed("x") } });
  await memory.callbacks.beforePrompt?.(prompt("secret"), new AbortController().signal);
  await say(prompt("other"));
  expect(shown()).toEqual(["[other]"]);
});

test("an engine that was not loaded in time is asked once more, not for ever [R14]", async () => {
  const once = conversation({ start: framed("a"), late: 1 });
  await once.say(prompt("one"));
  expect(once.shown()).toEqual(["a", "[one]"]);
  const never = conversation({ start: framed("a"), late: 99 });
  await never.say(prompt("one"));
  expect(never.shown()).toEqual(["[one]"]);
});

test("an aborted prompt gets nothing and is not kept", async () => {
  const { memory, messages, heard } = conversation({ start: framed("a") });
  await memory.callbacks.beforePrompt?.(prompt("stop it right now please"), AbortSignal.abort());
  expect(memory.before(prompt("stop it right now please"))).toBeUndefined();
  expect({ messages, heard: heard.filter((line) => line.startsWith("typed")) }).toEqual({
    messages: [],
    heard: [],
  });
});

test("a prompt that nobody typed gets what stands; it is neither a question nor kept [R03]", async () => {
  const { memory, say, shown, heard } = conversation({ start: framed("a") });
  memory.words.say("log of a build", "");
  await say(prompt("log of a build"));
  expect({ shown: shown(), heard }).toEqual({ shown: ["a", "[log of a build]"], heard: [] });
});

test("nothing to recall and nothing worth keeping: the engine is never opened [R14]", async () => {
  const { memory, say, opened, heard } = conversation({ recalls: false });
  await say(prompt("hi"));
  await memory.callbacks.beforeStop?.(
    { stop: "end", text: "hello", turns: 1, wentOn: false },
    new AbortController().signal,
  );
  await memory.close();
  expect({ opened: opened(), heard }).toEqual({ opened: 0, heard: [] });
});

test("a run that is over before the engine was loaded hands over all of it at its end, once [R06]", async () => {
  const { memory, say, opened, heard } = conversation({ recalls: false });
  await say(prompt("releases are made on Tuesdays"));
  await memory.callbacks.beforeStop?.(
    { stop: "end", text: "noted", turns: 1, wentOn: false },
    new AbortController().signal,
  );
  expect(opened()).toBe(0);
  await Promise.all([memory.close(), memory.close()]);
  expect(heard).toEqual(["typed releases are made on Tuesdays", "answer noted", "end", "close"]);
});

test("switched off, it neither asks nor keeps, and the door says why it does not look [A-MEM-10]", async () => {
  let on = true;
  const { memory, say, heard } = conversation({ enabled: () => on });
  on = false;
  await say(prompt("releases are made on Tuesdays"));
  const signal = new AbortController().signal;
  expect(await memory.door.search("x", { limit: 1, signal })).toEqual({
    state: "not_looked",
    reason: "memory is switched off",
  });
  expect(heard).toEqual([]);
});
