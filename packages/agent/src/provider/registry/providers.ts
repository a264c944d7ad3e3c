import type { Wire } from "../../contract/messages.ts";

/** A service that is known without configuration. */
export interface BuiltInProvider {
  readonly name: string;
  readonly wire: Wire;
  /** In the form in which vendors' tools take it: OpenAI with `/v1`, Anthropic and Gemini without. */
  readonly baseUrl: string;
  /** Variables that may hold the key, the usual one first; none: the service takes no key. */
  readonly keyVariables: readonly string[];
  readonly baseUrlVariable: string;
  /** What runs when only this provider has a key and no model was asked for. */
  readonly defaultModel: string;
  /** How this provider's keys begin, where that tells them from all others. */
  readonly keyPrefix?: RegExp;
}

/** In the order in which a provider is chosen when no model was asked for. Addresses as the catalogue of 2026-11 has them. */
export const BUILT_IN_PROVIDERS: readonly BuiltInProvider[] = [
  {
    name: "anthropic",
    wire: "anthropic",
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    defaultModel: "claude-sonnet-5-5",
    keyPrefix: /^sk-ant-/,
  },
  {
    name: "openai",
    wire: "openai-responses",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariable: "OPENAI_BASE_URL",
    defaultModel: "gpt-6.2-sol",
    keyPrefix: /^sk-(proj|svcacct)-/,
  },
  {
    name: "gemini",
    wire: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com",
    keyVariables: ["GEMINI_API_KEY"],
    baseUrlVariable: "GEMINI_BASE_URL",
    defaultModel: "gemini-4-hydrogen",
    keyPrefix: /^AIza/,
  },
  {
    name: "openrouter",
    wire: "openai-chat",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    baseUrlVariable: "OPENROUTER_BASE_URL",
    defaultModel: "openrouter/auto",
    keyPrefix: /^sk-or-/,
  },
  compatible("mistral", "https://api.mistral.ai/v1", "mistral-large-latest"),
  compatible("xai", "https://api.x.ai/v1", "grok-4.7", { keyPrefix: /^xai-/ }),
  compatible("deepseek", "https://api.deepseek.com", "deepseek-v4-pro"),
  compatible("groq", "https://api.groq.com/openai/v1", "openai/gpt-oss-120b", { keyPrefix: /^gsk_/ }),
  compatible("moonshotai", "https://api.moonshot.ai/v1", "kimi-k3", {
    keyVariables: ["MOONSHOTAI_API_KEY", "MOONSHOT_API_KEY"],
  }),
  compatible("zai", "https://api.z.ai/api/coding/paas/v4", "glm-5.3"),
  compatible("minimax", "https://api.minimax.io/anthropic", "MiniMax-M3", { wire: "anthropic" }),
  compatible("cerebras", "https://api.cerebras.ai/v1", "gpt-oss-120b"),
  compatible("ollama-cloud", "https://ollama.com", "glm-5.3", {
    wire: "ollama",
    keyVariables: ["OLLAMA_API_KEY"],
  }),
  {
    name: "ollama",
    wire: "ollama",
    baseUrl: "http://127.0.0.1:11434",
    keyVariables: [],
    baseUrlVariable: "OLLAMA_HOST",
    defaultModel: "",
  },
];

function compatible(
  name: string,
  baseUrl: string,
  defaultModel: string,
  other: Partial<BuiltInProvider> = {},
): BuiltInProvider {
  const upper = name.toUpperCase().replaceAll("-", "_");
  return {
    name,
    wire: "openai-chat",
    baseUrl,
    defaultModel,
    keyVariables: [`${upper}_API_KEY`],
    baseUrlVariable: `${upper}_BASE_URL`,
    ...other,
  };
}

const ALIASES: Readonly<Record<string, string>> = { google: "gemini", moonshot: "moonshotai" };

/** The built-in provider of a name (`google` is `gemini`), if there is one. */
export function builtInProvider(name: string): BuiltInProvider | undefined {
  const wanted = name.toLowerCase();
  const real = Object.hasOwn(ALIASES, wanted) ? ALIASES[wanted] : wanted;
  return BUILT_IN_PROVIDERS.find((provider) => provider.name === real);
}

/** The provider that a bare model name belongs to by its beginning or its `:cloud` end, if the name says so. */
export function providerByModelName(model: string): string | undefined {
  const name = model.toLowerCase();
  // gpt-oss is an open model: OpenAI's own service does not have it, a name with a tag is Ollama's
  if (/[:-]cloud$/.test(name) || /^gpt-oss.*:/.test(name)) return "ollama";
  if (name.startsWith("claude")) return "anthropic";
  if (/^(gpt(?!-oss)|o1|o3|o4|chatgpt|codex)/.test(name)) return "openai";
  if (name.startsWith("gemini")) return "gemini";
  return undefined;
}
