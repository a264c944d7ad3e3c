// What a project's configuration file may do with a key, in a word: found by asking the rules themselves with values that would widen.
import { PROJECT_RULES } from "../packages/agent/src/config/project-rules.ts";
import { CONFIG_SCHEMA } from "../packages/agent/src/config/schema.ts";
import type { Json, JsonSchema } from "../packages/agent/src/contract/json.ts";

/** Words of the refusals, and what the page says for them. */
const REFUSALS: readonly [words: string, may: string][] = [
  ["may not set it", "no"],
  ["only lower it", "lower"],
  ["only switch it off", "off"],
  ["only make it stricter", "stricter"],
  ["only disable", "disabled"],
];

/** `no`, `lower`, `off`, `stricter`, `disabled`, `adds` or `yes` for a dotted path; a part of a key follows the rule of the key. */
export function projectMay(path: string): string {
  const key = ruleKey(path.replaceAll("[]", ""));
  const parts = Object.keys(PROJECT_RULES).filter((each) => each.startsWith(`${path}.`));
  // A key whose parts have rules of their own has none.
  if (key === undefined) return parts.length > 0 ? "" : "no";
  const [wider, mine] = wideningValues(schemaAt(key));
  const decision = PROJECT_RULES[key]!(wider, mine, true);
  if ("ignore" in decision)
    return REFUSALS.find(([words]) => decision.ignore.includes(words))?.[1] ?? decision.ignore;
  return Array.isArray(decision.take) && Array.isArray(mine) && decision.take.length > 1 ? "adds" : "yes";
}

/** The nearest key upwards that has a rule. */
function ruleKey(path: string): string | undefined {
  if (Object.hasOwn(PROJECT_RULES, path)) return path;
  const above = path.lastIndexOf(".");
  return above < 0 ? undefined : ruleKey(path.slice(0, above));
}

function schemaAt(path: string): JsonSchema {
  return path.split(".").reduce<JsonSchema>((schema, key) => {
    const alternatives = (schema["anyOf"] as readonly JsonSchema[] | undefined) ?? [];
    const found = [schema, ...alternatives].find(({ properties }) => properties?.[key] !== undefined);
    if (found === undefined) throw new Error(`the schema has no key ${path}, for which there is a rule`);
    return found.properties![key]!;
  }, CONFIG_SCHEMA);
}

/** A value of a project that would widen the user's value beside it, in whichever direction the rule looks. */
function wideningValues(schema: JsonSchema): [wider: Json, mine: Json] {
  // Both lists go from the narrowest to the widest: read-only … off, off … full.
  if (schema.enum !== undefined) return [schema.enum.at(-1)!, schema.enum[0]!];
  switch (schema.type) {
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return [2, 1];
    case "array":
      return schema.items?.type === "string"
        ? [["theirs"], ["mine"]]
        : [[{ name: "theirs" }], [{ name: "mine" }]];
    case "object":
      return [{ theirs: { command: "x" } }, {}];
    default:
      return ["theirs", "mine"];
  }
}
