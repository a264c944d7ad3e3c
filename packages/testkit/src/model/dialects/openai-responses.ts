import { responsesProblems } from "../invariants/openai-responses.ts";
import type { Reading, RecordedImage } from "../recorded-request.ts";
import type { Fields } from "../wire.ts";
import { fields, list, string } from "../wire.ts";
import type { Dialect } from "./dialect.ts";
import { encodeResponses } from "./openai-responses-encoder.ts";
import { responsesItems } from "./openai-responses-items.ts";
import { openaiErrorBody, parsedArguments, textOfContent } from "./openai-shared.ts";

/** OpenAI Responses: `POST /v1/responses`, server-sent events with names and sequence numbers. */
export const openaiResponses: Dialect = {
  wire: "openai-responses",
  contentType: "text/event-stream; charset=utf-8",
  serves: (path) => path.endsWith("/responses"),
  headers: (number) => ({ "x-request-id": `req_${number}` }),
  read,
  encoder: encodeResponses,
  errorBody: openaiErrorBody,
  problems: responsesProblems,
};

function imagesOf(content: unknown): RecordedImage[] {
  return list(content)
    .map(fields)
    .filter((part) => part["type"] === "input_image")
    .map((part) => {
      const match = /^data:([^;,]+);base64,(.*)$/s.exec(string(part["image_url"]));
      return { mimeType: match?.[1] ?? "", data: match?.[2] ?? "" };
    });
}

function read(body: Fields): Reading {
  const items = responsesItems(body);
  const reading: Reading = {
    model: string(body["model"]),
    system: "",
    tools: list(body["tools"])
      .map(fields)
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
    cacheParts: [body["instructions"] ?? "", ...list(body["tools"]), ...items].map((part) => ({
      text: JSON.stringify(part),
      breakpoint: false,
    })),
  };
  const system = string(body["instructions"]) ? [string(body["instructions"])] : [];
  for (const item of items) readItem(reading, system, item);
  reading.system = system.join("\n");
  return reading;
}

function readItem(reading: Reading, system: string[], item: Fields): void {
  if (item["type"] === "function_call") {
    reading.calls.push({
      id: string(item["call_id"]),
      name: string(item["name"]),
      args: parsedArguments(item["arguments"]),
    });
  } else if (item["type"] === "function_call_output") {
    const id = string(item["call_id"]);
    const name = reading.calls.findLast((made) => made.id === id)?.name;
    reading.results.push({
      id,
      ...(name === undefined ? {} : { name }),
      text: textOfContent(item["output"]).join("\n"),
      isError: false,
      images: imagesOf(item["output"]),
    });
  } else if (item["type"] === "message") {
    const texts = textOfContent(item["content"]);
    if (item["role"] === "user") {
      reading.userTexts.push(...texts);
      reading.userImages.push(...imagesOf(item["content"]));
    } else if (item["role"] === "assistant") reading.assistantTexts.push(...texts);
    else system.push(...texts);
  }
}
