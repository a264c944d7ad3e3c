import type { OAuthSetting } from "../contract/settings.ts";

/** What is published about logging in to a provider. Client ids are not among it: each belongs to the program that it was given to. */
export interface LoginPreset {
  /** For people. */
  title: string;
  /** Where keys are made. */
  keyPage?: string;
  /** The provider whose key stands in for a login, where this one takes none of its own. */
  keyOf?: string;
  oauth?: Omit<OAuthSetting, "clientId" | "clientSecret"> & { deviceDialect?: "openai" };
  /** What a service says about who may have a client. */
  terms?: string;
}

const OPENAI_OAUTH = {
  authorizeUrl: "https://auth.openai.com/oauth/authorize",
  tokenUrl: "https://auth.openai.com/oauth/token",
  redirectUrl: "http://localhost:1455/auth/callback",
  scopes: ["openid", "profile", "email", "offline_access"],
  flow: "device",
  deviceDialect: "openai",
} as const;

/** Addresses as the services have them in 2026-11. */
const PRESETS: Readonly<Record<string, LoginPreset>> = {
  anthropic: {
    title: "Anthropic",
    keyPage: "https://platform.claude.com/settings/keys",
    oauth: {
      authorizeUrl: "https://platform.claude.com/oauth/authorize",
      tokenUrl: "https://platform.claude.com/v1/oauth/token",
      tokenFormat: "json",
      redirectUrl: "https://platform.claude.com/oauth/code/callback",
      scopes: ["user:profile", "user:inference"],
      parameters: { code: "true" },
    },
    terms: "Anthropic allows that to programs that it has approved; an API key needs no approval",
  },
  openai: {
    title: "OpenAI",
    keyPage: "https://platform.openai.com/api-keys",
    oauth: OPENAI_OAUTH,
    terms: "OpenAI gives clients to programs that register with it; an API key needs none",
  },
  "openai-codex": {
    title: "OpenAI Codex",
    keyPage: "https://platform.openai.com/api-keys",
    keyOf: "openai",
    oauth: {
      ...OPENAI_OAUTH,
      parameters: { id_token_add_organizations: "true", codex_cli_simplified_flow: "true" },
    },
    terms:
      "OpenAI gives clients to programs that register with it; with an API key Codex models run as openai/…",
  },
  gemini: {
    title: "Google Gemini",
    keyPage: "https://aistudio.google.com/apikey",
    oauth: {
      issuer: "https://accounts.google.com",
      scopes: [
        "https://www.googleapis.com/auth/cloud-platform",
        "https://www.googleapis.com/auth/generative-language.retriever",
      ],
      flow: "browser",
      parameters: { access_type: "offline", prompt: "consent" },
    },
    terms:
      "Google Cloud gives you one of the kind Desktop app, with its secret; requests then need the header x-goog-user-project",
  },
  openrouter: { title: "OpenRouter", keyPage: "https://openrouter.ai/settings/keys" },
  mistral: { title: "Mistral", keyPage: "https://console.mistral.ai/api-keys" },
  xai: { title: "xAI", keyPage: "https://console.x.ai" },
  deepseek: { title: "DeepSeek", keyPage: "https://platform.deepseek.com/api_keys" },
  groq: { title: "Groq", keyPage: "https://console.groq.com/keys" },
};

/** What is known of a provider's login; undefined: nothing. */
export function loginPreset(provider: string): LoginPreset | undefined {
  return Object.hasOwn(PRESETS, provider) ? PRESETS[provider] : undefined;
}

/** Providers that a login is offered for without configuration, the usual ones first. */
export const PRESET_PROVIDERS: readonly string[] = Object.keys(PRESETS);
