import type { EmbeddingConfig, ProviderConfig } from "./memory-config.ts";

/** What a project's file may do with a key: a repository is not the user. */
export type ProjectRule = "only_off" | "only_less" | "only_add" | "never";

/** One key of the settings. */
export interface SettingKey {
  /** What is wrong with a value, as the end of a sentence; undefined: it is right. */
  readonly check: (value: unknown) => string | undefined;
  readonly fallback: unknown;
  readonly project: ProjectRule;
}

const flag = (fallback: boolean, project: ProjectRule): SettingKey => ({
  check: (value) => (typeof value === "boolean" ? undefined : "is neither true nor false"),
  fallback,
  project,
});
const count = (fallback: number, least: number, most: number, project: ProjectRule): SettingKey => ({
  check: (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most
      ? undefined
      : `is no whole number from ${least} to ${most}`,
  fallback,
  project,
});
const oneOf = (values: readonly string[], fallback: string, project: ProjectRule): SettingKey => ({
  check: (value) => (values.includes(String(value)) ? undefined : `is none of ${values.join(", ")}`),
  fallback,
  project,
});
const text = (fallback: string | undefined): SettingKey => ({
  check: (value) => (typeof value === "string" && value !== "" ? undefined : "is no text"),
  fallback,
  project: "never",
});
const texts = (fallback: readonly string[], project: ProjectRule): SettingKey => ({
  check: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === "string") ? undefined : "is no list of texts",
  fallback,
  project,
});

/** Every key, its values, its default, and what a project may do with it. */
export const SETTING_KEYS: Readonly<Record<string, SettingKey>> = {
  enabled: flag(true, "only_off"),
  "storage.kind": oneOf(["sqlite", "postgres", "markdown"], "sqlite", "never"),
  "storage.path": text(undefined),
  "storage.databaseUrl": text(undefined),
  providers: { check: checkProviders, fallback: [], project: "never" },
  embedding: { check: checkEmbedding, fallback: { kind: "static" }, project: "never" },
  "capture.enabled": flag(false, "only_off"),
  "capture.review": flag(false, "never"),
  "capture.maxPending": count(100, 1, 10_000, "only_less"),
  "capture.excludedTools": texts(["screen", "restart"], "only_add"),
  "capture.excludedPaths": texts([], "only_add"),
  "privacy.enabled": flag(true, "never"),
  "privacy.patterns": texts([], "never"),
  "budgets.promptTokens": count(1_024, 0, 50_000, "only_less"),
  "budgets.startTokens": count(5_000, 0, 50_000, "only_less"),
  lookbackHours: count(168, 0, 87_600, "only_less"),
  "retention.days": count(0, 0, 36_500, "never"),
  "compression.enabled": flag(true, "only_off"),
  "compression.dailyTokens": count(50_000, 0, 10_000_000, "only_less"),
  compaction: flag(false, "only_off"),
};

/** Keys that hosts and tools keep in the same file. */
export const FOREIGN_KEYS: ReadonlySet<string> = new Set(["$schema", "version", "pi", "opencode"]);

function checkProviders(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "is no list of providers";
  const ids = new Set<unknown>();
  for (const [index, one] of value.entries()) {
    const { id, kind, path, databaseUrl, timeoutMs } = (one ?? {}) as Partial<ProviderConfig>;
    const place = `has an entry ${index + 1}`;
    if (typeof id !== "string" || id === "" || id === "primary" || ids.has(id))
      return `${place} without an id of its own`;
    ids.add(id);
    if (kind === "postgres" ? typeof databaseUrl !== "string" : typeof path !== "string")
      return `${place} ("${id}") that does not say where it is: ${kind === "postgres" ? "databaseUrl" : "path"}`;
    if (kind !== "sqlite" && kind !== "postgres" && kind !== "markdown")
      return `${place} ("${id}") whose kind is none of sqlite, postgres, markdown`;
    if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 10 && timeoutMs <= 60_000))
      return `${place} ("${id}") whose timeoutMs is no whole number from 10 to 60000`;
  }
  return undefined;
}

function checkEmbedding(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "is no object with a kind";
  const { kind, baseUrl, model, dimensions, path } = value as Partial<
    Record<"kind" | "baseUrl" | "model" | "dimensions" | "path", unknown>
  >;
  switch (kind as EmbeddingConfig["kind"]) {
    case "static":
    case "hash":
    case "off":
      return undefined;
    case "openai":
      return typeof baseUrl === "string" && typeof model === "string" && Number.isInteger(dimensions)
        ? undefined
        : "needs baseUrl, model and dimensions for openai";
    case "onnx":
      return typeof path === "string" ? undefined : "needs the path of a model's folder for onnx";
    default:
      return "has a kind that is none of static, hash, off, openai, onnx";
  }
}
