import { expect, test } from "bun:test";
import type { AgentEvent } from "../contract/events.ts";
import { noUsage } from "../contract/messages.ts";
import { Notices } from "./notices.ts";

const START: AgentEvent = {
  type: "message_start",
  agent: "pi",
  model: "m",
  provider: "p",
  role: "assistant",
  cwd: "/",
};
const END: AgentEvent = {
  type: "message_end",
  stop_reason: "end",
  text: "x",
  turns: 1,
  usage: noUsage(),
  duration_ms: 1,
};

test("notices stand between the first and the last event, whenever they come", async () => {
  const notices = new Notices();
  notices.warn("before");
  async function* events(): AsyncGenerator<AgentEvent> {
    yield START;
    yield { type: "text_delta", delta: "x" };
    notices.warn("late");
    yield END;
  }
  const seen: string[] = [];
  for await (const event of notices.within(events()))
    seen.push(event.type === "notice" ? event.message : event.type);
  expect(seen).toEqual(["message_start", "before", "text_delta", "late", "message_end"]);
});
