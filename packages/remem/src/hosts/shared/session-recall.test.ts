import { describe, expect, test } from "bun:test";
import type { MemorySession } from "../../runtime/memory.ts";
import { SessionRecall } from "./session-recall.ts";

const memory = (id: string): string => `<memory id="${id}" kind="fact">\n${id}\n</memory>`;
const title = (id: string): string => `<title id="${id}" kind="fact">${id}</title>`;
const frame = (...pieces: string[]): string =>
  `<recalled-memory trust="untrusted">\n${pieces.join("\n")}\n</recalled-memory>`;

/** A session of the engine that answers what a test says, and counts. */
function scripted(answers: {
  start?: string;
  prompt?: Record<string, string>;
  compaction?: string;
  decision?: "failed";
}) {
  const asked: string[] = [];
  const { decision = "injected" } = answers;
  const injection = (text: string) => ({ text, tokens: 1, trace: { attempts: [], decision } });
  const session = {
    sessionStart: async () => {
      asked.push("start");
      return injection(answers.start ?? "");
    },
    processPrompt: async (prompt: string) => {
      asked.push(prompt);
      return injection(answers.prompt?.[prompt] ?? "");
    },
    compactionContext: async () => {
      asked.push("compaction");
      return answers.compaction ?? "";
    },
  };
  return { session: session as unknown as MemorySession, asked };
}

const question = (messageId: string, words: string, present: string[], fresh = false) => ({
  messageId,
  words,
  present: new Set(present),
  fresh,
  withoutStanding: false,
});

describe("what is put beside prompts", () => {
  test("a memory that stands whole before the model is shown once, and its line gives way to it", async () => {
    const { session } = scripted({
      start: frame(memory("a"), title("b")),
      prompt: { one: frame(memory("a"), memory("b")), two: frame(memory("b"), memory("c")) },
    });
    const recall = new SessionRecall(session);
    await recall.ask(question("1", "one", ["1"], true));
    await recall.ask(question("2", "two", ["1", "2"]));
    const texts = recall.texts(new Set(["1", "2"]));
    expect(texts.get("1")).toBe(
      `${frame(memory("a"))}\n${frame(memory("b"))}`.replace("</memory>\n\n", "</memory>\n"),
    );
    expect(texts.get("2")).toContain(memory("c"));
    expect(texts.get("2")).not.toContain('id="b"');
  });

  test("a prompt is asked about once, and its text stays as it was", async () => {
    const { session, asked } = scripted({ start: frame(memory("a")), prompt: { one: frame(memory("b")) } });
    const recall = new SessionRecall(session);
    await recall.begin("1", "one");
    await recall.ask(question("1", "one", ["1"], true));
    const first = recall.texts(new Set(["1"])).get("1");
    await recall.ask(question("1", "one", ["1"], true));
    expect(recall.texts(new Set(["1"])).get("1")).toBe(first!);
    expect(asked).toEqual(["one", "start"]);
  });

  test("what stands comes back after its prompt was compacted away", async () => {
    const { session, asked } = scripted({ start: frame(memory("a")), compaction: frame(memory("a")) });
    const recall = new SessionRecall(session);
    await recall.ask(question("1", "one", ["1"], true));
    await recall.ask(question("2", "two", ["2"]));
    expect(recall.texts(new Set(["2"])).get("2")).toBe(frame(memory("a")));
    expect(asked.toSorted()).toEqual(["compaction", "one", "start", "two"]);
  });

  test("where nothing stands at the start, it is asked once; after a failure it is asked again", async () => {
    const { session, asked } = scripted({});
    const recall = new SessionRecall(session);
    await recall.ask(question("1", "one", ["1"], true));
    await recall.ask(question("2", "two", ["1", "2"]));
    expect(asked.toSorted()).toEqual(["one", "start", "two"]);
    const failing = scripted({ decision: "failed" });
    const later = new SessionRecall(failing.session);
    await later.ask(question("1", "one", ["1"], true));
    await later.ask(question("2", "two", ["1", "2"]));
    expect(failing.asked).toContain("compaction");
  });

  test("a prompt that nothing answers has no text", async () => {
    const recall = new SessionRecall(scripted({}).session);
    await recall.ask(question("1", "one", ["1"], true));
    expect(recall.texts(new Set(["1"])).size).toBe(0);
  });
});
