import { chatProblems } from "../invariants/openai-chat.ts";
import type { Reading, RecordedImage } from "../recorded-request.ts";
import type { Fields } from "../wire.ts";
import { fields, list, string } from "../wire.ts";
import type { ContentBlock, Dialect, Encoder, EncoderContext } from "./dialect.ts";
import { pieces } from "./dialect.ts";
import { openaiErrorBody, parsedArguments, textOfContent } from "./openai-shared.ts";

const STOPS: Record<string, string> = {
  end: "stop",
  tool: "tool_calls",
  length: "length",
  filtered: "content_filter",
};

/** OpenAI Chat Completions and what is compatible with it: `POST /v1/chat/completions`. */
export const openaiChat: Dialect = {
  wire: "openai-chat",
  contentType: "text/event-stream; charset=utf-8",
  serves: (path) => path.endsWith("/chat/completions"),
  headers: (number) => ({ "x-request-id": `req_${number}` }),
  read,
  encoder: encode,
  errorBody: openaiErrorBody,
  problems: chatProblems,
};

function imagesOf(content: unknown): RecordedImage[] {
  return list(content)
    .map(fields)
    .filter((part) => part["type"] === "image_url")
    .map((part) => {
      const url = string(fields(part["image_url"])["url"]);
      const match = /^data:([^;,]+);base64,(.*)$/s.exec(url);
      return { mimeType: match?.[1] ?? "", data: match?.[2] ?? "" };
    });
}

function read(body: Fields): Reading {
  const reading: Reading = {
    model: string(body["model"]),
    system: "",
    tools: list(body["tools"])
      .map((tool) => fields(fields(tool)["function"]))
      .map((tool) => ({
        name: string(tool["name"]),
        description: string(tool["description"]),
        schema: fields(tool["parameters"]),
      })),
    userTexts: [],
    assistantTexts: [],
    userImages: [],
    calls: [],
    results: [],
    cacheParts: [...list(body["tools"]), ...list(body["messages"])].map((part) => ({
      text: JSON.stringify(part),
      breakpoint: false,
    })),
  };
  const system: string[] = [];
  for (const message of list(body["messages"]).map(fields)) readMessage(reading, system, message);
  reading.system = system.join("\n");
  return reading;
}

function readMessage(reading: Reading, system: string[], message: Fields): void {
  const texts = textOfContent(message["content"]);
  switch (message["role"]) {
    case "system":
    case "developer":
      system.push(...texts);
      return;
    case "user":
      reading.userTexts.push(...texts);
      reading.userImages.push(...imagesOf(message["content"]));
      return;
    case "assistant":
      reading.assistantTexts.push(...texts);
      for (const item of list(message["tool_calls"]).map(fields)) {
        const made = fields(item["function"]);
        reading.calls.push({
          id: string(item["id"]),
          name: string(made["name"]),
          args: parsedArguments(made["arguments"]),
        });
      }
      return;
    case "tool": {
      const id = string(message["tool_call_id"]);
      const name = reading.calls.findLast((item) => item.id === id)?.name;
      reading.results.push({
        id,
        ...(name === undefined ? {} : { name }),
        text: texts.join("\n"),
        isError: false,
        images: imagesOf(message["content"]),
      });
    }
  }
}

function encode({ request, usage, issued }: EncoderContext): Encoder {
  const shell = {
    id: `chatcmpl-${issued.next()}`,
    object: "chat.completion.chunk",
    created: Math.floor(request.at / 1000),
    model: request.model,
  };
  let calls = 0;
  const chunk = (delta: Fields, finish: string | null = null): string =>
    `data: ${JSON.stringify({ ...shell, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })}\n\n`;

  function* content(block: ContentBlock): Iterable<string> {
    switch (block.kind) {
      case "say":
        for (const text of block.chunks) yield chunk({ content: text });
        return;
      case "think":
        for (const text of block.chunks) yield chunk({ reasoning_content: text });
        return;
      case "redacted":
        return;
      case "call": {
        const index = calls++;
        const id = block.id ?? `call_${String(issued.next()).padStart(4, "0")}`;
        yield chunk({
          tool_calls: [{ index, id, type: "function", function: { name: block.name, arguments: "" } }],
        });
        for (const piece of pieces(block.argumentText))
          yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
      }
    }
  }

  return {
    begin: () => [chunk({ role: "assistant", content: "", refusal: null })],
    content,
    finish(stop) {
      const reason = stop ?? (calls > 0 ? "tool" : "end");
      const input = usage.input + usage.cache_read + usage.cache_write;
      const frames = [chunk({}, STOPS[reason] ?? reason)];
      if (fields(request.body["stream_options"])["include_usage"] === true)
        frames.push(
          `data: ${JSON.stringify({
            ...shell,
            choices: [],
            usage: {
              prompt_tokens: input,
              completion_tokens: usage.output,
              total_tokens: input + usage.output,
              prompt_tokens_details: {
                cached_tokens: usage.cache_read,
                cache_write_tokens: usage.cache_write,
              },
              completion_tokens_details: { reasoning_tokens: usage.reasoning },
            },
          })}\n\n`,
        );
      return [...frames, "data: [DONE]\n\n"];
    },
    failure: (type, message) => [
      `data: ${JSON.stringify({ error: { message, type, param: null, code: type } })}\n\n`,
    ],
    comment: (text) => [`: ${text}\n\n`],
    ping: () => [": ping\n\n"],
  };
}
