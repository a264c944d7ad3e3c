// docs/config.md as text: every key of the configuration, from the schema that files are checked with and the rules for project files.
import { CONFIG_SCHEMA } from "../packages/agent/src/config/schema.ts";
import type { JsonSchema } from "../packages/agent/src/contract/json.ts";
import { markdownTable } from "./markdown-table.ts";
import { projectMay } from "./project-may.ts";

/** One key as the page shows it. */
export interface ConfigRow {
  /** Dotted; `NAME` stands for any name, `[]` for an entry of a list. */
  path: string;
  /** What it takes, in words. */
  value: string;
  /** What holds when nobody sets it, as JSON; empty: nothing, or what its parts say. */
  initial: string;
  /** What a trusted project's file may do with it. */
  project: string;
  meaning: string;
}

/** A top-level key with everything below it. */
export interface ConfigSection {
  key: string;
  meaning: string;
  rows: ConfigRow[];
}

/** The whole page, as `write-config-page.ts` writes it. */
export function configPage(): string {
  const sections = configSections();
  const single = sections.filter(({ rows, key }) => rows.length === 1 && rows[0]!.path === key);
  const grouped = sections.filter((section) => !single.includes(section));
  return `# Configuration

<!-- Written by structure/write-config-page.ts from config/schema.ts and config/project-rules.ts. -->

${INTRODUCTION}

## Single keys

${table(single.flatMap(({ rows }) => rows))}

${grouped.map(({ key, meaning, rows }) => `## ${key}\n\n${meaning}\n\n${table(rows)}`).join("\n\n")}

${ENDING}
`;
}

/** Every top-level key but \`$schema\`, in the schema's order. */
export function configSections(): ConfigSection[] {
  return Object.entries(CONFIG_SCHEMA.properties ?? {})
    .filter(([key]) => key !== "$schema")
    .map(([key, schema]) => ({
      key,
      meaning: withoutProjectRule(schema.description ?? ""),
      rows: topRows(key, schema),
    }));
}

/** The meaning of a top-level key with parts stands above its table; one that only holds parts has no row of its own. */
function topRows(key: string, schema: JsonSchema): ConfigRow[] {
  const [own, ...parts] = rowsOf(key, schema, false);
  if (parts.length === 0) return [own!];
  return schema["additionalProperties"] === false ? parts : [{ ...own!, meaning: "" }, ...parts];
}

function rowsOf(path: string, schema: JsonSchema, required: boolean): ConfigRow[] {
  const parts = childrenOf(path, schema);
  const children = parts.flatMap(([below, child, needed]) => rowsOf(below, child, needed));
  const initial = schema["default"] === undefined ? "" : JSON.stringify(schema["default"]);
  const meaning = withoutProjectRule(schema.description ?? "");
  return [
    {
      path,
      value: valueWords(schema),
      initial: required ? "" : initial,
      project: projectMay(path),
      meaning: required ? `${meaning} Required.` : meaning,
    },
    ...children,
  ];
}

type Child = readonly [path: string, schema: JsonSchema, required: boolean];

function childrenOf(path: string, schema: JsonSchema): Child[] {
  const alternatives = (schema["anyOf"] as readonly JsonSchema[] | undefined) ?? [];
  const items = schema.items === undefined ? [] : childrenOf(`${path}[]`, schema.items);
  const additional = schema["additionalProperties"];
  const named = isSchema(additional) ? childrenOf(`${path}.NAME`, additional) : [];
  const own = Object.entries(schema.properties ?? {}).map(
    ([key, child]): Child => [`${path}.${key}`, child, schema.required?.includes(key) ?? false],
  );
  return [...own, ...named, ...items, ...alternatives.flatMap((each) => childrenOf(path, each))];
}

function valueWords(schema: JsonSchema): string {
  const alternatives = schema["anyOf"] as readonly JsonSchema[] | undefined;
  if (alternatives !== undefined) return alternatives.map(valueWords).join(", or ");
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(" ");
  const additional = schema["additionalProperties"];
  switch (schema.type) {
    case "boolean":
      return "`true` `false`";
    case "integer":
    case "number":
      return `number${rangeWords(schema)}`;
    case "array":
      return schema.items?.type === "string" ? "list of texts" : "list";
    case "object":
      if (isSchema(additional)) return additional.type === "string" ? "texts by name" : "by name";
      return "object";
    default:
      return "text";
  }
}

function rangeWords(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum } = schema as Readonly<Record<string, unknown>>;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, ${minimum} or more`;
  return exclusiveMinimum === undefined ? "" : `, more than ${exclusiveMinimum}`;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

/** The rule for project files has a column of its own here; editors show it with the key. */
function withoutProjectRule(text: string): string {
  return text.replace(/\s*(Not read from a project|A project may only [^.]*)\./g, "").trim();
}

function table(rows: readonly ConfigRow[]): string {
  return markdownTable(
    ["key", "value", "default", "in a project", "meaning"],
    rows.map((row) => [
      `\`${row.path}\``,
      row.value,
      row.initial === "" ? "" : `\`${row.initial}\``,
      row.project,
      row.meaning,
    ]),
  );
}

const INTRODUCTION = `pi needs no configuration but a key for a model ([login.md](login.md)). What you want otherwise goes into \`~/.pi-go/config.json\` (\`PI_HOME\` moves the folder); a project may add a \`.pi-go/config.json\` of its own. Both are JSON with comments. [config.schema.json](config.schema.json) describes them for editors:

\`\`\`jsonc
{
  // ~/.pi-go/config.json
  "roles": { "default": "anthropic/claude-sonnet-5-5", "smol": "anthropic/claude-haiku-5-5" },
  "thinking": "high",
  "permissions": { "ask": ["bash(git push:*)"], "deny": ["edit(infra/**)"] }
}
\`\`\`

**What wins.** A flag, then the environment, then the project's file (once you trust it), then yours, then what is built in. Objects are merged key by key; anything else replaces.

**A project's file may narrow what you allow and never widen it.** The column "in a project" says how: \`no\` (ignored, with a notice), \`lower\`, \`off\` or \`stricter\` (only in that direction from what you set), \`adds\` (to your list), \`disabled\` (it may switch one off), \`yes\`. It acts only after you trust it ([security.md](security.md)).

**Mistakes.** A misspelt key is named with its nearest known name. A value of the wrong kind is named and left out, and its default holds. A file that is not JSON is named with line and column, is not used, and is never overwritten. What pi itself writes (\`/theme\`, \`/notify\`, \`/model\`, a rule that you answered with "always") changes that key and leaves comments and the rest as they are. \`pi doctor\` tells all of it.`;

const ENVIRONMENT: readonly (readonly string[])[] = [
  ["variable", "what it does"],
  ["`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`, …", "keys by provider; `pi models` lists the providers"],
  [
    "`ANTHROPIC_BASE_URL`, `OPENAI_BASE_URL`, …, `OLLAMA_HOST`",
    "addresses, in the form that the services' own tools take (OpenAI with `/v1`, Anthropic without)",
  ],
  ["`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`", "the way to the services"],
  ["`PI_HOME`", "the folder in place of `~/.pi-go`"],
  ["`NO_COLOR`", "no colours"],
  [
    "`PI_CODING_AGENT_DIR`",
    "where Pi keeps its own state, for extensions that it installed ([extensions.md](extensions.md))",
  ],
  [
    "`PI_EXTENSION_CACHE`",
    "`off`: installed extensions load as they are, and none is compiled ([extensions.md](extensions.md))",
  ],
  ["`REMEM_CONFIG_DIR`, `REMEM_DATABASE_URL`", "settings of the memory engine ([remem.md](remem.md))"],
];

const ENDING = `## Environment

${markdownTable(ENVIRONMENT[0]!, ENVIRONMENT.slice(1))}

Keys may also stand in \`~/.pi-go/.env\`, one \`NAME=value\` a line, and in the \`.pi-go/.env\` of a project that you trust. Only names that end in \`_API_KEY\` or \`_TOKEN\` are read from such a file, and the environment wins over it. A \`.env\` elsewhere in a project means nothing to pi.

## From pi-go

A \`config.json\` of pi-go works as it is: its older names (\`defaultModel\`, \`maxDailyTokens\`, \`thinkingLevel\`, \`baseURLs\`, \`mcpServers\`, …) are read as ours, each with a notice that names the new one.`;
