import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** The JSON objects of a hook's stdout. */
export interface PrintedObjects {
  /** All of the output, or what it ends with: what comes before may be what the hook's programs say. */
  last?: JsonObject;
  /** The others, in their order: in one line each, or in many from a `{` to a `}` at the left. */
  earlier: JsonObject[];
  /** Output that begins like an object and is none, with what is wrong with it. */
  broken?: { text: string; why: string };
}

export function printedObjects(stdout: string): PrintedObjects {
  const all = stdout.trim();
  const whole = parse(all);
  if (whole.value !== undefined) return { last: whole.value, earlier: [] };
  const earlier: JsonObject[] = [];
  const lines = all.split("\n");
  let opened = -1;
  let atEnd = false;
  for (const [index, full] of lines.entries()) {
    const line = full.trim();
    const closes = full.trimEnd() === "}" && opened >= 0;
    // Printed in many lines it begins and ends at the left. Other texts do so, too: code, say.
    const text = closes ? lines.slice(opened, index + 1).join("\n") : line.endsWith("}") ? line : "";
    if (full.startsWith("{")) opened = index;
    if (closes) opened = -1;
    const { value } = parse(text);
    atEnd = value !== undefined;
    if (value !== undefined) earlier.push(value);
  }
  if (atEnd) return { last: earlier.pop()!, earlier };
  const end = lines.at(-1)?.trim() ?? "";
  const text = all.startsWith("{") ? all : end.startsWith("{") && end.endsWith("}") ? end : undefined;
  return text === undefined
    ? { earlier }
    : { earlier, broken: { text, why: parse(text).why ?? "it is no object" } };
}

function parse(text: string): { value?: JsonObject; why?: string } {
  if (!text.startsWith("{")) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { value } : {};
  } catch (thrown) {
    return { why: String(thrown) };
  }
}
