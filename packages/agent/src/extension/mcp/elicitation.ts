import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "../../contract/json.ts";
import type { Dialogs } from "../../contract/slash-command.ts";

type Answer = string | number | boolean | string[];

/**
 * Asks the person what a server wants to know, field by field. Whoever does not want to answer declines; a dialog that is left cancels
 * the question. Without `dialogs` (nobody is there) everything is declined.
 */
export async function askPerson(
  dialogs: Dialogs | null,
  server: string,
  request: ElicitRequest["params"],
  signal: AbortSignal,
): Promise<ElicitResult> {
  const schema = (request as { requestedSchema?: unknown }).requestedSchema;
  if (dialogs === null || !isJsonObject(schema)) return { action: "decline" };
  const fields = isJsonObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const names = fields.map(([name, field]) => titleOf(name, field));
  const consent = await dialogs.choose(
    {
      title: `The MCP server ${server} asks`,
      unasked: true,
      detail: `${request.message}${names.length === 0 ? "" : `\n\nIt wants to know: ${names.join(", ")}`}`,
      choices: [
        { value: true, label: fields.length === 0 ? "Yes" : "Answer" },
        { value: false, label: fields.length === 0 ? "No" : "Decline" },
      ],
    },
    signal,
  );
  if (consent === null) return { action: "cancel" };
  if (!consent) return { action: "decline" };
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const content: Record<string, Answer> = {};
  for (const [name, field] of fields) {
    if (!isJsonObject(field)) continue;
    const answer = await askField(dialogs, name, field, required.includes(name), signal);
    if (answer === null) return { action: "cancel" };
    if (answer !== undefined) content[name] = answer;
  }
  return { action: "accept", content };
}

function titleOf(name: string, field: Json): string {
  const title = isJsonObject(field) ? field["title"] : undefined;
  return typeof title === "string" && title !== "" ? title : name;
}

/** Null: cancelled. Undefined: left empty. */
async function askField(
  dialogs: Dialogs,
  name: string,
  field: JsonObject,
  required: boolean,
  signal: AbortSignal,
): Promise<Answer | null | undefined> {
  const about = typeof field["description"] === "string" ? `: ${field["description"]}` : "";
  const title = `${titleOf(name, field)}${about}${required ? "" : " (may stay empty)"}`;
  if (field["type"] === "boolean") return chosen(dialogs, title, yesOrNo(field), required, signal);
  if (field["type"] === "array") return several(dialogs, title, choicesOf(field["items"]), signal);
  const choices = choicesOf(field);
  if (choices.length > 0) return chosen(dialogs, title, choices, required, signal);
  return typed(dialogs, title, field, required, signal);
}

interface Choice<T> {
  value: T;
  label: string;
}

function yesOrNo(field: JsonObject): Choice<boolean>[] {
  const choices = [
    { value: true, label: "Yes" },
    { value: false, label: "No" },
  ];
  return field["default"] === false ? choices.reverse() : choices;
}

/** The values of an enumeration in any of the forms that the protocol has had. */
function choicesOf(field: Json | undefined): Choice<string>[] {
  if (!isJsonObject(field)) return [];
  const titled = field["oneOf"] ?? field["anyOf"];
  if (Array.isArray(titled))
    return titled.flatMap((each) =>
      isJsonObject(each) && typeof each["const"] === "string"
        ? [{ value: each["const"], label: typeof each["title"] === "string" ? each["title"] : each["const"] }]
        : [],
    );
  const names = Array.isArray(field["enumNames"]) ? field["enumNames"] : [];
  const values = Array.isArray(field["enum"]) ? field["enum"] : [];
  return values.flatMap((value, index) =>
    typeof value === "string"
      ? [{ value, label: typeof names[index] === "string" ? names[index] : value }]
      : [],
  );
}

async function chosen<T extends Answer>(
  dialogs: Dialogs,
  title: string,
  choices: readonly Choice<T>[],
  required: boolean,
  signal: AbortSignal,
): Promise<T | null | undefined> {
  const none = required ? [] : [{ value: undefined, label: "(leave it empty)" }];
  const answer = await dialogs.choose<{ value: T | undefined }>(
    { title, choices: [...choices, ...none].map(({ value, label }) => ({ value: { value }, label })) },
    signal,
  );
  return answer === null ? null : answer.value;
}

async function several(
  dialogs: Dialogs,
  title: string,
  choices: readonly Choice<string>[],
  signal: AbortSignal,
): Promise<string[] | null> {
  const picked = new Set<string>();
  for (;;) {
    const answer = await dialogs.choose<{ done: boolean; value: string }>(
      {
        title,
        choices: [
          { value: { done: true, value: "" }, label: `Done (${picked.size} chosen)` },
          ...choices.map(({ value, label }) => ({
            value: { done: false, value },
            label: `${picked.has(value) ? "[x]" : "[ ]"} ${label}`,
          })),
        ],
      },
      signal,
    );
    if (answer === null) return null;
    if (answer.done) return [...picked];
    if (!picked.delete(answer.value)) picked.add(answer.value);
  }
}

async function typed(
  dialogs: Dialogs,
  title: string,
  field: JsonObject,
  required: boolean,
  signal: AbortSignal,
): Promise<Answer | null | undefined> {
  const initial = field["default"];
  let asked = title;
  for (;;) {
    const text = await dialogs.ask(
      {
        title: asked,
        ...(typeof initial === "string" || typeof initial === "number" ? { initial: String(initial) } : {}),
      },
      signal,
    );
    if (text === null) return null;
    if (text.trim() === "" && !required) return undefined;
    const read = readValue(text, field);
    if ("value" in read) return read.value;
    asked = `${title} (${read.problem})`;
  }
}

function readValue(text: string, field: JsonObject): { value: Answer } | { problem: string } {
  const { type, minimum, maximum, minLength, maxLength } = field;
  if (type === "number" || type === "integer") {
    const value = Number(text.trim());
    if (text.trim() === "" || !Number.isFinite(value)) return { problem: "a number, please" };
    if (type === "integer" && !Number.isInteger(value)) return { problem: "a whole number, please" };
    if (typeof minimum === "number" && value < minimum) return { problem: `at least ${minimum}` };
    if (typeof maximum === "number" && value > maximum) return { problem: `at most ${maximum}` };
    return { value };
  }
  if (typeof minLength === "number" && text.length < minLength)
    return { problem: `at least ${minLength} characters` };
  if (typeof maxLength === "number" && text.length > maxLength)
    return { problem: `at most ${maxLength} characters` };
  if (field["format"] === "email" && !/^\S+@\S+\.\S+$/.test(text))
    return { problem: "an email address, please" };
  if (field["format"] === "uri" && !URL.canParse(text))
    return { problem: "an address such as https://…, please" };
  return { value: text };
}
