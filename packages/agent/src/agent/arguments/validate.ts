/** From the arguments that a model sent to the input that a tool runs with, or to a refusal that the model can act on. */
import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { coerce } from "./coerce.ts";
import { resolve, signature } from "./schema.ts";
import { tidy } from "./tidy.ts";

export type Validated =
  | {
      ok: true;
      input: JsonObject;
      /** For the model: which properties were ignored. */
      note?: string;
    }
  | { ok: false; message: string };

interface Failure {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

interface Checker {
  check(value: unknown): boolean;
  failures(value: unknown): Failure[];
}

type Compile = (schema: object) => {
  Check(value: unknown): boolean;
  Errors(value: unknown): [boolean, readonly unknown[]];
};

let loading: Promise<Compile> | undefined;
const checkers = new WeakMap<JsonSchema, Checker>();

/** Loads the validator (some 70 ms from source); called as soon as a model begins a call, so that the wait hides in the stream. */
export function loadValidator(): Promise<Compile> {
  loading ??= import("typebox/schema").then((module) => module.Compile as unknown as Compile);
  return loading;
}

/** Validates the arguments of a call: aliases, lossless coercions and unknown properties are accepted, all else refused. */
export async function validateArguments(tool: AnyTool, sent: JsonObject): Promise<Validated> {
  const compile = await loadValidator();
  const { input, ignored } = tidy(sent, tool.input, tool.aliases ?? {});
  const checker = checkerFor(tool.input, compile);
  const note =
    ignored.length === 0 ? {} : { note: `Note: ignored unknown ${plural(ignored)} ${ignored.join(", ")}.` };
  if (checker.check(input)) return { ok: true, input, ...note };
  const fits = (schema: JsonSchema, value: Json) =>
    checkerFor(within(schema, tool.input), compile).check(value);
  const coerced = coerce(input, tool.input, tool.input, fits) as JsonObject;
  // Text that turned into an object may hold unknown properties and nulls of its own.
  const again = tidy(coerced, tool.input, {}).input;
  if (checker.check(again)) return { ok: true, input: again, ...note };
  return { ok: false, message: refusal(tool, input, checker.failures(again), ignored) };
}

function refusal(tool: AnyTool, input: JsonObject, failures: Failure[], ignored: string[]): string {
  const lines = describe(failures, input);
  const unknown = ignored.length === 0 ? "" : `\nUnknown ${plural(ignored)}: ${ignored.join(", ")}`;
  return (
    `The call of ${tool.name} was not run: its arguments do not fit.\n` +
    `${lines.map((line) => `- ${line}`).join("\n")}${unknown}\n` +
    `Expected: ${signature(tool.input)}`
  );
}

function describe(failures: Failure[], input: JsonObject): string[] {
  const lines = new Set<string>();
  for (const failure of failures) {
    if (failure.keyword === "required") {
      const names = (failure.params as { requiredProperties?: string[] }).requiredProperties ?? [];
      for (const name of names) lines.add(`${place(failure.instancePath, name)} is missing`);
      continue;
    }
    // The false schema behind additionalProperties repeats what the keyword itself says.
    if (failure.keyword === "boolean") continue;
    const value = valueAt(input, failure.instancePath);
    lines.add(
      `${place(failure.instancePath)} ${failure.message}${value === undefined ? "" : `, got ${shown(value)}`}`,
    );
  }
  return [...lines].slice(0, 8);
}

function place(pointer: string, name?: string): string {
  const path = [...pointer.split("/").slice(1), ...(name === undefined ? [] : [name])].join(".");
  return path === "" ? "the arguments" : path;
}

function valueAt(input: Json, pointer: string): Json | undefined {
  let node: Json | undefined = input;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as JsonObject)[key];
  }
  return node;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 120 ? text : `${text.slice(0, 120).toWellFormed()}… (${text.length} characters)`;
}

function plural(names: string[]): string {
  return names.length === 1 ? "property" : "properties";
}

/** A part of a schema with the definitions that it may refer to. */
const parts = new WeakMap<JsonSchema, JsonSchema>();
function within(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let part = parts.get(schema);
  if (!part) {
    part = { ...resolve(schema, root), $defs: root.$defs, definitions: root.definitions };
    parts.set(schema, part);
  }
  return part;
}

function checkerFor(schema: JsonSchema, compile: Compile): Checker {
  let checker = checkers.get(schema);
  if (!checker) {
    checker = makeChecker(schema, compile);
    checkers.set(schema, checker);
  }
  return checker;
}

function makeChecker(schema: JsonSchema, compile: Compile): Checker {
  try {
    const validator = compile(lenient(schema, schema) as object);
    return {
      check: (value) => validator.Check(value),
      failures: (value) => validator.Errors(value)[1] as Failure[],
    };
  } catch {
    // A server's schema that cannot be compiled (a foreign regular expression): the server itself has to check.
    return { check: () => true, failures: () => [] };
  }
}

/** Values, not schemas: left as they are. */
const DATA = new Set(["enum", "const", "default", "examples"]);

/** The schema without what is only an annotation (`format`) and without references that lead nowhere: the tool decides there. */
function lenient(node: unknown, root: JsonSchema): unknown {
  if (Array.isArray(node)) return node.map((item) => lenient(item, root));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (key === "format" && typeof value === "string") return [];
    if (value === undefined) return [];
    if (key === "$ref" && typeof value === "string") return reaches(value, root) ? [[key, value]] : [];
    return [[key, DATA.has(key) && !isSchemaMap(value) ? value : lenient(value, root)]];
  });
  return Object.fromEntries(entries);
}

function reaches(reference: string, root: JsonSchema): boolean {
  return reference === "#" || Object.keys(resolve({ $ref: reference }, root)).length > 0;
}

/** A property that happens to be named like a data keyword holds a schema. */
function isSchemaMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && "type" in value;
}
