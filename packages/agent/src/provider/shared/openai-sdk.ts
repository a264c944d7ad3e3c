import type { ProviderSettings } from "../../contract/model.ts";
import type { Exchange } from "./exchange.ts";
import { NEVER_MS } from "./never.ts";

/**
 * Options of OpenAI's SDK for one request: it retries nothing, logs nothing and takes nothing from the environment. What it
 * adds to the headers the exchange replaces.
 */
export function openaiSdkOptions(settings: ProviderSettings, exchange: Exchange) {
  return {
    // The SDK refuses to start without a key; local servers need none.
    apiKey: settings.apiKey || "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: settings.baseUrl.replace(/\/+$/, ""),
    fetch: exchange.fetch as typeof fetch,
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: "off",
  } as const;
}
