import { responsesItems } from "../dialects/openai-responses-items.ts";
import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import { type Fields, fields, list, string } from "../wire.ts";
import { argumentTextProblem, unknownFields } from "./fields.ts";
import { imageUrlProblems } from "./images.ts";
import { reasoningProblems } from "./openai-reasoning.ts";
import { toolProblems } from "./tool-schema.ts";

const KNOWN = new Set(
  (
    "model input instructions tools tool_choice parallel_tool_calls stream stream_options store include reasoning text " +
    "max_output_tokens max_tool_calls temperature top_p truncation metadata user safety_identifier service_tier background " +
    "previous_response_id prompt conversation prompt_cache_key prompt_cache_retention prompt_cache_options top_logprobs"
  ).split(" "),
);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PARTS: Record<string, readonly string[]> = {
  user: ["input_text", "input_image", "input_file"],
  developer: ["input_text"],
  system: ["input_text"],
  assistant: ["output_text", "refusal"],
};

/** What OpenAI Responses would refuse in this request, and what a client without server-side state must not do. */
export function responsesProblems(request: RecordedRequest, issued: Issued): string[] {
  const { body } = request;
  const items = responsesItems(body);
  const tools = list(body["tools"])
    .map(fields)
    .filter((tool) => tool["type"] === "function");
  const problems = [
    ...unknownFields(body, KNOWN),
    ...(string(body["model"]) === "" ? ["Missing required parameter: 'model'."] : []),
    ...settingProblems(body),
    ...toolProblems(
      tools.map((tool) => ({
        name: tool["name"],
        description: tool["description"],
        schema: tool["parameters"],
        strict: tool["strict"],
      })),
      NAME,
    ),
    ...(items.length === 0 ? ["input: at least one item is required"] : []),
    ...items.flatMap((item, index) => itemProblems(`input[${index}]`, item)),
  ];
  return [...problems, ...pairingProblems(items), ...reasoningProblems(request.model, items, issued)];
}

function settingProblems(body: Fields): string[] {
  const problems: string[] = [];
  if (body["store"] !== false)
    problems.push("store: must be false; nothing of a conversation may stay at the service");
  if (body["previous_response_id"] !== undefined && body["previous_response_id"] !== null)
    problems.push("previous_response_not_found: nothing is stored here");
  const limit = body["max_output_tokens"];
  if (limit !== undefined && limit !== null && !(Number.isInteger(limit) && (limit as number) >= 16))
    problems.push(`Invalid 'max_output_tokens': ${JSON.stringify(limit)} is below the minimum of 16`);
  if (string(body["prompt_cache_key"]).length > 64)
    problems.push("Invalid 'prompt_cache_key': string too long. Expected at most 64");
  if (body["tool_choice"] !== undefined && body["tool_choice"] !== "none" && list(body["tools"]).length === 0)
    problems.push("tool_choice: only allowed with tools");
  return problems;
}

function itemProblems(where: string, item: Fields): string[] {
  const id = item["id"];
  if (id !== undefined && (typeof id !== "string" || id === "" || id.length > 64))
    return [`${where}.id: ${JSON.stringify(id)} is no id of 1 to 64 characters`];
  switch (item["type"]) {
    case "message":
      return messageProblems(where, item);
    case "function_call":
      return callProblems(where, item);
    case "function_call_output":
      return outputProblems(where, item);
    case "reasoning":
    case "custom_tool_call":
    case "custom_tool_call_output":
      return [];
    default:
      return [`${where}.type: ${JSON.stringify(item["type"])} is not known`];
  }
}

function messageProblems(where: string, item: Fields): string[] {
  const role = string(item["role"]);
  const allowed = PARTS[role];
  if (!allowed) return [`${where}.role: '${role}' is not known`];
  if (role === "assistant" && item["id"] !== undefined && !string(item["id"]).startsWith("msg_"))
    return [`${where}.id: '${string(item["id"])}' must begin with 'msg_'`];
  if (typeof item["content"] === "string") return [];
  const content = list(item["content"]).map(fields);
  if (content.length === 0) return [`${where}.content: must not be empty`];
  return content.flatMap((part, index) => partProblems(`${where}.content[${index}]`, part, allowed));
}

function partProblems(where: string, part: Fields, allowed: readonly string[]): string[] {
  const type = string(part["type"]);
  if (!allowed.includes(type))
    return [`${where}.type: '${type}' is not supported here; supported are ${allowed.join(", ")}`];
  if (type === "input_image") return imageUrlProblems(where, string(part["image_url"]));
  return type.endsWith("_text") && typeof part["text"] !== "string"
    ? [`${where}.text: must be a string`]
    : [];
}

function callProblems(where: string, item: Fields): string[] {
  const problems: string[] = [];
  const callId = string(item["call_id"]);
  if (callId === "" || callId.length > 64)
    problems.push(`${where}.call_id: '${callId}' has not 1 to 64 characters`);
  if (item["id"] !== undefined && !string(item["id"]).startsWith("fc_"))
    problems.push(`${where}.id: '${string(item["id"])}' must begin with 'fc_'`);
  if (!NAME.test(string(item["name"])))
    problems.push(`${where}.name: '${string(item["name"])}' does not match ${NAME}`);
  const problem = argumentTextProblem(item["arguments"]);
  if (problem) problems.push(`${where}.arguments: ${problem}`);
  return problems;
}

function outputProblems(where: string, item: Fields): string[] {
  if (typeof item["output"] === "string") return [];
  const parts = list(item["output"]).map(fields);
  if (parts.length === 0) return [`${where}.output: must be a string or an array of parts`];
  return parts.flatMap((part, index) =>
    partProblems(`${where}.output[${index}]`, part, ["input_text", "input_image", "input_file"]),
  );
}

/** Each call has one output, later than itself; each output has its call. */
function pairingProblems(items: readonly Fields[]): string[] {
  const problems: string[] = [];
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    const id = string(item["call_id"]);
    if (item["type"] === "function_call") {
      if (calls.has(id)) problems.push(`input: the call_id '${id}' comes twice`);
      calls.add(id);
    } else if (item["type"] === "function_call_output") {
      if (!calls.has(id)) problems.push(`No tool call found for function call output with call_id ${id}.`);
      if (answered.has(id)) problems.push(`input: the call ${id} has two outputs`);
      answered.add(id);
    }
  }
  for (const id of calls)
    if (!answered.has(id)) problems.push(`No tool output found for function call ${id}.`);
  return problems;
}
