/** A place memories are read from besides the primary store. */
export interface ProviderConfig {
  readonly id: string;
  readonly kind: "sqlite" | "postgres" | "markdown";
  /** The file or folder (sqlite, markdown). */
  readonly path?: string;
  /** The address (postgres). */
  readonly databaseUrl?: string;
  /** Milliseconds; default 500, for postgres 2,000. */
  readonly timeoutMs?: number;
}

export type EmbeddingConfig =
  | { readonly kind: "static" | "hash" | "off" }
  | {
      readonly kind: "openai";
      readonly baseUrl: string;
      readonly model: string;
      readonly dimensions: number;
      /** The name of the environment variable that holds the key. */
      readonly apiKeyVariable?: string;
    }
  | { readonly kind: "onnx"; readonly path: string };

/** All settings of the memory engine. Durations say their unit; counts are counts. */
export interface MemorySettings {
  readonly enabled: boolean;
  readonly storage: {
    readonly kind: "sqlite" | "postgres" | "markdown";
    /** Default: `memory/claude-mem.db` in the global folder. */
    readonly path: string;
    readonly databaseUrl?: string;
  };
  readonly providers: readonly ProviderConfig[];
  readonly embedding: EmbeddingConfig;
  readonly capture: {
    readonly enabled: boolean;
    /** What a person states waits for review before it counts. */
    readonly review: boolean;
    readonly maxPending: number;
    readonly excludedTools: readonly string[];
    readonly excludedPaths: readonly string[];
  };
  readonly privacy: { readonly enabled: boolean; readonly patterns: readonly string[] };
  readonly budgets: { readonly promptTokens: number; readonly startTokens: number };
  readonly lookbackHours: number;
  /** How long what was said and done is kept, in days; 0: for ever. Statements stay until somebody forgets them. */
  readonly retention: { readonly days: number };
  readonly compression: { readonly enabled: boolean; readonly dailyTokens: number };
  /** Hosts that can replace a compaction's summary ask for it only when this is on. */
  readonly compaction: boolean;
}

/** The settings in force, where they came from, and what was wrong. */
export interface MemoryConfig {
  readonly settings: MemorySettings;
  /** Files that were read. */
  readonly files: readonly string[];
  /** Unknown keys with their nearest name, wrong values, broken files with line and column: in words, without values that may be secret. */
  readonly problems: readonly string[];
}

/** What a caller may give instead of a file; the parts given win over the files. */
export type SettingsLayer = {
  readonly [Key in keyof MemorySettings]?: MemorySettings[Key] extends readonly unknown[] | boolean | number
    ? MemorySettings[Key]
    : Key extends "embedding"
      ? EmbeddingConfig
      : Partial<MemorySettings[Key]>;
};
