import { describe, expect, test } from "bun:test";
import { bytes, end, modelServer } from "@pi-ts/testkit";
import type { Json } from "../../contract/json.ts";
import { modelOf, requestOf, run, settingsFor } from "../shared/test-support/wire-run.ts";
import { openaiChatWire } from "./client.ts";

/** What a client makes of these deltas. */
async function read(...deltas: Json[]) {
  await using server = await modelServer();
  const chunks = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
  server.reply(
    bytes(chunks.join("")),
    bytes('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'),
    end(),
  );
  const client = openaiChatWire.open(settingsFor(server, "openai-chat"));
  const { message, events } = await run(client, requestOf(modelOf("openai-chat")));
  const thought = events.map((event) => (event.type === "thinking_delta" ? event.delta : "")).join("");
  return { parts: message?.parts, thought, types: events.map((event) => event.type) };
}

describe("reasoning of compatible servers is read [P07]", () => {
  test.each([
    ["reasoning_content", "reasoning_content"],
    ["reasoning", "reasoning"],
    ["reasoning_text", "reasoning"],
  ])("from %s, in pieces, before the text", async (field, kind) => {
    const { parts, thought } = await read(
      { [field]: "a", content: "" },
      { [field]: "b", content: null },
      { content: "hi" },
    );
    expect(thought).toBe("ab");
    expect(parts).toEqual([
      { type: "thinking", text: "ab", opaque: { kind } },
      { type: "text", text: "hi" },
    ]);
  });

  test("once, where a server sends it in two fields", async () => {
    const { thought } = await read(
      { reasoning: "a", reasoning_content: "a" },
      { reasoning: "b", reasoning_content: "" },
    );
    expect(thought).toBe("ab");
  });

  test("from reasoning_details, whose pieces are joined by index for the way back", async () => {
    const piece = (index: number, fields: object) => ({
      reasoning_details: [{ type: "reasoning.text", index, ...fields }],
    });
    const { parts, thought } = await read(
      piece(0, { text: "a", format: "f" }),
      piece(0, { text: "b" }),
      piece(0, { signature: "S==" }),
      { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "xyz" }] },
      { content: "hi" },
    );
    expect(thought).toBe("ab");
    expect(parts?.[0]).toEqual({
      type: "thinking",
      text: "ab",
      opaque: {
        kind: "details",
        details: [
          { type: "reasoning.text", index: 0, text: "ab", format: "f", signature: "S==" },
          { type: "reasoning.encrypted", index: 1, data: "xyz" },
        ],
      },
    });
  });

  test("once, where a server sends text and details of the same reasoning", async () => {
    const { thought } = await read({
      reasoning: "a",
      reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }],
    });
    expect(thought).toBe("a");
  });

  test("although it is encrypted only: it is kept, and shows that the model is alive", async () => {
    const { parts, types } = await read(
      { reasoning_details: [{ type: "reasoning.encrypted", data: "xyz" }] },
      { content: "hi" },
    );
    expect(types).toEqual(["activity", "text_delta", "end"]);
    expect(parts?.map((part) => part.type)).toEqual(["thinking", "text"]);
  });

  test("from the content, where it is a list", async () => {
    const { parts } = await read(
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }] },
      { content: [{ type: "thinking", thinking: "b" }] },
      { content: [{ type: "text", text: "hi" }, " there"] },
    );
    expect(parts).toEqual([
      { type: "thinking", text: "ab", opaque: { kind: "content" } },
      { type: "text", text: "hi there" },
    ]);
  });
});
