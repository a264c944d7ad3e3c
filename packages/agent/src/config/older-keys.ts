import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";
import type { Notice } from "../contract/settings.ts";
import { mergeLayers } from "./merge.ts";

/** Top-level keys of pi-go and what they are here. The value they give is weaker than the same setting under its own name. */
const MOVED: Record<string, { now: string; convert(value: Json): JsonObject }> = {
  defaultModel: {
    now: "roles.default.model",
    convert: (value) => ({ roles: { default: { model: value } } }),
  },
  maxDailyTokens: {
    now: "guardrail.max_daily_tokens",
    convert: (value) => ({ guardrail: { max_daily_tokens: value } }),
  },
  thinkingLevel: { now: "thinking", convert: (value) => ({ thinking: value === "none" ? "off" : value }) },
  extraHeaders: { now: "headers", convert: (value) => ({ headers: value }) },
  insecureSkipTLS: { now: "insecure", convert: (value) => ({ insecure: value }) },
  caCertPath: { now: "caCert", convert: (value) => ({ caCert: value }) },
  baseURLs: {
    now: "providers.NAME.baseUrl",
    convert: (value) => ({
      providers: isJsonObject(value)
        ? (Object.fromEntries(
            Object.entries(value).map(([name, url]) => [name, { baseUrl: url }]),
          ) as JsonObject)
        : value,
    }),
  },
  mcpServers: {
    now: "mcp.servers",
    convert: (value) => ({
      mcp: {
        servers: isJsonObject(value)
          ? Object.entries(value).map(([name, entry]) => (isJsonObject(entry) ? { name, ...entry } : entry))
          : value,
      },
    }),
  },
};

const MOVED_IN_MEMORY: Record<string, string> = {
  max_pending_observations: "max_pending",
  context_lookback_hours: "lookback_hours",
};

/** Keys that pi-go has and that mean nothing here. */
const WITHOUT_EFFECT = new Set([
  "defaultProvider",
  "disableSystemCAs",
  "traceHTTP",
  "tools",
  "contextWindow",
  "maxOutputTokens",
  "palace",
  "a2a",
  "llms",
]);
const WITHOUT_EFFECT_IN_MEMORY = new Set(["compression_model_role", "excluded_projects", "compressor"]);

/** Understands a config file written for pi-go: older names are mapped to ours, each with a notice. */
export function mapOlderKeys(value: JsonObject, file: string): { value: JsonObject; notices: Notice[] } {
  const notices: Notice[] = [];
  const tell = (message: string) => notices.push({ level: "info", message: `${file}: ${message}` });
  let result = Object.fromEntries(
    Object.entries(value).filter(([key]) => !Object.hasOwn(MOVED, key) && !WITHOUT_EFFECT.has(key)),
  ) as JsonObject;
  for (const key of Object.keys(value)) {
    const moved = Object.hasOwn(MOVED, key) ? MOVED[key] : undefined;
    if (moved) {
      result = mergeLayers(moved.convert(value[key]!), result);
      tell(`"${key}" is read as "${moved.now}"`);
    } else if (WITHOUT_EFFECT.has(key) && !(key === "defaultProvider" && "defaultModel" in value))
      tell(`"${key}" has no effect here`);
  }
  const provider = value["defaultProvider"];
  const first = isJsonObject(result["roles"]) ? result["roles"]["default"] : undefined;
  if (provider !== undefined && "defaultModel" in value && isJsonObject(first) && !("provider" in first)) {
    result = mergeLayers(result, { roles: { default: { provider } } });
    tell(`"defaultProvider" is read as "roles.default.provider"`);
  }
  if (isJsonObject(result["memory"])) result = { ...result, memory: mapMemory(result["memory"], tell) };
  return { value: result, notices };
}

function mapMemory(memory: JsonObject, tell: (message: string) => void): JsonObject {
  const entries: [string, Json][] = [];
  for (const [key, value] of Object.entries(memory)) {
    const now = Object.hasOwn(MOVED_IN_MEMORY, key) ? MOVED_IN_MEMORY[key] : undefined;
    if (now !== undefined) {
      if (!(now in memory)) entries.push([now, value]);
      tell(`"memory.${key}" is read as "memory.${now}"`);
    } else if (WITHOUT_EFFECT_IN_MEMORY.has(key)) tell(`"memory.${key}" has no effect here`);
    else entries.push([key, value]);
  }
  return Object.fromEntries(entries) as JsonObject;
}
