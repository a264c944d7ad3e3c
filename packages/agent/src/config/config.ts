import type { ThinkingLevel } from "../contract/model.ts";
import type { SandboxTier } from "../contract/process.ts";
import type { OAuthSettings, ProviderSetting, RoleSetting } from "../contract/settings.ts";

/** One hook: a shell command that runs at an event. `timeout` in seconds. */
export interface HookSetting {
  event: string;
  command: string;
  tools?: string[];
  timeout?: number;
  /** A hook that fails or is missing blocks instead of being noticed. */
  blocking?: boolean;
  /** The file that names it. */
  source?: string;
}

/** One MCP server: a program (`command`) or an address (`url`). */
export interface McpServerSetting {
  name: string;
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
  /** How an address is spoken to; absent: streamable HTTP, then the older SSE transport. */
  type?: "stdio" | "http" | "sse";
  /** A client that was registered by hand with the service that authorises. */
  oauth?: { clientId?: string; clientSecret?: string; scopes?: string[] };
  disabled?: boolean;
  /** Seconds without an answer or progress, for this server. */
  timeout?: number;
  /** Seconds that its start may take. */
  startTimeout?: number;
  /** The file that names it; set when it is read. */
  source?: string;
}

/** One language server: changes to one that is built in, or (with `command` and `extensions`) one of the user's own. */
export interface LanguageServerSetting {
  command?: string;
  args?: string[];
  extensions?: string[];
  languageId?: string;
  rootMarkers?: string[];
  initializationOptions?: Record<string, unknown>;
  settings?: Record<string, unknown>;
  env?: Record<string, string>;
  format?: boolean;
  disabled?: boolean;
  /** Also in projects that are not trusted, although it runs their programs. */
  untrusted?: boolean;
}

/** The settings of a run, complete: every key has its value or is documented as optional. `config/schema.ts` describes each key. */
export interface Config {
  roles: Record<string, RoleSetting>;
  providers: Record<string, ProviderSetting>;
  headers: Record<string, string>;
  caCert?: string;
  insecure: boolean;
  thinking: ThinkingLevel;
  memory: {
    enabled: boolean;
    db_path?: string;
    token_budget: number;
    prompt_token_budget: number;
    retention_days: number;
    max_pending: number;
    lookback_hours: number;
    excluded_tools: string[];
    excluded_paths: string[];
    privacy: { enabled: boolean; patterns: string[] };
    compression: { enabled: boolean; daily_tokens: number };
  };
  hooks: HookSetting[];
  mcp: {
    servers: McpServerSetting[];
    startupWait: number;
    startTimeout: number;
    timeout: number;
    maxTimeout: number;
    toolBudget: number;
  };
  guardrail: { max_daily_tokens: number };
  compactor: { enabled: boolean };
  theme?: string;
  sandbox: { tier?: SandboxTier; network: boolean; caches?: string[]; environment?: string[] };
  lsp: { mode: "off" | "min" | "full"; format: boolean; servers: Record<string, LanguageServerSetting> };
  extensions: string[];
  keybindings: Record<string, string | string[]>;
  retry: { maxDelay: number };
  autoCompact: { enabled: boolean; threshold: number };
  notify: "off" | "bell" | "desktop";
  packages: string[];
  retention: { days: number; maxBytes: number };
  oauth: OAuthSettings;
  idle: { firstByte: number; between: number };
  editor: { vim: boolean };
  subagent: { maxDepth: number; maxPerSession: number };
  permissions: { allow: string[]; ask: string[]; deny: string[] };
}

/** A layer over the configuration: any part of it. */
export type ConfigLayer = {
  [K in keyof Config]?: Config[K] extends unknown[] ? Config[K] : Partial<Config[K]>;
};
