import type { IssuedPart } from "../issued.ts";
import type { Fields } from "../wire.ts";
import type { ContentBlock, Encoder, EncoderContext } from "./dialect.ts";
import { pieces } from "./dialect.ts";

/** Writes the Responses event stream of one answer. */
export function encodeResponses({ request, usage, issued }: EncoderContext): Encoder {
  const parts: IssuedPart[] = [];
  const output: Fields[] = [];
  let sequence = 0;
  const id = `resp_${issued.next()}`;
  const event = (type: string, data: Fields): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...data })}\n\n`;
  const response = (status: string, more: Fields = {}): Fields => ({
    response: {
      id,
      object: "response",
      created_at: Math.floor(request.at / 1000),
      status,
      error: null,
      incomplete_details: null,
      model: request.model,
      output,
      usage: null,
      store: false,
      ...more,
    },
  });

  function* item(start: Fields, done: Fields, middle: Iterable<[string, Fields]>): Iterable<string> {
    const output_index = output.length;
    yield event("response.output_item.added", { output_index, item: start });
    for (const [type, data] of middle) yield event(type, { item_id: done["id"], output_index, ...data });
    output.push(done);
    yield event("response.output_item.done", { output_index, item: done });
  }

  function message(chunks: string[]): Iterable<string> {
    const start = {
      id: `msg_${issued.next()}`,
      type: "message",
      role: "assistant",
      status: "in_progress",
      content: [],
    };
    const text = chunks.join("");
    const part = { type: "output_text", text, annotations: [], logprobs: [] };
    const at = { content_index: 0 };
    parts.push({ type: "text", text, id: start.id });
    return item(start, { ...start, status: "completed", content: [part] }, [
      ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
      ...chunks.map((delta): [string, Fields] => [
        "response.output_text.delta",
        { ...at, delta, logprobs: [] },
      ]),
      ["response.output_text.done", { ...at, text, logprobs: [] }],
      ["response.content_part.done", { ...at, part }],
    ]);
  }

  function reasoning(chunks: string[], encrypted: string): Iterable<string> {
    const start = { id: `rs_${issued.next()}`, type: "reasoning", summary: [] as Fields[] };
    const text = chunks.join("");
    const at = { summary_index: 0 };
    const part = { type: "summary_text", text };
    const done = { ...start, summary: chunks.length > 0 ? [part] : [], encrypted_content: encrypted };
    parts.push({ type: "reasoning", id: start.id, item: done });
    // The half-made encrypted_content of `added` is never the one to send back.
    return item({ ...start, encrypted_content: encrypted.slice(0, 8) }, done, [
      ...(chunks.length > 0
        ? ([
            ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }],
            ...chunks.map((delta): [string, Fields] => [
              "response.reasoning_summary_text.delta",
              { ...at, delta },
            ]),
            ["response.reasoning_summary_text.done", { ...at, text }],
            ["response.reasoning_summary_part.done", { ...at, part }],
          ] as [string, Fields][])
        : []),
    ]);
  }

  function functionCall(block: Extract<ContentBlock, { kind: "call" }>): Iterable<string> {
    const call_id = block.id ?? `call_${String(issued.next()).padStart(4, "0")}`;
    const start = {
      id: `fc_${issued.next()}`,
      type: "function_call",
      call_id,
      name: block.name,
      arguments: "",
      status: "in_progress",
    };
    parts.push({
      type: "call",
      id: call_id,
      itemId: start.id,
      name: block.name,
      argumentText: block.argumentText,
    });
    return item(start, { ...start, arguments: block.argumentText, status: "completed" }, [
      ...pieces(block.argumentText).map((delta): [string, Fields] => [
        "response.function_call_arguments.delta",
        { delta },
      ]),
      ["response.function_call_arguments.done", { name: block.name, arguments: block.argumentText }],
    ]);
  }

  return {
    begin: () => [
      event("response.created", response("in_progress")),
      event("response.in_progress", response("in_progress")),
    ],
    *content(block) {
      if (block.kind === "say") yield* message(block.chunks);
      else if (block.kind === "call") yield* functionCall(block);
      else if (block.kind === "redacted") yield* reasoning([], block.data);
      else
        yield* reasoning(
          block.chunks,
          block.signature ??
            issued.seal("reasoning", block.chunks.join(""), request.text, String(issued.next())),
        );
    },
    finish(stop) {
      issued.answers.push({ wire: "openai-responses", model: request.model, parts });
      const input = usage.input + usage.cache_read + usage.cache_write;
      const totals = {
        usage: {
          input_tokens: input,
          input_tokens_details: { cached_tokens: usage.cache_read, cache_write_tokens: usage.cache_write },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: input + usage.output,
        },
      };
      if (stop === undefined || stop === "end" || stop === "tool")
        return [event("response.completed", response("completed", totals))];
      const reason = { length: "max_output_tokens", filtered: "content_filter" }[stop as string] ?? stop;
      return [
        event("response.incomplete", response("incomplete", { ...totals, incomplete_details: { reason } })),
      ];
    },
    failure: (code, text) => [
      event("response.failed", response("failed", { error: { code, message: text } })),
    ],
    comment: (text) => [`: ${text}\n\n`],
    ping: () => [": ping\n\n"],
  };
}
