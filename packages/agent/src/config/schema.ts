import type { JsonSchema } from "../contract/json.ts";
import type { Config } from "./config.ts";
import { oauthSchema } from "./oauth-schema.ts";
import { closed, count, flag, name, text, textList, textMap } from "./schema-parts.ts";

const WIRES = ["anthropic", "openai-chat", "openai-responses", "gemini", "ollama"] as const;
const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const LANGUAGE_MODES = ["off", "min", "full"] as const;
const TIERS = ["read-only", "workspace-write", "off"] as const;

const role: JsonSchema = {
  anyOf: [
    { type: "string", minLength: 1, description: "provider/model, or a model name" },
    closed(
      "A model and, if the name does not say it, its provider.",
      {
        model: { ...name, description: "The model's name." },
        provider: { ...name, description: "The provider's name." },
      },
      ["model"],
    ),
  ],
};

const model = closed(
  "A model of this provider. Limits in tokens.",
  {
    id: { ...name, description: "What the service calls it." },
    name: { ...text, description: "What lists show; the id if not given." },
    contextWindow: {
      type: "integer",
      minimum: 1,
      description: "Tokens of a request and its answer together.",
    },
    maxOutput: { type: "integer", minimum: 1, description: "Most tokens of an answer." },
    images: { type: "boolean", description: "It takes pictures." },
    reasoning: { type: "boolean", description: "It can think before it answers." },
    cost: closed(
      "US dollars per million tokens.",
      {
        input: { type: "number", minimum: 0, description: "What is sent." },
        output: { type: "number", minimum: 0, description: "What is answered, thinking included." },
        cacheRead: {
          type: "number",
          minimum: 0,
          description: "What is sent and was in the service's cache.",
        },
        cacheWrite: { type: "number", minimum: 0, description: "What is written to the cache." },
      },
      ["input", "output"],
    ),
  },
  ["id"],
);

const provider = closed("A service of your own, or changes to one that is built in.", {
  baseUrl: {
    type: "string",
    pattern: "^https?://",
    description: "The address, in the form of the wire's SDK.",
  },
  wire: { type: "string", enum: WIRES, description: "The interface it speaks; openai-chat for a new name." },
  apiKey: {
    type: "string",
    minLength: 1,
    description: "The key, or $NAME for a variable of the environment.",
  },
  headers: { ...textMap, description: "Headers sent with its requests." },
  models: { type: "array", items: model, description: "Models that pi does not know, or knows otherwise." },
});

const hook = closed(
  "A shell command that runs at an event and gets it as JSON on stdin.",
  {
    event: {
      type: "string",
      enum: ["before_tool", "after_tool", "session_start", "session_end", "prompt", "before_compact", "stop"],
      description: "When it runs.",
    },
    command: { ...name, description: "A command line for sh." },
    tools: textList("Only for these tools: a name, a glob, or a name with a path such as edit(src/**)."),
    timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds; 10 if not given." },
    blocking: { type: "boolean", description: "A failed or missing hook blocks instead of being noticed." },
  },
  ["event", "command"],
);

const server = closed(
  "An MCP server: a program (command) or an address (url).",
  {
    name: { ...name, description: "Its tools are called name__tool." },
    command: { ...name, description: "The program." },
    args: { type: "array", items: text, description: "Its arguments." },
    env: { ...textMap, description: "Variables added to its environment, which holds no keys." },
    cwd: { ...name, description: "Where it starts, relative to the folder that holds .pi-go." },
    url: {
      type: "string",
      pattern: "^(https?://|\\$\\{)",
      description: "An address that begins with http:// or https://",
    },
    headers: { ...textMap, description: "Headers sent to the address." },
    type: {
      type: "string",
      enum: ["stdio", "http", "sse"],
      description: "How an address is spoken to; without it: streamable HTTP, then the older SSE.",
    },
    oauth: closed("A client that you have registered with the service yourself.", {
      clientId: { ...name, description: "Its id." },
      clientSecret: { ...name, description: "Its secret, if it has one." },
      scopes: { type: "array", items: name, description: "What is asked for." },
    }),
    disabled: { type: "boolean", description: "It waits for /mcp enable." },
    timeout: {
      type: "number",
      exclusiveMinimum: 0,
      description: "Seconds that a call may be silent; mcp.timeout if not given.",
    },
    startTimeout: {
      type: "number",
      exclusiveMinimum: 0,
      description: "Seconds that its start may take; mcp.startTimeout if not given.",
    },
  },
  ["name"],
);

const languageServer = closed("A language server.", {
  command: { ...name, description: "The program; looked for in PATH." },
  args: { type: "array", items: text, description: "Its arguments." },
  extensions: { type: "array", items: name, description: "Kinds of files, such as .vue." },
  languageId: { ...name, description: "What the protocol calls the language." },
  rootMarkers: { type: "array", items: name, description: "Files that mark the root of a project." },
  initializationOptions: {
    type: "object",
    description: "Handed over at its start, over the built-in ones.",
  },
  settings: { type: "object", description: "Answers to the server's questions for configuration." },
  env: { ...textMap, description: "Variables added to its environment, which holds no keys." },
  format: { type: "boolean", description: "Whether it formats changed files." },
  disabled: { type: "boolean", description: "It is not used." },
  untrusted: {
    type: "boolean",
    description: "Run it also in projects that are not trusted, although it runs their programs.",
  },
});

const properties = {
  roles: {
    type: "object",
    description: "Models by role: default, smol, slow, plan, commit, or a name of your own.",
    additionalProperties: role,
    default: {},
  },
  providers: {
    type: "object",
    description: "Model services by name. Not read from a project.",
    additionalProperties: provider,
    default: {},
  },
  headers: {
    ...textMap,
    description: "Headers sent to the model service with every request. Not read from a project.",
    default: {},
  },
  caCert: {
    ...name,
    description: "A PEM file of certificates to trust besides the system's. Not read from a project.",
  },
  insecure: flag("Do not check TLS certificates. Not read from a project.", false),
  thinking: { type: "string", enum: LEVELS, description: "How much the model reasons.", default: "medium" },
  memory: closed("Long-term memory.", {
    enabled: flag("Remember and recall. A project may only switch it off.", true),
    db_path: { ...name, description: "The database file. Not read from a project." },
    token_budget: count("Most tokens of memory at the start of a session.", 5000),
    prompt_token_budget: count("Most tokens of memory with each prompt.", 1024),
    retention_days: count(
      "Days that what was said and done is remembered; statements and pinned memories stay. 0 = for ever. Not read from a project.",
      0,
    ),
    max_pending: count("Observations waiting to be stored.", 100),
    lookback_hours: count("How far back the start of a session looks.", 168),
    excluded_tools: textList("Tools whose calls are not remembered. A project may only add.", [
      "screen",
      "restart",
    ]),
    excluded_paths: textList(
      "Globs of files: calls that touch one are not remembered. Files of secrets never are. A project may only add.",
    ),
    privacy: closed("Redaction of personal data and secrets. Not read from a project.", {
      enabled: flag("Redact before storing.", true),
      patterns: textList("Further regular expressions to redact."),
    }),
    compression: closed(
      "Notes and summaries of sessions written by the model of role `smol`, in the terminal only. Not read from a project.",
      {
        enabled: flag("Off: they are made by rule and cost nothing.", false),
        daily_tokens: count("Most tokens a day for it, of all programs together.", 50_000),
      },
    ),
  }),
  hooks: {
    type: "array",
    items: hook,
    description: "Commands of yours around tools, prompts and sessions. A project's hooks run after yours.",
    default: [],
  },
  mcp: closed("Tool servers of the Model Context Protocol.", {
    servers: {
      type: "array",
      items: server,
      description: "The servers. A project's server replaces yours of the same name.",
      default: [],
    },
    startupWait: {
      type: "number",
      minimum: 0,
      description: "Seconds that print and json wait for servers.",
      default: 1,
    },
    startTimeout: {
      type: "number",
      exclusiveMinimum: 0,
      description: "Seconds until a server that does not list its tools counts as failed.",
      default: 30,
    },
    timeout: {
      type: "number",
      exclusiveMinimum: 0,
      description: "Seconds without an answer or progress after which a call is cancelled.",
      default: 60,
    },
    maxTimeout: {
      type: "number",
      exclusiveMinimum: 0,
      description: "Seconds after which a call is cancelled however much progress it makes.",
      default: 600,
    },
    toolBudget: count(
      "Estimated tokens that definitions of tools may take in each request; what is beyond is found by search.",
      8000,
    ),
  }),
  guardrail: closed("Limits on use. Not read from a project.", {
    max_daily_tokens: count("Tokens a day for all processes together; 0 = no limit.", 0),
  }),
  compactor: closed("Shortening of long tool output.", { enabled: flag("On or off.", true) }),
  theme: { ...name, description: "The colour theme." },
  sandbox: {
    description: "How bash is confined. A project may only make it stricter.",
    anyOf: [
      { type: "string", enum: TIERS },
      closed("Confinement in detail.", {
        tier: {
          type: "string",
          enum: TIERS,
          description: "workspace-write where the system offers a sandbox.",
        },
        network: flag("false turns the network off.", true),
        caches: {
          type: "array",
          items: name,
          description: "Package caches that bash may write, besides the usual ones.",
        },
        environment: {
          type: "array",
          items: name,
          description:
            "Variables that commands get although they look like keys, such as NPM_TOKEN; * stands for any letters.",
        },
      }),
    ],
  },
  lsp: {
    description: "Language servers. A project may only lower what you set, and only disable servers.",
    anyOf: [
      { type: "string", enum: LANGUAGE_MODES },
      closed("Language servers in detail.", {
        mode: {
          type: "string",
          enum: LANGUAGE_MODES,
          description:
            "off; min: changed files are formatted and checked, with two tools; full: all five tools.",
          default: "min",
        },
        format: flag("Format changed files. A project may only switch it off.", true),
        servers: {
          type: "object",
          description: "By name: changes to a built-in server, or one of your own.",
          additionalProperties: languageServer,
          default: {},
        },
      }),
    ],
  },
  extensions: textList(
    "Extension modules; relative to the folder of this file. A project's come after yours.",
  ),
  keybindings: {
    type: "object",
    description: "Keys by action.",
    additionalProperties: { anyOf: [name, { type: "array", items: name }] },
    default: {},
  },
  retry: closed("Failed requests.", {
    maxDelay: {
      type: "number",
      minimum: 0,
      description: "The longest wait in seconds; a longer one fails at once.",
      default: 30,
    },
  }),
  autoCompact: closed("Compaction before the window is full.", {
    enabled: flag("On or off.", true),
    threshold: {
      type: "number",
      minimum: 0.1,
      maximum: 1,
      description: "The share of the context window that starts it.",
      default: 0.85,
    },
  }),
  notify: {
    type: "string",
    enum: ["off", "bell", "desktop"],
    description: "When a long turn ends.",
    default: "off",
  },
  packages: textList("Pi packages. A project's come after yours."),
  retention: closed("What is kept of old sessions. Not read from a project.", {
    days: count("Days; 0 = for ever.", 0),
    maxBytes: count("Bytes; 0 = no limit.", 0),
  }),
  oauth: oauthSchema,
  idle: closed("How long a silent model is waited for, in seconds.", {
    firstByte: { type: "number", exclusiveMinimum: 0, description: "Until its first output.", default: 300 },
    between: { type: "number", exclusiveMinimum: 0, description: "Between two outputs.", default: 90 },
  }),
  editor: closed("The prompt editor.", { vim: flag("vi keys.", false) }),
  subagent: closed("Limits of subagents. A project may only lower them.", {
    maxDepth: count("Subagents of subagents.", 1),
    maxPerSession: count("Subagents in a session.", 50),
  }),
  permissions: closed(
    "Rules such as bash(git status:*) or edit(src/**); deny beats all; of an ask and an allow rule the narrower decides.",
    {
      allow: textList("Runs without asking. Not read from a project."),
      ask: textList("Asks first. A project may only add."),
      deny: textList("Never runs. A project may only add."),
    },
  ),
} satisfies Record<keyof Config, JsonSchema>;

/** The published JSON Schema of both config files (`docs/config.schema.json` is this, written out). */
export const CONFIG_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title:
    "pi-ts configuration: ~/.pi-go/config.json and, in a trusted project, .pi-go/config.json (JSON with comments)",
  type: "object",
  properties: { $schema: { type: "string", description: "For editors." }, ...properties },
  additionalProperties: false,
};
