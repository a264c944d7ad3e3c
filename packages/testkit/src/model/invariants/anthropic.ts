import { anthropicBlocks, mergedMessages } from "../dialects/anthropic-reading.ts";
import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import { type Fields, fields, isObject, list, string } from "../wire.ts";
import { contentProblems, pairingProblems } from "./anthropic-messages.ts";
import { thinkingProblems } from "./anthropic-thinking.ts";
import { unknownFields } from "./fields.ts";
import { toolProblems } from "./tool-schema.ts";

const KNOWN = new Set(
  (
    "model messages max_tokens system tools tool_choice stream temperature top_p top_k stop_sequences metadata thinking " +
    "output_config cache_control service_tier container mcp_servers context_management diagnostics speed inference_geo " +
    "fallbacks"
  ).split(" "),
);
/** The version since which sampling parameters are refused. */
const NO_SAMPLING_SINCE = "2026-10-21";
const ADAPTIVE_ONLY = /(sonnet|opus)-5-5|fable-5/;

/** What Anthropic would refuse in this request; the first one is its answer. */
export function anthropicProblems(request: RecordedRequest, issued: Issued): string[] {
  const { body } = request;
  const problems = [
    ...headerProblems(request),
    ...unknownFields(body, KNOWN),
    ...(typeof body["model"] === "string" && body["model"] !== "" ? [] : ["model: Field required"]),
    ...maxTokensProblems(body),
    ...settingProblems(body),
    ...samplingProblems(request),
    ...toolProblems(
      list(body["tools"])
        .map(fields)
        .filter((tool) => tool["type"] === undefined || tool["type"] === "custom")
        .map((tool) => ({
          name: tool["name"],
          description: tool["description"],
          schema: tool["input_schema"],
        })),
      /^[a-zA-Z0-9_-]{1,64}$/,
    ),
    ...systemProblems(body),
    ...cacheProblems(body),
    ...roleProblems(body),
    ...contentProblems(body),
  ];
  // Pairs and thinking are looked for in messages of the right shape only.
  if (problems.length > 0) return problems;
  return [...pairingProblems(mergedMessages(body)), ...thinkingProblems(request, issued)];
}

function headerProblems(request: RecordedRequest): string[] {
  const version = request.headers["anthropic-version"];
  return version ? [] : ["anthropic-version: header is required"];
}

function maxTokensProblems(body: Fields): string[] {
  const value = body["max_tokens"];
  if (value === undefined) return ["max_tokens: Field required"];
  return Number.isInteger(value) && (value as number) >= 0
    ? []
    : [`max_tokens: ${JSON.stringify(value)} is no whole number`];
}

function settingProblems(body: Fields): string[] {
  const problems: string[] = [];
  const thinking = fields(body["thinking"]);
  const type = thinking["type"];
  const on = type === "enabled" || type === "adaptive";
  if (
    body["thinking"] !== undefined &&
    !["enabled", "adaptive", "disabled", "between_tools"].includes(string(type))
  )
    problems.push(`thinking.type: ${JSON.stringify(type)} is not known`);
  if (type === "enabled") {
    const budget = thinking["budget_tokens"];
    if (!Number.isInteger(budget) || (budget as number) < 1024)
      problems.push(`thinking.enabled.budget_tokens: ${String(budget)} must be at least 1024`);
    else if ((budget as number) >= Number(body["max_tokens"]))
      problems.push(`max_tokens: must be greater than thinking.budget_tokens (${String(budget)})`);
  }
  if ((type === "enabled" || type === "disabled") && ADAPTIVE_ONLY.test(string(body["model"])))
    problems.push(
      `thinking.type: "${string(type)}" is not supported for ${string(body["model"])}; use "adaptive"`,
    );
  const sampled = ["temperature", "top_p", "top_k"].filter((name) => body[name] !== undefined);
  if (on && sampled.length > 0)
    problems.push(`${sampled.join(", ")}: may not be set when thinking is enabled`);
  const choice = string(fields(body["tool_choice"])["type"]);
  if (choice !== "" && choice !== "none" && list(body["tools"]).length === 0)
    problems.push("tool_choice: may only be specified while providing tools");
  if (type === "enabled" && (choice === "any" || choice === "tool"))
    problems.push("Thinking may not be enabled when tool_choice forces tool use");
  const effort = fields(body["output_config"])["effort"];
  if (effort !== undefined && !["low", "medium", "high", "xhigh", "max"].includes(string(effort)))
    problems.push(`output_config.effort: ${JSON.stringify(effort)} is not known`);
  return problems;
}

function systemProblems(body: Fields): string[] {
  if (body["system"] === undefined || typeof body["system"] === "string") return [];
  return anthropicBlocks(body["system"]).flatMap((block, index) => {
    if (block["type"] !== "text") return [`system.${index}: only text blocks are allowed`];
    return string(block["text"]).trim() === "" ? ["system: text content blocks must be non-empty"] : [];
  });
}

/** Marks in cache order: tools, system, messages (and inside of tool results). */
function cacheMarks(body: Fields): { mark: Fields; block: Fields }[] {
  const blocks = [
    ...list(body["tools"]).map(fields),
    ...anthropicBlocks(body["system"] ?? []),
    ...list(body["messages"])
      .map(fields)
      .flatMap((message) => anthropicBlocks(message["content"]))
      .flatMap((block) => [...(Array.isArray(block["content"]) ? block["content"].map(fields) : []), block]),
  ];
  const marks = blocks
    .filter((block) => isObject(block["cache_control"]))
    .map((block) => ({ mark: fields(block["cache_control"]), block }));
  if (isObject(body["cache_control"])) marks.push({ mark: fields(body["cache_control"]), block: {} });
  return marks;
}

function cacheProblems(body: Fields): string[] {
  const problems: string[] = [];
  const marks = cacheMarks(body);
  if (marks.length > 4)
    problems.push(`A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`);
  let short = false;
  for (const { mark, block } of marks) {
    if (mark["type"] !== "ephemeral") problems.push(`cache_control.type: must be "ephemeral"`);
    if (mark["ttl"] !== undefined && mark["ttl"] !== "5m" && mark["ttl"] !== "1h")
      problems.push(`cache_control.ttl: ${JSON.stringify(mark["ttl"])} is neither "5m" nor "1h"`);
    if (mark["ttl"] === "1h" && short)
      problems.push("cache_control: a 1h block must not come after a 5m block");
    short ||= mark["ttl"] !== "1h";
    if (block["type"] === "thinking" || block["type"] === "redacted_thinking")
      problems.push("cache_control: not allowed on thinking blocks");
    if (block["type"] === "text" && string(block["text"]) === "")
      problems.push("cache_control cannot be set for empty text blocks");
  }
  return problems;
}

function roleProblems(body: Fields): string[] {
  const messages = list(body["messages"]).map(fields);
  if (messages.length === 0) return ["messages: at least one message is required"];
  const problems: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (!["user", "assistant", "system"].includes(string(message["role"])))
      problems.push(`messages.${index}.role: ${JSON.stringify(message["role"])} is not known`);
    const extra = Object.keys(message).filter((name) => name !== "role" && name !== "content");
    if (extra.length > 0) problems.push(`messages.${index}.${extra[0]}: Extra inputs are not permitted`);
  }
  if (messages[0]?.["role"] !== "user") problems.push('messages: first message must use the "user" role');
  if (messages.at(-1)?.["role"] === "assistant")
    problems.push(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  return problems;
}

function samplingProblems(request: RecordedRequest): string[] {
  const version = request.headers["anthropic-version"] ?? "";
  return version < NO_SAMPLING_SINCE
    ? []
    : ["temperature", "top_p", "top_k"]
        .filter((name) => request.body[name] !== undefined)
        .map((name) => `${name}: not supported since version ${NO_SAMPLING_SINCE}`);
}
