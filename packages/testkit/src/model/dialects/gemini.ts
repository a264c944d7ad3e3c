import { geminiProblems } from "../invariants/gemini.ts";
import type { IssuedPart } from "../issued.ts";
import type { Reading, RecordedImage } from "../recorded-request.ts";
import type { Fields } from "../wire.ts";
import { fields, isObject, list, string } from "../wire.ts";
import type { ContentBlock, Dialect, Encoder, EncoderContext } from "./dialect.ts";
import { parsedArguments } from "./openai-shared.ts";

const PATH = /\/v1(?:beta)?\/models\/([^/:]+):streamGenerateContent$/;
const STOPS: Record<string, string> = { end: "STOP", tool: "STOP", length: "MAX_TOKENS", filtered: "SAFETY" };
const STATUSES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Gemini: `POST /v1beta/models/ID:streamGenerateContent?alt=sse`. */
export const gemini: Dialect = {
  wire: "gemini",
  contentType: "text/event-stream",
  serves: (path) => PATH.test(path),
  headers: () => ({}),
  read,
  encoder: encode,
  errorBody: (status, type, message) => ({
    error: { code: status, message, status: type ?? STATUSES[status] ?? "UNKNOWN" },
  }),
  problems: geminiProblems,
};

function textOf(parts: unknown): string[] {
  return list(parts)
    .map(fields)
    .filter((part) => typeof part["text"] === "string" && part["thought"] !== true)
    .map((part) => string(part["text"]));
}

function imagesOf(parts: unknown): RecordedImage[] {
  return list(parts)
    .map((part) => fields(fields(part)["inlineData"]))
    .filter((data) => typeof data["data"] === "string")
    .map((data) => ({ mimeType: string(data["mimeType"]), data: string(data["data"]) }));
}

function read(body: Fields, path: string): Reading {
  const contents = list(body["contents"]).map(fields);
  const declared = list(body["tools"]).flatMap((tool) =>
    list(fields(tool)["functionDeclarations"]).map(fields),
  );
  const reading: Reading = {
    model: decodeURIComponent(PATH.exec(path)?.[1] ?? ""),
    system: textOf(fields(body["systemInstruction"])["parts"]).join("\n"),
    tools: declared.map((tool) => ({
      name: string(tool["name"]),
      description: string(tool["description"]),
      schema: fields(tool["parametersJsonSchema"] ?? tool["parameters"]),
    })),
    userTexts: [],
    assistantTexts: [],
    userImages: [],
    calls: [],
    results: [],
    cacheParts: [
      body["systemInstruction"] ?? null,
      body["tools"] ?? null,
      ...contents.flatMap((content) => list(content["parts"]).map((part) => [content["role"], part])),
    ].map((part) => ({ text: JSON.stringify(part), breakpoint: false })),
  };
  for (const content of contents) readContent(reading, content);
  return reading;
}

function readContent(reading: Reading, content: Fields): void {
  const model = content["role"] === "model";
  (model ? reading.assistantTexts : reading.userTexts).push(...textOf(content["parts"]));
  if (!model) reading.userImages.push(...imagesOf(content["parts"]));
  for (const part of list(content["parts"]).map(fields)) {
    const made = fields(part["functionCall"]);
    const answered = fields(part["functionResponse"]);
    if (isObject(part["functionCall"]))
      reading.calls.push({ id: string(made["id"]), name: string(made["name"]), args: made["args"] ?? {} });
    if (isObject(part["functionResponse"])) {
      const response = fields(answered["response"]);
      const value = response["error"] ?? response["output"] ?? response["result"] ?? response;
      reading.results.push({
        id: string(answered["id"]),
        name: string(answered["name"]),
        text: typeof value === "string" ? value : JSON.stringify(value),
        isError: response["error"] !== undefined,
        images: imagesOf(answered["parts"]),
      });
    }
  }
}

function encode({ request, usage, issued }: EncoderContext): Encoder {
  const parts: IssuedPart[] = [];
  let calls = 0;
  let thought = false;
  let malformed: string | undefined;
  const totals = {
    promptTokenCount: usage.input + usage.cache_read + usage.cache_write,
    cachedContentTokenCount: usage.cache_read,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.cache_read + usage.cache_write + usage.output,
  };
  const responseId = `gemini_${issued.next()}`;
  const chunk = (contentParts: Fields[], more: Fields = {}): string =>
    `data: ${JSON.stringify({
      candidates: [{ content: { parts: contentParts, role: "model" }, index: 0, ...more }],
      usageMetadata: totals,
      modelVersion: request.model,
      responseId,
    })}\r\n\r\n`;

  function* content(block: ContentBlock): Iterable<string> {
    switch (block.kind) {
      case "say":
        for (const text of block.chunks) yield chunk([{ text }]);
        parts.push({ type: "text", text: block.chunks.join("") });
        return;
      case "think":
        thought = true;
        for (const text of block.chunks) yield chunk([{ text, thought: true }]);
        return;
      case "redacted":
        thought = true;
        return;
      case "call": {
        const args = parsedArguments(block.argumentText);
        if (!isObject(args)) {
          malformed = `Malformed function call: ${block.name}(${block.argumentText})`;
          return;
        }
        const id = block.id ?? `fn_${String(issued.next()).padStart(4, "0")}`;
        const part: Fields = { functionCall: { id, name: block.name, args } };
        const issuedCall: IssuedPart = {
          type: "call",
          id,
          name: block.name,
          argumentText: JSON.stringify(args),
        };
        if (calls++ === 0) {
          // Only the first of parallel calls carries a signature.
          const signature = issued.seal("call", id, block.name, block.argumentText, request.text);
          issued.signatures.set(signature, { name: block.name, args: JSON.stringify(args) });
          part["thoughtSignature"] = signature;
          issuedCall.signature = signature;
        }
        parts.push(issuedCall);
        yield chunk([part]);
      }
    }
  }

  return {
    begin: () => [],
    content,
    finish(stop) {
      issued.answers.push({ wire: "gemini", model: request.model, parts });
      const reason = stop ?? (malformed ? "MALFORMED_FUNCTION_CALL" : "end");
      const last: Fields[] = [];
      if (thought && calls === 0) {
        const signature = issued.seal("text", request.text, String(issued.next()));
        issued.signatures.set(signature, { name: "", args: "" });
        last.push({ text: "", thoughtSignature: signature });
      }
      return [
        chunk(last, {
          finishReason: STOPS[reason] ?? reason,
          ...(malformed ? { finishMessage: malformed } : {}),
        }),
      ];
    },
    failure: (status, message) => [
      `data: ${JSON.stringify({ error: { code: 503, message, status } })}\r\n\r\n`,
    ],
    comment: (text) => [`: ${text}\r\n\r\n`],
    ping: () => [": ping\r\n\r\n"],
  };
}
