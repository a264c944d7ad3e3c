import type { RecordedRequest } from "../recorded-request.ts";
import { type Fields, fields, isObject, list, string } from "../wire.ts";
import { unknownFields } from "./fields.ts";
import { toolProblems } from "./tool-schema.ts";

const KNOWN = new Set(
  "model messages tools stream format options keep_alive think truncate shift logprobs top_logprobs".split(
    " ",
  ),
);
const MESSAGE_KNOWN = new Set("role content thinking images tool_calls tool_name tool_call_id".split(" "));
const OPTIONS = new Set(
  (
    "num_ctx num_predict num_keep num_batch num_gpu num_thread main_gpu seed temperature top_k top_p min_p typical_p " +
    "repeat_last_n repeat_penalty presence_penalty frequency_penalty stop use_mmap draft_num_predict"
  ).split(" "),
);
const THINK = [true, false, "low", "medium", "high", "max"];

/** What Ollama would refuse, ignore in silence, or misread in this request. */
export function ollamaProblems(request: RecordedRequest): string[] {
  const { body } = request;
  const messages = list(body["messages"]).map(fields);
  const problems = [
    ...unknownFields(body, KNOWN),
    ...(string(body["model"]) === "" ? ["model is required"] : []),
    ...settingProblems(body),
    ...toolProblems(
      list(body["tools"])
        .map((tool) => fields(fields(tool)["function"]))
        .map((tool) => ({
          name: tool["name"],
          description: tool["description"],
          schema: tool["parameters"],
        })),
      /^[a-zA-Z0-9_.-]{1,64}$/,
    ),
    ...messages.flatMap((message, index) => messageProblems(`messages[${index}]`, message)),
  ];
  if (messages.length === 0) problems.push("messages: without a message the model is only loaded");
  if (messages.at(-1)?.["role"] === "assistant")
    problems.push("messages: the last one must not be the assistant's");
  return [...problems, ...pairingProblems(messages)];
}

function settingProblems(body: Fields): string[] {
  const problems: string[] = [];
  if (body["think"] !== undefined && !THINK.includes(body["think"] as string | boolean))
    problems.push(`think: invalid think value: ${JSON.stringify(body["think"])}`);
  if (body["options"] !== undefined && !isObject(body["options"]))
    problems.push("options: must be an object");
  for (const name of Object.keys(fields(body["options"])))
    if (!OPTIONS.has(name)) problems.push(`options.${name}: invalid option provided`);
  const context = fields(body["options"])["num_ctx"];
  if (context !== undefined && !(Number.isInteger(context) && (context as number) > 0))
    problems.push(`options.num_ctx: ${JSON.stringify(context)} is no number of tokens`);
  return problems;
}

function messageProblems(where: string, message: Fields): string[] {
  const problems = unknownFields(message, MESSAGE_KNOWN).map((problem) => `${where}.${problem}`);
  const role = string(message["role"]);
  if (!["system", "user", "assistant", "tool"].includes(role))
    problems.push(`${where}.role: invalid role: ${role}`);
  if (message["content"] !== undefined && typeof message["content"] !== "string")
    problems.push(`${where}.content: must be a string`);
  if (message["images"] !== undefined && list(message["images"]).some((image) => !isBase64(image)))
    problems.push(`${where}.images: must be an array of base64 text without a data: prefix`);
  for (const [index, item] of list(message["tool_calls"]).map(fields).entries()) {
    const made = fields(item["function"]);
    const at = `${where}.tool_calls[${index}].function`;
    if (string(made["name"]) === "") problems.push(`${at}.name: must be a name`);
    if (!isObject(made["arguments"])) problems.push(`${at}.arguments: must be an object`);
  }
  if (role === "assistant" && string(message["content"]) === "" && list(message["tool_calls"]).length === 0)
    problems.push(`${where}: an assistant message needs content or tool_calls`);
  if (role === "tool" && string(message["tool_name"]) === "") problems.push(`${where}.tool_name: is missing`);
  return problems;
}

function isBase64(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length % 4 === 0 &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(value)
  );
}

/** There are no ids: the tool messages behind an answer must be its calls, by name, in order. */
function pairingProblems(messages: readonly Fields[]): string[] {
  const problems: string[] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) problems.push(`messages: calls without a tool message: ${open.join(", ")}`);
    open = [];
  };
  for (const message of messages) {
    if (message["role"] === "tool") {
      const expected = open.shift();
      if (expected !== message["tool_name"])
        problems.push(
          `messages: a tool message of "${string(message["tool_name"])}" where ${expected ? `one of "${expected}"` : "none"} was due`,
        );
      continue;
    }
    close();
    open = list(message["tool_calls"]).map((item) => string(fields(fields(item)["function"])["name"]));
  }
  close();
  return problems;
}
