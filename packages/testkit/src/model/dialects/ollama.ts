import { ollamaProblems } from "../invariants/ollama.ts";
import type { Reading, RecordedImage } from "../recorded-request.ts";
import type { Fields } from "../wire.ts";
import { fields, list, string } from "../wire.ts";
import type { ContentBlock, Dialect, Encoder, EncoderContext } from "./dialect.ts";
import { parsedArguments } from "./openai-shared.ts";

const STOPS: Record<string, string> = { end: "stop", tool: "stop", length: "length", filtered: "stop" };

/** Ollama's own API: `POST /api/chat`, one JSON object a line. */
export const ollama: Dialect = {
  wire: "ollama",
  contentType: "application/x-ndjson",
  serves: (path) => path.endsWith("/api/chat"),
  headers: () => ({}),
  read,
  encoder: encode,
  errorBody: (_status, _type, message) => ({ error: message }),
  problems: ollamaProblems,
};

function imagesOf(message: Fields): RecordedImage[] {
  return list(message["images"]).map((data) => ({ mimeType: "", data: string(data) }));
}

function read(body: Fields): Reading {
  const messages = list(body["messages"]).map(fields);
  const reading: Reading = {
    model: string(body["model"]),
    system: messages
      .filter((message) => message["role"] === "system")
      .map((message) => string(message["content"]))
      .join("\n"),
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
    cacheParts: [...list(body["tools"]), ...messages].map((part) => ({
      text: JSON.stringify(part),
      breakpoint: false,
    })),
  };
  for (const message of messages) {
    const text = string(message["content"]);
    if (message["role"] === "user") {
      if (text !== "") reading.userTexts.push(text);
      reading.userImages.push(...imagesOf(message));
    } else if (message["role"] === "assistant") {
      if (text !== "") reading.assistantTexts.push(text);
      for (const made of list(message["tool_calls"]).map((item) => fields(fields(item)["function"])))
        reading.calls.push({ id: "", name: string(made["name"]), args: made["arguments"] });
    } else if (message["role"] === "tool")
      reading.results.push({
        id: string(message["tool_call_id"]),
        name: string(message["tool_name"]),
        text,
        isError: false,
        images: imagesOf(message),
      });
  }
  return reading;
}

function encode({ request, usage }: EncoderContext): Encoder {
  const created_at = new Date(request.at).toISOString();
  const line = (message: Fields, more: Fields = { done: false }): string =>
    `${JSON.stringify({ model: request.model, created_at, message: { role: "assistant", ...message }, ...more })}\n`;

  function* content(block: ContentBlock): Iterable<string> {
    switch (block.kind) {
      case "say":
        for (const text of block.chunks) yield line({ content: text });
        return;
      case "think":
        for (const text of block.chunks) yield line({ content: "", thinking: text });
        return;
      case "redacted":
        return;
      case "call":
        yield line({
          content: "",
          tool_calls: [{ function: { name: block.name, arguments: parsedArguments(block.argumentText) } }],
        });
    }
  }

  return {
    begin: () => [],
    content,
    finish: (stop = "end") => [
      line(
        { content: "" },
        {
          done: true,
          done_reason: STOPS[stop] ?? stop,
          total_duration: 2_000_000,
          load_duration: 500_000,
          prompt_eval_count: usage.input + usage.cache_read + usage.cache_write,
          prompt_eval_duration: 500_000,
          eval_count: usage.output,
          eval_duration: 1_000_000,
        },
      ),
    ],
    failure: (_type, message) => [`${JSON.stringify({ error: message })}\n`],
    comment: () => ["\n"],
    ping: () => ["\n"],
  };
}
