import { describe, expect, test } from "bun:test";
import type { MemorySession } from "../../../runtime/memory.ts";
import type { PiCompletion, PiContext, PiMessage } from "../host-types.ts";
import { fakeContext } from "../test-support/fake-pi.ts";
import { entryText, messageText, newestPieces } from "./conversation-text.ts";
import { summarizeBranch } from "./summarize-branch.ts";
import { summarizeCompaction } from "./summarize-compaction.ts";

const FRAME = '<recalled-memory trust="untrusted">\n<memory id="a">cobalt-heron</memory>\n</recalled-memory>';
const MODEL = { id: "m", contextWindow: 32_000, maxTokens: 1_000 };

function sessionWith(continuity: (signal: AbortSignal | undefined) => Promise<string>): MemorySession {
  return {
    compactionContext: (options?: { signal?: AbortSignal }) => continuity(options?.signal),
  } as unknown as MemorySession;
}

interface Asked {
  readonly request: string;
  readonly options: { readonly maxTokens?: number; readonly signal?: AbortSignal };
}

/** A context whose model answers with this, and what it was asked. */
function modelAnswering(answer: Partial<PiCompletion> | Error, model: PiContext["model"] = MODEL) {
  const asked: Asked[] = [];
  const context = fakeContext({
    cwd: "/",
    model,
    complete: async (_, { messages }, options = {}) => {
      asked.push({ request: messages[0]!.content[0]!.text, options });
      if (answer instanceof Error) throw answer;
      return { content: [{ type: "text", text: "A summary." }], stopReason: "stop", ...answer };
    },
  });
  return { context, asked };
}

function compaction(messages: PiMessage[], more: { previousSummary?: string; signal?: AbortSignal } = {}) {
  const { signal = new AbortController().signal, ...rest } = more;
  return {
    preparation: {
      firstKeptEntryId: "kept",
      messagesToSummarize: messages,
      turnPrefixMessages: [{ role: "user", content: "the split turn" }],
      tokensBefore: 1_234,
      fileOps: { read: new Set(["a.ts", "b.ts"]), written: new Set<string>(), edited: new Set(["b.ts"]) },
      ...rest,
    },
    signal,
  };
}

const TALK: PiMessage[] = [{ role: "user", content: "Fix the parser." }];
const remembers = sessionWith(async () => FRAME);

describe("a compaction's summary", () => {
  test("is the model's, with memory behind it, and keeps what Pi needs [B-PI-09]", async () => {
    const { context, asked } = modelAnswering({ usage: { output: 3 } });
    const made = await summarizeCompaction(compaction(TALK), context, remembers);
    expect(made!.compaction).toMatchObject({
      firstKeptEntryId: "kept",
      tokensBefore: 1_234,
      usage: { output: 3 },
      details: { readFiles: ["a.ts"], modifiedFiles: ["b.ts"] },
    });
    expect(made!.compaction.summary).toStartWith("A summary.\n\n");
    expect(made!.compaction.summary).toContain(FRAME);
    expect(asked[0]!.request).toContain("[User] Fix the parser.");
    expect(asked[0]!.request).toContain("[User] the split turn");
    expect(asked[0]!.options.maxTokens).toBe(1_000);
  });

  test.each([
    ["there is no model", { content: [] }, undefined],
    ["the model fails", new Error("500"), MODEL],
    ["the answer is empty", { content: [{ type: "text", text: "  \n" }] }, MODEL],
    ["the answer was cut", { stopReason: "length" }, MODEL],
    ["the answer calls a tool", { stopReason: "toolUse" }, MODEL],
    ["the model was stopped", { stopReason: "aborted" }, MODEL],
  ])("is left to Pi where %s: memory alone is none [B-PI-09]", async (_, answer, model) => {
    const { context } = modelAnswering(answer, model ?? undefined);
    const without = model === undefined ? { ...context, model: undefined } : context;
    expect(await summarizeCompaction(compaction(TALK), without, remembers)).toBeUndefined();
  });

  test("stops waiting for memory when Pi stops the compaction [B-PI-12]", async () => {
    const controller = new AbortController();
    const { context } = modelAnswering({});
    const hangs = sessionWith(() => {
      controller.abort();
      return new Promise<never>(() => undefined);
    });
    const event = compaction(TALK, { signal: controller.signal });
    expect(await summarizeCompaction(event, context, hangs)).toBeUndefined();
  });

  test("stands without memory where memory fails", async () => {
    const { context } = modelAnswering({});
    const fails = sessionWith(() => Promise.reject(new Error("locked")));
    const made = await summarizeCompaction(compaction(TALK), context, fails);
    expect(made!.compaction.summary).toStartWith("A summary.\n\n<read-files>");
  });

  test("is made of no recalled memory, not even of an earlier summary's [R03]", async () => {
    const { context, asked } = modelAnswering({});
    const talk = [
      { role: "user", content: `Look: ${FRAME}` },
      { role: "custom", content: FRAME },
    ];
    await summarizeCompaction(compaction(talk, { previousSummary: `Before.\n${FRAME}` }), context, remembers);
    expect(asked[0]!.request).toContain("Before.");
    expect(asked[0]!.request).not.toContain("cobalt-heron");
  });

  test("is made of what fits into the model's window, the newest first [B-PI-10]", async () => {
    const { context, asked } = modelAnswering({});
    const long = Array.from({ length: 400 }, (_, n) => ({
      role: "user",
      content: `${n} ${"word ".repeat(200)}`,
    }));
    await summarizeCompaction(compaction(long), context, remembers);
    expect(asked[0]!.request.length).toBeLessThan(32_000 * 3);
    expect(asked[0]!.request).toContain("[User] 399 ");
    expect(asked[0]!.request).toContain("earlier pieces are left out]");
  });
});

describe("a branch's summary", () => {
  const branch = (
    entriesToSummarize: { type: string; id: string; summary?: string; content?: string }[],
  ) => ({
    preparation: { entriesToSummarize, userWantsSummary: true },
    signal: new AbortController().signal,
  });

  test("takes up messages, other extensions' words and earlier summaries [B-PI-10]", async () => {
    const { context, asked } = modelAnswering({});
    const made = await summarizeBranch(
      branch([
        { type: "compaction", id: "1", summary: "What was compacted." },
        { type: "custom_message", id: "2", content: "Another extension's words." },
        { type: "branch_summary", id: "3", summary: "What was left." },
        { type: "label", id: "4" },
      ]),
      context,
      remembers,
    );
    for (const text of ["What was compacted.", "Another extension's words.", "What was left."])
      expect(asked[0]!.request).toContain(text);
    expect(made!.summary.summary).toContain(FRAME);
  });

  test("is left to Pi where there is nothing to summarise [B-PI-11]", async () => {
    const { context, asked } = modelAnswering({});
    expect(await summarizeBranch(branch([{ type: "label", id: "1" }]), context, remembers)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe("a conversation as text", () => {
  test("has calls and results, cut where they are long, and no thinking", () => {
    const content = [
      { type: "thinking", text: "secret thoughts" },
      { type: "text", text: "Reading." },
      { type: "toolCall", name: "read", arguments: { path: "a.ts" } },
    ];
    expect(messageText({ role: "assistant", content })).toBe(
      '[Assistant] Reading.\n[Calls read] {"path":"a.ts"}',
    );
    const result = messageText({ role: "toolResult", toolName: "read", content: "x".repeat(5_000) });
    expect(result).toEndWith(" [3000 more characters]");
    expect(entryText({ type: "model_change", id: "1" })).toBe("");
  });

  test("a piece that alone is too long is cut, not left out", () => {
    expect(newestPieces(["x".repeat(100)], 10)).toBe(`${"x".repeat(30)} [70 more characters]`);
    expect(newestPieces(["old", "new"], 2)).toBe("[1 earlier pieces are left out]\n\nnew");
  });
});
