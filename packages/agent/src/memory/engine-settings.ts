import type { SettingsLayer } from "agentic-remem/runtime";

/** The `memory` part of the configuration. */
export interface MemorySetting {
  readonly enabled: boolean;
  readonly db_path?: string;
  readonly token_budget: number;
  readonly prompt_token_budget: number;
  readonly retention_days: number;
  readonly max_pending: number;
  readonly lookback_hours: number;
  readonly excluded_tools: readonly string[];
  readonly excluded_paths: readonly string[];
  readonly privacy: { readonly enabled: boolean; readonly patterns: readonly string[] };
  readonly compression: { readonly enabled: boolean; readonly daily_tokens: number };
}

/** The configuration as the engine takes it. A switch that is on is not passed on, so that the engine's own file can still switch it off. */
export function engineSettings(setting: MemorySetting, captures: boolean): SettingsLayer {
  return {
    ...(setting.db_path === undefined ? {} : { storage: { kind: "sqlite", path: setting.db_path } }),
    capture: {
      enabled: captures,
      maxPending: setting.max_pending,
      excludedTools: setting.excluded_tools,
      excludedPaths: setting.excluded_paths,
    },
    privacy: setting.privacy,
    budgets: { startTokens: setting.token_budget, promptTokens: setting.prompt_token_budget },
    lookbackHours: setting.lookback_hours,
    // Nothing set here leaves what the engine's own file says.
    ...(setting.retention_days === 0 ? {} : { retention: { days: setting.retention_days } }),
    compression: {
      enabled: setting.compression.enabled,
      dailyTokens: setting.compression.daily_tokens,
    },
  };
}
