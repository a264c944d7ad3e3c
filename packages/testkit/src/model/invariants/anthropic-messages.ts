import { anthropicBlocks } from "../dialects/anthropic-reading.ts";
import { type Fields, fields, isObject, list, string } from "../wire.ts";
import { imageProblems } from "./images.ts";

const BLOCKS: Record<string, readonly string[]> = {
  user: ["text", "image", "tool_result", "document", "search_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
  system: ["text"],
};
const ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** The shape of every block of every message. */
export function contentProblems(body: Fields): string[] {
  const problems: string[] = [];
  for (const [index, message] of list(body["messages"]).map(fields).entries()) {
    const where = `messages.${index}`;
    const blocks = anthropicBlocks(message["content"]);
    if (blocks.length === 0) problems.push(`${where}: all messages must have non-empty content`);
    for (const [at, block] of blocks.entries())
      problems.push(...blockProblems(`${where}.content.${at}`, string(message["role"]), block));
  }
  return problems;
}

function blockProblems(where: string, role: string, block: Fields): string[] {
  const type = string(block["type"]);
  if (!(BLOCKS[role] ?? []).includes(type))
    return [`${where}: a block of type "${type}" is not allowed in a ${role} message`];
  switch (type) {
    case "text":
      return textProblems(where, block);
    case "image":
      return sourceProblems(where, block);
    case "tool_use":
      return callProblems(where, block);
    case "tool_result":
      return resultProblems(where, block);
    default:
      return [];
  }
}

function textProblems(where: string, block: Fields): string[] {
  if (typeof block["text"] !== "string") return [`${where}.text: must be a string`];
  if (block["text"] === "") return [`${where}: text content blocks must be non-empty`];
  return block["text"].trim() === ""
    ? [`${where}: text content blocks must contain non-whitespace text`]
    : [];
}

function sourceProblems(where: string, block: Fields): string[] {
  const source = fields(block["source"]);
  if (source["type"] !== "base64") return [];
  return imageProblems(where, string(source["media_type"]), string(source["data"]));
}

function callProblems(where: string, block: Fields): string[] {
  const problems: string[] = [];
  if (!ID.test(string(block["id"])))
    problems.push(`${where}.id: ${JSON.stringify(block["id"])} does not match ${ID}`);
  if (!ID.test(string(block["name"])))
    problems.push(`${where}.name: ${JSON.stringify(block["name"])} does not match ${ID}`);
  if (!isObject(block["input"])) problems.push(`${where}.input: must be an object`);
  return problems;
}

function resultProblems(where: string, block: Fields): string[] {
  const problems: string[] = [];
  const content = block["content"];
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content))
    problems.push(`${where}.content: must be a string or an array of blocks`);
  for (const [index, inner] of (Array.isArray(content) ? content.map(fields) : []).entries()) {
    const at = `${where}.content.${index}`;
    if (inner["type"] === "text") problems.push(...textProblems(at, inner));
    else if (inner["type"] === "image") {
      if (block["is_error"] === true) problems.push(`${at}: all content must be text when is_error is true`);
      problems.push(...sourceProblems(at, inner));
    } else if (!["document", "search_result"].includes(string(inner["type"])))
      problems.push(`${at}: a block of type "${string(inner["type"])}" is not allowed in a tool_result`);
  }
  return problems;
}

/** Calls and results: each call answered in the next user message, all results first, nothing orphaned or doubled. */
export function pairingProblems(messages: readonly { role: string; blocks: readonly Fields[] }[]): string[] {
  const problems: string[] = [];
  const ids = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const calls = message.blocks
      .filter((block) => block["type"] === "tool_use")
      .map((block) => string(block["id"]));
    for (const id of calls) {
      if (ids.has(id)) problems.push(`messages: \`tool_use\` ids must be unique; "${id}" comes twice`);
      ids.add(id);
    }
    const next = messages[index + 1];
    const answered = new Set(next?.role === "user" ? resultIds(next.blocks) : []);
    const open = calls.filter((id) => !answered.has(id));
    if (open.length > 0)
      problems.push(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}`,
      );
    if (message.role === "user")
      problems.push(...answerProblems(index, message.blocks, messages[index - 1]?.blocks ?? []));
  }
  return problems;
}

function resultIds(blocks: readonly Fields[]): string[] {
  return blocks
    .filter((block) => block["type"] === "tool_result")
    .map((block) => string(block["tool_use_id"]));
}

function answerProblems(index: number, blocks: readonly Fields[], before: readonly Fields[]): string[] {
  const problems: string[] = [];
  const asked = new Set(
    before.filter((block) => block["type"] === "tool_use").map((block) => string(block["id"])),
  );
  const seen = new Set<string>();
  for (const id of resultIds(blocks)) {
    if (!asked.has(id))
      problems.push(`messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`);
    if (seen.has(id))
      problems.push(`messages.${index}: each tool_use must have a single result; "${id}" has two`);
    seen.add(id);
  }
  const firstOther = blocks.findIndex((block) => block["type"] !== "tool_result");
  const lastResult = blocks.findLastIndex((block) => block["type"] === "tool_result");
  if (firstOther !== -1 && firstOther < lastResult)
    problems.push(
      `messages.${index}: \`tool_result\` blocks must come before all other content of their message`,
    );
  return problems;
}
