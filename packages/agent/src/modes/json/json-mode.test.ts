import { expect, test } from "bun:test";
import type { AgentEvent } from "../../contract/events.ts";
import { noUsage } from "../../contract/messages.ts";
import { runJsonMode } from "./json-mode.ts";

async function lines(events: AgentEvent[]): Promise<string[]> {
  let out = "";
  async function* stream() {
    yield* events;
  }
  await runJsonMode(stream(), "s1", {
    out: async (text) => {
      out += text;
    },
    err: async () => {
      throw new Error("JSON mode has nothing to say on stderr");
    },
    outIsTerminal: false,
  });
  expect(out.endsWith("\n")).toBe(true);
  return out.slice(0, -1).split("\n");
}

test("each event is one line with its type first and the session's id [A-OUT-03]", async () => {
  const [line] = await lines([{ type: "text_delta", delta: "hi" }]);
  expect(line).toBe('{"type":"text_delta","session_id":"s1","delta":"hi"}');
});

test("line separators of any kind stay inside their line and come back whole [H01]", async () => {
  const text = "a\u2028b\u2029c\u0085d\re\0f\ng";
  const [line, ...rest] = await lines([{ type: "text_delta", delta: text }]);
  expect(rest).toEqual([]);
  expect(line).not.toMatch(/[\u2028\u2029\u0085\r\0]/);
  expect(JSON.parse(line!)).toMatchObject({ delta: text });
});

test("half a surrogate pair does not make a line that no reader takes [F19]", async () => {
  const [line] = await lines([{ type: "text_delta", delta: "\ud83d" }]);
  expect(line?.isWellFormed()).toBe(true);
  expect((JSON.parse(line!) as { delta: string }).delta.isWellFormed()).toBe(true);
});

test("how the run ended is handed on [H03]", async () => {
  async function* stream(): AsyncGenerator<AgentEvent> {
    yield {
      type: "message_end",
      stop_reason: "limit",
      text: "t",
      turns: 2,
      usage: noUsage(),
      duration_ms: 1,
    };
  }
  const end = await runJsonMode(stream(), "s1", {
    out: async () => undefined,
    err: async () => undefined,
    outIsTerminal: false,
  });
  expect(end).toEqual({ stop: "limit", text: "t" });
});
