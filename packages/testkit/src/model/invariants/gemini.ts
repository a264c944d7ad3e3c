import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import { type Fields, fields, isObject, list, string } from "../wire.ts";
import { unknownFields } from "./fields.ts";
import { signatureProblems } from "./gemini-signatures.ts";
import { imageProblems } from "./images.ts";
import { toolProblems } from "./tool-schema.ts";

const KNOWN = new Set(
  "contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent labels serviceTier".split(
    " ",
  ),
);
const DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
];
const NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

/** What Gemini would refuse in this request. */
export function geminiProblems(request: RecordedRequest, issued: Issued): string[] {
  const { body } = request;
  const contents = list(body["contents"]).map(fields);
  const problems = [
    ...(request.path.includes("alt=sse")
      ? []
      : ["alt=sse is missing: the answer would not be server-sent events"]),
    ...unknownFields(body, KNOWN),
    ...systemProblems(body),
    ...settingProblems(body),
    ...declarationProblems(body),
    ...(contents.length === 0 ? ["* GenerateContentRequest.contents: contents is not specified"] : []),
    ...contents.flatMap((content, index) => contentProblems(`contents[${index}]`, content)),
  ];
  if (problems.length > 0) return problems;
  if (contents[0]?.["role"] === "model") problems.push("contents: the first turn must be a user turn");
  if (contents.at(-1)?.["role"] === "model")
    problems.push("contents: the request must end with a user turn or a function response");
  return [...problems, ...pairingProblems(contents), ...signatureProblems(request.model, contents, issued)];
}

function systemProblems(body: Fields): string[] {
  if (body["systemInstruction"] === undefined) return [];
  const parts = list(fields(body["systemInstruction"])["parts"]).map(fields);
  const fine = parts.length > 0 && parts.every((part) => string(part["text"]) !== "");
  return fine ? [] : ["systemInstruction: must have non-empty text parts"];
}

function settingProblems(body: Fields): string[] {
  const thinking = fields(fields(body["generationConfig"])["thinkingConfig"]);
  return thinking["thinkingBudget"] !== undefined && thinking["thinkingLevel"] !== undefined
    ? ["You can only set only one of thinking budget and thinking level."]
    : [];
}

function declarationProblems(body: Fields): string[] {
  const declared = list(body["tools"]).flatMap((tool) =>
    list(fields(tool)["functionDeclarations"]).map(fields),
  );
  const both = declared.filter(
    (tool) => tool["parameters"] !== undefined && tool["parametersJsonSchema"] !== undefined,
  );
  return [
    ...both.map((tool) => `tools: ${string(tool["name"])} has both parameters and parametersJsonSchema`),
    ...toolProblems(
      declared.map((tool) => ({
        name: tool["name"],
        description: tool["description"],
        schema: tool["parametersJsonSchema"] ?? lowerCaseTypes(tool["parameters"] ?? { type: "object" }),
      })),
      NAME,
    ),
  ];
}

/** The OpenAPI form writes its types in capitals. */
function lowerCaseTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerCaseTypes);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "type" && typeof value === "string" ? value.toLowerCase() : lowerCaseTypes(value),
    ]),
  );
}

function contentProblems(where: string, content: Fields): string[] {
  const role = content["role"];
  if (role !== "user" && role !== "model") return [`${where}.role: Please use a valid role: user, model.`];
  const parts = list(content["parts"]).map(fields);
  if (parts.length === 0) return [`${where}.parts: contents.parts must not be empty`];
  return parts.flatMap((part, index) => partProblems(`${where}.parts[${index}]`, role, part));
}

function partProblems(where: string, role: string, part: Fields): string[] {
  const kinds = DATA.filter((name) => part[name] !== undefined);
  if (kinds.length !== 1)
    return [`${where}.data: required oneof field 'data' must have one initialized field`];
  const kind = kinds[0];
  if (kind === "text")
    return part["text"] === "" && part["thoughtSignature"] === undefined
      ? [`${where}.text: an empty text part`]
      : [];
  if (kind === "functionCall") return callProblems(where, role, fields(part["functionCall"]));
  if (kind === "functionResponse") return responseProblems(where, role, fields(part["functionResponse"]));
  const inline = fields(part["inlineData"]);
  return kind === "inlineData" && string(inline["mimeType"]).startsWith("image/")
    ? imageProblems(where, string(inline["mimeType"]), string(inline["data"]))
    : [];
}

function callProblems(where: string, role: string, made: Fields): string[] {
  if (role !== "model") return [`${where}: a functionCall belongs in a model turn`];
  if (!NAME.test(string(made["name"])))
    return [`${where}.functionCall.name: '${string(made["name"])}' is not valid`];
  return made["args"] !== undefined && !isObject(made["args"])
    ? [`${where}.functionCall.args: must be an object`]
    : [];
}

function responseProblems(where: string, role: string, answer: Fields): string[] {
  if (role !== "user") return [`${where}: a functionResponse belongs in a user turn`];
  const problems: string[] = [];
  if (!isObject(answer["response"])) problems.push(`${where}.functionResponse.response: must be an object`);
  for (const part of list(answer["parts"]).map(fields)) {
    const inline = fields(part["inlineData"]);
    problems.push(...imageProblems(where, string(inline["mimeType"]), string(inline["data"])));
  }
  return problems;
}

function inner(content: Fields | undefined, kind: string): Fields[] {
  return list(content?.["parts"])
    .map((part) => fields(part)[kind])
    .filter(isObject);
}

/** The turn after calls answers all of them, in order, by name and id; nothing else may be answered. */
function pairingProblems(contents: readonly Fields[]): string[] {
  const problems: string[] = [];
  for (const [index, content] of contents.entries()) {
    const calls = inner(content, "functionCall");
    const answers = inner(contents[index + 1], "functionResponse");
    if (calls.length > 0 && answers.length !== calls.length)
      problems.push(
        `contents[${index}]: Please ensure that the number of function response parts (${answers.length}) is equal to ` +
          `the number of function call parts (${calls.length}) of the function call turn.`,
      );
    for (const [at, made] of calls.entries()) {
      const answer = answers[at];
      if (!answer) continue;
      if (answer["name"] !== made["name"])
        problems.push(
          `contents[${index + 1}]: the response to ${string(made["name"])} is named ${string(answer["name"])}`,
        );
      if (made["id"] !== undefined && answer["id"] !== undefined && answer["id"] !== made["id"])
        problems.push(
          `contents[${index + 1}]: the response to call ${string(made["id"])} has the id ${string(answer["id"])}`,
        );
    }
    if (
      inner(content, "functionResponse").length > 0 &&
      inner(contents[index - 1], "functionCall").length === 0
    )
      problems.push(
        `contents[${index}]: Please ensure that function response turn comes immediately after a function call turn.`,
      );
  }
  return problems;
}
