import type { RecordedRequest } from "../recorded-request.ts";
import { type Fields, fields, isObject, list, string } from "../wire.ts";
import { argumentTextProblem, unknownFields } from "./fields.ts";
import { imageUrlProblems } from "./images.ts";
import { toolProblems } from "./tool-schema.ts";

const KNOWN = new Set(
  (
    "model messages tools tool_choice parallel_tool_calls stream stream_options max_tokens max_completion_tokens temperature " +
    "top_p n stop seed store metadata user safety_identifier service_tier reasoning_effort verbosity response_format " +
    "frequency_penalty presence_penalty logit_bias logprobs top_logprobs modalities audio prediction prompt_cache_key " +
    "prompt_cache_retention prompt_cache_options web_search_options " +
    // of compatible servers
    "thinking reasoning include_reasoning reasoning_format enable_thinking chat_template_kwargs tool_stream provider models " +
    "transforms route plugins usage options keep_alive num_ctx top_k min_p repetition_penalty cache_prompt extra_body"
  ).split(" "),
);
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** What OpenAI Chat Completions (and strict servers compatible with it) would refuse in this request. */
export function chatProblems(request: RecordedRequest): string[] {
  const { body } = request;
  const tools = list(body["tools"]).map(fields);
  const problems = [
    ...unknownFields(body, KNOWN),
    ...(string(body["model"]) === "" ? ["you must provide a model parameter"] : []),
    ...settingProblems(body),
    ...tools.filter((tool) => tool["type"] !== "function").map(() => `tools: type must be "function"`),
    ...toolProblems(
      tools
        .map((tool) => fields(tool["function"]))
        .map((tool) => ({
          name: tool["name"],
          description: tool["description"],
          schema: tool["parameters"] ?? { type: "object" },
          strict: tool["strict"],
        })),
      NAME,
    ),
  ];
  const messages = list(body["messages"]).map(fields);
  if (messages.length === 0) problems.push("messages: [] is too short");
  for (const [index, message] of messages.entries())
    problems.push(...messageProblems(`messages.[${index}]`, message));
  if (messages.at(-1)?.["role"] === "assistant")
    problems.push("messages: the last role must be user or tool");
  return [...problems, ...pairingProblems(messages)];
}

function settingProblems(body: Fields): string[] {
  const problems: string[] = [];
  const tools = body["tools"];
  if (tools !== undefined && list(tools).length === 0) problems.push("tools: [] is too short");
  for (const name of ["tool_choice", "parallel_tool_calls"])
    if (body[name] !== undefined && tools === undefined)
      problems.push(`'${name}' is only allowed when 'tools' are specified.`);
  if (body["max_tokens"] !== undefined && body["max_completion_tokens"] !== undefined)
    problems.push("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.");
  if (body["stream_options"] !== undefined && body["stream"] !== true)
    problems.push("The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  return problems;
}

function messageProblems(where: string, message: Fields): string[] {
  const role = string(message["role"]);
  const content = message["content"];
  const shaped = typeof content === "string" || (Array.isArray(content) && content.length > 0);
  switch (role) {
    case "system":
    case "developer":
      return shaped ? [] : [`${where}.content: must be text`];
    case "user":
      return shaped
        ? partProblems(where, content, ["text", "image_url", "input_audio", "file"])
        : [`${where}.content: must be text or parts`];
    case "tool":
      if (string(message["tool_call_id"]) === "") return [`${where}: missing tool_call_id`];
      return shaped ? partProblems(where, content, ["text"]) : [`${where}.content: must be text`];
    case "assistant":
      return assistantProblems(where, message, shaped);
    default:
      return [`${where}.role: '${role}' is not one of system, developer, user, assistant, tool`];
  }
}

function partProblems(where: string, content: unknown, allowed: readonly string[]): string[] {
  return list(content)
    .map(fields)
    .flatMap((part, index) => {
      const at = `${where}.content.[${index}]`;
      const type = string(part["type"]);
      if (!allowed.includes(type)) return [`${at}: a part of type '${type}' is not allowed here`];
      if (type === "image_url") return imageUrlProblems(at, string(fields(part["image_url"])["url"]));
      if (type === "text" && typeof part["text"] !== "string") return [`${at}.text: must be a string`];
      return [];
    });
}

function assistantProblems(where: string, message: Fields, shaped: boolean): string[] {
  const problems: string[] = [];
  const calls = message["tool_calls"];
  if (calls !== undefined && list(calls).length === 0) problems.push(`${where}.tool_calls: [] is too short`);
  if (calls === undefined && !shaped)
    problems.push(`${where}.content: must be text when there are no tool_calls`);
  if (calls === undefined && message["content"] === "")
    problems.push(`${where}: an assistant message needs content or tool_calls`);
  for (const [index, item] of list(calls).map(fields).entries()) {
    const at = `${where}.tool_calls.[${index}]`;
    const made = fields(item["function"]);
    const id = string(item["id"]);
    if (id === "") problems.push(`${at}.id: must be a non-empty string`);
    if (id.length > 40) problems.push(`${at}.id: string too long. Expected at most 40, got ${id.length}`);
    if (item["type"] !== "function") problems.push(`${at}.type: must be 'function'`);
    if (!NAME.test(string(made["name"])))
      problems.push(`${at}.function.name: '${string(made["name"])}' does not match ${NAME}`);
    const problem = argumentTextProblem(made["arguments"]);
    if (problem) problems.push(`${at}.function.arguments: ${problem}`);
  }
  if (message["refusal"] !== undefined && message["refusal"] !== null && isObject(message["refusal"]))
    problems.push(`${where}.refusal: must be text`);
  return problems;
}

/** Each call answered by the tool messages right behind it, once; no answer to nothing. */
function pairingProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  let open = new Set<string>();
  const close = (): void => {
    if (open.size > 0)
      problems.push(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
          `The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
      );
    open = new Set();
  };
  for (const message of messages) {
    if (message["role"] === "tool") {
      const id = string(message["tool_call_id"]);
      if (!open.delete(id))
        problems.push(
          `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}`,
        );
      continue;
    }
    close();
    for (const id of list(message["tool_calls"]).map((item) => string(fields(item)["id"]))) {
      if (used.has(id)) problems.push(`messages: the tool call id '${id}' comes twice`);
      used.add(id);
      open.add(id);
    }
  }
  close();
  return problems;
}
