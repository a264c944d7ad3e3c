/** Long sessions in small windows on every wire, before a service that refuses what the real ones refuse. */
import { expect, test } from "bun:test";
import {
  call,
  fail,
  type ModelServer,
  modelServer,
  type RecordedRequest,
  say,
  think,
  type Wire,
} from "@pi-ts/testkit";
import type { AgentEvent } from "../../contract/events.ts";
import type { JsonObject } from "../../contract/json.ts";
import { found, MemoryConversation, of, tool } from "../test-support/bench.ts";
import { reloaded, runPatiently, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

const WINDOW = 32_000;
const RULE = "RULE-7: indent with tabs, never with spaces.";
const TURNS_A_PROMPT = 30;

/** Every thirtieth turn is an answer and changes nothing. */
const CHANGED = Array.from({ length: 90 }, (_, n) => n)
  .filter((n) => n % TURNS_A_PROMPT !== 0)
  .map((n) => `src/file-${n}.ts`);

const isSummary = (request: RecordedRequest) => request.system.includes("hand-over notes");

/** Edits a file; says a lot about it. */
const edit = tool("edit", {
  kind: "edit",
  input: { type: "object", properties: { file_path: { type: "string" } } },
  run: (input: { file_path: string }) =>
    Promise.resolve({
      ...found(`edited ${input.file_path}\n${"a line of the file\n".repeat(70)}`),
      details: { path: input.file_path },
    }),
});

const prompt = (n: number) => `REQUEST-${n}: change thirty files, part ${n}, and keep LIMIT-${n} in mind.`;

/** Answers as a model that edits one file a turn, thirty turns a prompt, and summarises when it is asked to. */
function busyModel(server: ModelServer) {
  let turn = 0;
  let summaries = 0;
  server.otherwise((request) => {
    if (isSummary(request)) return [say(`## Task\nSUMMARY-${++summaries}. ${"It goes on. ".repeat(60)}`)];
    turn++;
    if (turn % TURNS_A_PROMPT === 0) return [think("enough"), say(`part ${turn / TURNS_A_PROMPT} done`)];
    const path = `src/file-${turn % 90}.ts`;
    // Seldom: the strict service looks at all that is before each thought.
    const thought = turn % 6 === 0 ? [think(`turn ${turn}`)] : [];
    return [...thought, say("Next file. "), call("edit", { file_path: path })];
  });
  return { summaries: () => summaries };
}

test.each(WIRES)(
  "300 turns in a window of 32,000 tokens keep the request, every rule, every prompt and every changed file on %s [A-SESS-03][C06]",
  async (wire) => {
    await using server = await modelServer();
    const model = busyModel(server);
    const options = {
      tools: [edit],
      system: `You are a coding agent.\n${RULE}`,
      compaction: { enabled: true, threshold: 0.85 },
    };
    let conversation = new MemoryConversation();
    for (let part = 1; part <= 10; part++) {
      // Each part is run by another process.
      conversation = reloaded(conversation);
      const b = wired(server, wire, { ...options, conversation });
      b.options.model = { ...b.options.model, contextWindow: WINDOW, maxOutput: 4_000 };
      const from = server.requests.length;
      const events = await b.run(prompt(part));
      expect(stopReason(events)).toBe("end");
      expect(shownText(events)).toEndWith(`part ${part} done`);
      for (const request of server.requests.slice(from)) {
        expect(request.text.length / 4).toBeLessThan(WINDOW);
        if (isSummary(request)) {
          expect(request.tools).toEqual([]);
          continue;
        }
        expect(request.system).toContain(RULE);
        expect(request.tools).toHaveLength(1);
        for (let n = 1; n <= part; n++) expect(request.text).toContain(prompt(n));
      }
    }
    expect(model.summaries()).toBeGreaterThan(3);
    const last = server.requests.at(-1)!;
    expect(last.text).toContain(`SUMMARY-${model.summaries()}`);
    expect(CHANGED.filter((path) => !last.text.includes(path))).toEqual([]);
  },
);

const WORDS: Record<Wire, JsonObject> = {
  anthropic: {
    type: "error",
    error: { type: "invalid_request_error", message: "prompt is too long: 213456 tokens > 200000 maximum" },
  },
  "openai-responses": {
    error: {
      message: "Your input exceeds the context window of this model.",
      code: "context_length_exceeded",
    },
  },
  "openai-chat": {
    error: {
      message: "This model's maximum context length is 8192 tokens.",
      code: "context_length_exceeded",
    },
  },
  gemini: {
    error: {
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    },
  },
  ollama: { error: "the prompt is too long: input length exceeds the context length" },
};

const compaction = { enabled: true, threshold: 0.85 };
const tools = [edit, tool("step")];

/** A session whose twelve steps are each too short to be cut. */
function longSession(server: ModelServer, wire: Wire) {
  let turn = 0;
  server
    .when((request) => !isSummary(request) && request.bytes.length > 11_000)
    .reply(fail(400, { body: WORDS[wire] }));
  server.when(isSummary).reply(say("## Task\nTHE-SUMMARY of what came before"));
  server.otherwise(() => {
    turn++;
    if (turn % 13 === 0) return [think("enough"), say("done")];
    return [think(`turn ${turn}`), say("next "), call("step", { x: turn, why: "because ".repeat(90) })];
  });
}

test.each(WIRES)(
  "an overflow with nothing long to cut is met by one summary and one more request, which %s takes [P16][C04]",
  async (wire) => {
    await using server = await modelServer();
    longSession(server, wire);
    const b = wired(server, wire, { tools, compaction });
    b.options.model = { ...b.options.model, known: false };
    const events = await runPatiently(b, "REQUEST: take twelve steps");
    expect(stopReason(events)).toBe("end");
    const refused = server.requests.findIndex((request) => request.bytes.length > 11_000);
    expect(isSummary(server.requests[refused + 1]!)).toBe(true);
    expect(server.requests[refused + 2]!.text).toContain("REQUEST: take twelve steps");
    expect(server.requests[refused + 2]!.text).toContain("THE-SUMMARY");
    expect(server.requests.filter(isSummary)).toHaveLength(1);
    expect(server.requests).toHaveLength(13 + 2);
    // Another process begins from there without an overflow of its own.
    const before = server.requests.length;
    const later = wired(server, wire, { tools, compaction, conversation: reloaded(b.conversation) });
    await later.run("one more");
    const [first] = server.requests.slice(before);
    expect(isSummary(first!)).toBe(false);
    expect(first!.bytes.length).toBeLessThanOrEqual(11_000);
  },
);

test.each(WIRES)(
  "a compaction, its undoing and another one leave a history that %s takes [C07]",
  async (wire) => {
    await using server = await modelServer();
    server.when(isSummary).reply(say("## Task\nTHE-SUMMARY"));
    let turn = 0;
    server.otherwise(() => {
      turn++;
      if (turn % 4 === 0) return [think(`enough ${turn}`), say(`answer ${turn}`)];
      return [think(`turn ${turn}`), call("edit", { file_path: `f${turn}.ts` })];
    });
    const b = wired(server, wire, { tools, compaction });
    const compact = async () => {
      const events: AgentEvent[] = [];
      for await (const event of b.runner.compact({ signal: b.stop.signal })) events.push(event);
      return of(events, "compaction").at(-1)?.phase;
    };
    await b.run("first");
    await b.run("second");
    const whole = b.conversation.list.slice();
    expect(await compact()).toBe("end");
    await b.run("third");
    expect(server.requests.at(-1)!.text).toContain("THE-SUMMARY");
    expect(b.runner.undoCompaction()?.kind).toBe("summary");
    expect(b.conversation.list.slice(0, whole.length)).toEqual(whole);
    await b.run("fourth");
    expect(server.requests.at(-1)!.text).not.toContain("THE-SUMMARY");
    expect(server.requests.at(-1)!.text).toContain("answer 4");
    const later = wired(server, wire, { tools, compaction, conversation: reloaded(b.conversation) });
    expect(stopReason(await later.run("fifth"))).toBe("end");
    expect(await compact()).toBe("end");
    expect(stopReason(await b.run("sixth"))).toBe("end");
  },
);
