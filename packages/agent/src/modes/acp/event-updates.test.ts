import { expect, test } from "bun:test";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentEvent } from "../../contract/events.ts";
import { noUsage } from "../../contract/messages.ts";
import { type ClientFacts, UNKNOWN_CLIENT } from "./client-facts.ts";
import { EventUpdates } from "./event-updates.ts";
import { FileChanges } from "./file-changes.ts";

const FOLDER = { real: "/p", shown: "/p" };

/** What an editor with these abilities is told of events. */
function told(events: readonly AgentEvent[], client: Partial<ClientFacts> = {}): SessionUpdate[] {
  const sent: SessionUpdate[] = [];
  const updates = new EventUpdates({
    folder: FOLDER,
    client: { ...UNKNOWN_CLIENT, ...client },
    changes: new FileChanges(FOLDER, () => null),
    send: (update) => sent.push(update),
  });
  for (const event of events) updates.take(event);
  return sent;
}

const warning: AgentEvent = { type: "notice", level: "warning", message: "bash is not confined" };
const info: AgentEvent = { type: "notice", level: "info", message: "by the way" };
const retry: AgentEvent = { type: "retry", attempt: 2, delay_ms: 2_300, reason: "overloaded" };
const end: AgentEvent = {
  type: "message_end",
  stop_reason: "aborted",
  text: "",
  turns: 1,
  usage: noUsage(),
  duration_ms: 1,
};

test("notices go to their own place in editors that have one", () => {
  expect(told([warning, info, retry], { notices: true })).toEqual([
    { sessionUpdate: "notice", severity: "warning", title: "bash is not confined" },
    { sessionUpdate: "notice", severity: "info", title: "by the way" },
    {
      sessionUpdate: "notice",
      severity: "info",
      title: "The request is sent again in 3 s (attempt 2): overloaded",
    },
  ]);
});

test("other editors show warnings and waits among the thoughts, and leave the rest out", () => {
  const texts = told([warning, info, retry]).map((update) => [
    update.sessionUpdate,
    "content" in update && (update.content as { text?: string }).text,
  ]);
  expect(texts).toEqual([
    ["agent_thought_chunk", "Warning: bash is not confined\n"],
    ["agent_thought_chunk", "The request is sent again in 3 s (attempt 2): overloaded\n"],
  ]);
});

test("a compaction is told to editors that show it, and to no other", () => {
  const phases: AgentEvent[] = (["start", "failed", "start", "end"] as const).map((phase) => ({
    type: "compaction",
    kind: "summary",
    phase,
    tokens_before: 2,
    tokens_after: 1,
    ...(phase === "failed" ? { reason: "empty" } : {}),
  }));
  expect(told(phases)).toEqual([]);
  expect(told(phases, { compaction: true })).toMatchObject([
    { compactionId: "compaction-1", status: "in_progress" },
    { compactionId: "compaction-1", status: "failed", error: "empty" },
    { compactionId: "compaction-2", status: "in_progress" },
    { compactionId: "compaction-2", status: "completed" },
  ]);
});

test("live output replaces what was shown, keeps its end only, and stays whole characters", () => {
  const delta = "🎉".repeat(2_500);
  const [, first, second] = told([
    { type: "tool_call", id: "1", tool_name: "bash", tool_input: { command: "x" } },
    { type: "tool_progress", id: "1", delta },
    { type: "tool_progress", id: "1", delta: "end" },
    { type: "tool_progress", id: "unknown", delta: "lost" },
  ]);
  const shown = (update: SessionUpdate | undefined) => JSON.stringify(update);
  expect(shown(first).length).toBeLessThan(5_000);
  expect(shown(second)).toContain("end");
  expect(shown(second).isWellFormed()).toBe(true);
});

test("calls without a result are closed when the run is over", () => {
  const call: AgentEvent = { type: "tool_call", id: "1", tool_name: "bash", tool_input: { command: "x" } };
  expect(told([call, end]).at(-1)).toEqual({
    sessionUpdate: "tool_call_update",
    toolCallId: "1",
    status: "failed",
  });
});

test("each answer has an id of its own, and its thoughts another", () => {
  const turn: AgentEvent = { type: "turn_end", turn: 1, usage: noUsage(), stop_reason: "end" };
  const text: AgentEvent = { type: "text_delta", delta: "a" };
  const thought: AgentEvent = { type: "thinking_delta", delta: "t" };
  const ids = told([thought, text, text, turn, text]).map(
    (update) => "messageId" in update && update.messageId,
  );
  expect(ids[1]).toBe(ids[2]!);
  expect(new Set(ids).size).toBe(3);
});
