import type { Config } from "./config.ts";

/** The built-in configuration, a fresh copy. Written out, since deriving it from the schema's defaults costs a start more than all the rest. */
export function defaultConfig(): Config {
  return {
    roles: {},
    providers: {},
    headers: {},
    insecure: false,
    thinking: "medium",
    memory: {
      enabled: true,
      token_budget: 5000,
      prompt_token_budget: 1024,
      retention_days: 0,
      max_pending: 100,
      lookback_hours: 168,
      excluded_tools: ["screen", "restart"],
      excluded_paths: [],
      privacy: { enabled: true, patterns: [] },
      compression: { enabled: false, daily_tokens: 50_000 },
    },
    hooks: [],
    mcp: { servers: [], startupWait: 1, startTimeout: 30, timeout: 60, maxTimeout: 600, toolBudget: 8000 },
    guardrail: { max_daily_tokens: 0 },
    compactor: { enabled: true },
    sandbox: { network: true },
    lsp: { mode: "min", format: true, servers: {} },
    extensions: [],
    keybindings: {},
    retry: { maxDelay: 30 },
    autoCompact: { enabled: true, threshold: 0.85 },
    notify: "off",
    packages: [],
    retention: { days: 0, maxBytes: 0 },
    oauth: {},
    idle: { firstByte: 300, between: 90 },
    editor: { vim: false },
    subagent: { maxDepth: 1, maxPerSession: 50 },
    permissions: { allow: [], ask: [], deny: [] },
  };
}
