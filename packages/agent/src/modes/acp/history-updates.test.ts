import { expect, test } from "bun:test";
import { type Message, noUsage, type UserOrigin } from "../../contract/messages.ts";
import { historyUpdates } from "./history-updates.ts";

const FOLDER = { real: "/p", shown: "/p" };

function said(origin: UserOrigin, text: string): Message {
  return { role: "user", origin, parts: [{ type: "text", text }] };
}

test("what a person said is theirs, summaries are thoughts, and notes to the model are left out", () => {
  const messages: Message[] = [
    said("summary", "earlier"),
    said("memory", "recalled"),
    said("user", "hello"),
    said("reminder", "the date"),
    said("steering", "faster"),
    said("shell", "$ ls"),
    said("continue", "go on"),
  ];
  const shown = [...historyUpdates(messages, FOLDER)].map((update) => [
    update.sessionUpdate,
    "content" in update && (update.content as { text?: string }).text,
  ]);
  expect(shown).toEqual([
    ["agent_thought_chunk", "earlier"],
    ["user_message_chunk", "hello"],
    ["user_message_chunk", "faster"],
    ["user_message_chunk", "$ ls"],
  ]);
});

test("a call whose result was lost is no call that still runs", () => {
  const messages: Message[] = [
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "1", name: "bash", arguments: { command: "x" } }],
      source: { provider: "p", wire: "anthropic", model: "m" },
      stop: "tool",
      usage: noUsage(),
    },
  ];
  expect([...historyUpdates(messages, FOLDER)]).toMatchObject([{ toolCallId: "1", status: "failed" }]);
});

test("results are given back with their pictures, and what failed as failed", () => {
  const call = (id: string) => ({
    type: "tool_call" as const,
    id,
    name: "read",
    arguments: { file_path: "a" },
  });
  const picture = { type: "image" as const, mimeType: "image/png", data: "AAAA" };
  const messages: Message[] = [
    {
      role: "assistant",
      parts: [call("1"), call("2")],
      source: { provider: "p", wire: "anthropic", model: "m" },
      stop: "tool",
      usage: noUsage(),
    },
    {
      role: "tool",
      parts: [
        {
          type: "tool_result",
          id: "2",
          name: "read",
          content: [{ type: "text", text: "no" }],
          isError: true,
        },
      ],
    },
    {
      role: "tool",
      parts: [{ type: "tool_result", id: "1", name: "read", content: [picture], isError: false }],
    },
  ];
  expect([...historyUpdates(messages, FOLDER)]).toMatchObject([
    { toolCallId: "1", status: "completed", content: [{ type: "content", content: picture }] },
    { toolCallId: "2", status: "failed" },
  ]);
});
