import { createHash } from "node:crypto";
import type { CachePart, Reading, RecordedImage } from "../recorded-request.ts";
import type { Fields } from "../wire.ts";
import { fields, isObject, list, string } from "../wire.ts";

/** A message's content as blocks, whichever of its two forms was used. */
export function anthropicBlocks(content: unknown): Fields[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : list(content).map(fields);
}

/** Messages with neighbours of one role joined, as the service joins them. `from` is the index of the first one. */
export function mergedMessages(body: Fields): { role: string; blocks: Fields[] }[] {
  const merged: { role: string; blocks: Fields[] }[] = [];
  for (const message of list(body["messages"]).map(fields)) {
    const last = merged.at(-1);
    const role = string(message["role"]);
    if (last && last.role === role) last.blocks.push(...anthropicBlocks(message["content"]));
    else merged.push({ role, blocks: anthropicBlocks(message["content"]) });
  }
  return merged;
}

function withoutCacheMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCacheMarks);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "cache_control")
      .map(([name, item]) => [name, withoutCacheMarks(item)]),
  );
}

/** Digest of what a thinking block is bound to: system, tools and the first `count` merged messages (default: all). */
export function prefixDigest(body: Fields, count?: number): string {
  const bound = withoutCacheMarks([
    body["system"] ?? null,
    body["tools"] ?? null,
    mergedMessages(body).slice(0, count),
  ]);
  return createHash("sha256").update(JSON.stringify(bound)).digest("hex");
}

function cacheParts(body: Fields): CachePart[] {
  const parts: CachePart[] = [];
  const add = (label: string, value: unknown): void => {
    parts.push({
      text: label + JSON.stringify(withoutCacheMarks(value)),
      breakpoint: hasMark(value),
    });
  };
  for (const tool of list(body["tools"])) add("tool:", tool);
  for (const block of anthropicBlocks(body["system"] ?? [])) add("system:", block);
  for (const message of list(body["messages"]).map(fields))
    for (const block of anthropicBlocks(message["content"])) add(`${string(message["role"])}:`, block);
  const last = parts.at(-1);
  if (last && isObject(body["cache_control"])) last.breakpoint = true;
  return parts;
}

function hasMark(value: unknown): boolean {
  return isObject(fields(value)["cache_control"]);
}

function imageOf(block: Fields): RecordedImage {
  const source = fields(block["source"]);
  return { mimeType: string(source["media_type"]), data: string(source["data"]) };
}

/** Reads an Anthropic Messages request. */
export function readAnthropic(body: Fields): Reading {
  const reading: Reading = {
    model: string(body["model"]),
    system: anthropicBlocks(body["system"] ?? [])
      .map((block) => string(block["text"]))
      .join("\n"),
    tools: list(body["tools"])
      .map(fields)
      .map((tool) => ({
        name: string(tool["name"]),
        description: string(tool["description"]),
        schema: fields(tool["input_schema"]),
      })),
    userTexts: [],
    assistantTexts: [],
    userImages: [],
    calls: [],
    results: [],
    cacheParts: cacheParts(body),
  };
  for (const message of list(body["messages"]).map(fields))
    for (const block of anthropicBlocks(message["content"]))
      readBlock(reading, string(message["role"]), block);
  return reading;
}

function readBlock(reading: Reading, role: string, block: Fields): void {
  switch (block["type"]) {
    case "text":
      (role === "assistant" ? reading.assistantTexts : reading.userTexts).push(string(block["text"]));
      return;
    case "image":
      reading.userImages.push(imageOf(block));
      return;
    case "tool_use":
      reading.calls.push({ id: string(block["id"]), name: string(block["name"]), args: block["input"] });
      return;
    case "tool_result": {
      const inner = anthropicBlocks(block["content"] ?? []);
      reading.results.push({
        id: string(block["tool_use_id"]),
        text: inner
          .filter((item) => item["type"] === "text")
          .map((item) => string(item["text"]))
          .join("\n"),
        isError: block["is_error"] === true,
        images: inner.filter((item) => item["type"] === "image").map(imageOf),
      });
    }
  }
}
