import { anthropicProblems } from "../invariants/anthropic.ts";
import type { IssuedPart } from "../issued.ts";
import { prefixDigest, readAnthropic } from "./anthropic-reading.ts";
import type { ContentBlock, Dialect, Encoder, EncoderContext } from "./dialect.ts";
import { pieces } from "./dialect.ts";

const STOPS: Record<string, string> = {
  end: "end_turn",
  tool: "tool_use",
  length: "max_tokens",
  filtered: "refusal",
};
const ERRORS: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Anthropic Messages: `POST /v1/messages`, server-sent events with names. */
export const anthropic: Dialect = {
  wire: "anthropic",
  contentType: "text/event-stream; charset=utf-8",
  serves: (path) => path.endsWith("/v1/messages"),
  headers: (number) => ({ "request-id": `req_${number}` }),
  read: readAnthropic,
  encoder: encode,
  errorBody: (status, type, message) => ({
    type: "error",
    error: { type: type ?? ERRORS[status] ?? "api_error", message },
    request_id: "req_failed",
  }),
  problems: anthropicProblems,
};

function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function encode({ request, usage, issued }: EncoderContext): Encoder {
  const parts: IssuedPart[] = [];
  const prefix = prefixDigest(request.body);
  let index = 0;
  let calls = 0;

  function* block(start: Record<string, unknown>, deltas: Record<string, unknown>[]): Iterable<string> {
    yield event({ type: "content_block_start", index, content_block: start });
    for (const delta of deltas) yield event({ type: "content_block_delta", index, delta });
    yield event({ type: "content_block_stop", index });
    index++;
  }

  function* content(item: ContentBlock): Iterable<string> {
    switch (item.kind) {
      case "say":
        yield* block(
          { type: "text", text: "" },
          item.chunks.map((text) => ({ type: "text_delta", text })),
        );
        parts.push({ type: "text", text: item.chunks.join("") });
        return;
      case "think": {
        const text = item.chunks.join("");
        const signature = item.signature ?? issued.seal("thinking", text, prefix, String(issued.next()));
        // Known before it is sent: the client may answer before the generator comes back here.
        issued.thinking.set(signature, { text, prefix, model: request.model });
        parts.push({ type: "thinking", signature, text });
        yield* block({ type: "thinking", thinking: "", signature: "" }, [
          ...item.chunks
            .filter((chunk) => chunk !== "")
            .map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature },
        ]);
        return;
      }
      case "redacted":
        issued.redacted.add(item.data);
        parts.push({ type: "redacted", data: item.data });
        yield* block({ type: "redacted_thinking", data: item.data }, []);
        return;
      case "call": {
        calls++;
        const id = item.id ?? `toolu_${String(issued.next()).padStart(4, "0")}`;
        const text = item.argumentText === "{}" ? "" : item.argumentText;
        parts.push({ type: "call", id, name: item.name, argumentText: item.argumentText });
        yield* block(
          { type: "tool_use", id, name: item.name, input: {} },
          pieces(text).map((partial_json) => ({ type: "input_json_delta", partial_json })),
        );
      }
    }
  }

  return {
    begin: () => [
      event({
        type: "message_start",
        message: {
          id: `msg_${issued.next()}`,
          type: "message",
          role: "assistant",
          model: request.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: usage.input,
            cache_creation_input_tokens: usage.cache_write,
            cache_read_input_tokens: usage.cache_read,
            cache_creation: { ephemeral_5m_input_tokens: usage.cache_write, ephemeral_1h_input_tokens: 0 },
            output_tokens: 1,
            service_tier: "standard",
          },
        },
      }),
      event({ type: "ping" }),
    ],
    content,
    finish(stop) {
      issued.answers.push({ wire: "anthropic", model: request.model, parts });
      const reason = stop ?? (calls > 0 ? "tool" : "end");
      const delta: Record<string, unknown> = { stop_reason: STOPS[reason] ?? reason, stop_sequence: null };
      if (reason === "filtered")
        delta["stop_details"] = { category: "cyber", explanation: "refused by the script" };
      return [
        event({
          type: "message_delta",
          delta,
          usage: {
            input_tokens: usage.input,
            cache_creation_input_tokens: usage.cache_write,
            cache_read_input_tokens: usage.cache_read,
            output_tokens: usage.output,
            output_tokens_details: { thinking_tokens: usage.reasoning },
          },
        }),
        event({ type: "message_stop" }),
      ];
    },
    failure: (type, message) => [
      event({ type: "error", error: { type, message }, request_id: "req_stream" }),
    ],
    comment: (text) => [`: ${text}\n\n`],
    ping: () => [event({ type: "ping" })],
  };
}
