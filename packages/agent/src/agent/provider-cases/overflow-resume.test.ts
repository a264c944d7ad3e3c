/** What an overflow leaves behind: in the same process, and for one that reads the whole history from the file again. */
import { expect, test } from "bun:test";
import { call, fail, modelServer, say, think, type Wire } from "@pi-ts/testkit";
import type { JsonObject } from "../../contract/json.ts";
import { found, of, tool } from "../test-support/bench.ts";
import { reloaded, runPatiently, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

const LONG = `${"long result ".repeat(4_000)}THE-END`;
const tools = [tool("dump", { run: () => Promise.resolve(found(LONG)) }), tool("step")];

const TOO_LONG: Record<Wire, JsonObject> = {
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
      message: "This model's maximum context length is 128000 tokens.",
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

test.each(WIRES)(
  "what %s made us shorten is still short in another process, which needs no request more [P16][P07]",
  async (wire) => {
    await using server = await modelServer();
    server.when((request) => request.bytes.length > 40_000).reply(fail(400, { body: TOO_LONG[wire] }));
    server.reply(think("first"), call("dump"));
    server.reply(think("second"), call("step", { x: 1 }));
    server.reply(think("third"), say("done"));
    const b = wired(server, wire, { tools });
    expect(stopReason(await runPatiently(b))).toBe("end");
    const before = server.requests.length;
    server.reply(think("fourth"), call("step", { x: 2 }));
    server.reply(say("resumed"));
    const later = wired(server, wire, { tools, conversation: reloaded(b.conversation) });
    expect(shownText(await runPatiently(later, "more"))).toBe("resumed");
    expect(server.requests.length - before).toBe(2);
  },
);

test.each(WIRES)(
  "a crash right after an overflow was met goes on without a prompt on %s [P16][C01]",
  async (wire) => {
    await using server = await modelServer();
    server.when((request) => request.bytes.length > 40_000).reply(fail(400, { body: TOO_LONG[wire] }));
    server.reply(think("first"), call("dump"));
    server.reply(think("second"), call("step", { x: 1 }));
    server.reply(say("done"));
    const b = wired(server, wire, { tools });
    await runPatiently(b);
    const crashed = reloaded(b.conversation);
    crashed.list.splice(-1);
    server.reply(say("resumed"));
    expect(shownText(await runPatiently(wired(server, wire, { tools, conversation: crashed }), null))).toBe(
      "resumed",
    );
  },
);

test.each(WIRES)(
  "results that grow one after the other are shortened each in its turn on %s [P16]",
  async (wire) => {
    await using server = await modelServer();
    server.when((request) => request.bytes.length > 60_000).reply(fail(400, { body: TOO_LONG[wire] }));
    for (let n = 0; n < 4; n++) server.reply(think(`t${n}`), call("dump", { n }));
    server.reply(say("done"));
    const b = wired(server, wire, { tools });
    const events = await runPatiently(b);
    expect(shownText(events)).toBe("done");
    // One refusal for each that was too many, and no request more.
    const refused = of(events, "compaction").filter((event) => event.phase === "end").length;
    expect(refused).toBeGreaterThanOrEqual(1);
    expect(server.requests).toHaveLength(5 + refused);
  },
);
