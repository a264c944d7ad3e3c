/** What the configuration hands to the features: plain data and lookups, so that features never import each other. */
import type { Wire } from "./messages.ts";

/** Something people should know that stops nothing. Surfaces show it once (the `notice` event, stderr). */
export interface Notice {
  level: "info" | "warning";
  message: string;
}

/** A role (`default`, `smol`, `slow`, `plan`, `commit`, or a name of the user's): the model that plays it. */
export interface RoleSetting {
  /** `provider/model` or a bare name. */
  model: string;
  provider?: string;
}

/** What the user knows of a model that we do not. Costs are US dollars per million tokens. */
export interface ModelSetting {
  id: string;
  name?: string;
  contextWindow?: number;
  maxOutput?: number;
  images?: boolean;
  reasoning?: boolean;
  cost?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
}

/** One entry of `providers{}`: a service of the user's own, or changes to one that is built in. */
export interface ProviderSetting {
  baseUrl?: string;
  wire?: Wire;
  /** The key itself, or `$NAME` for a variable. */
  apiKey?: string;
  headers?: Readonly<Record<string, string>>;
  models?: readonly ModelSetting[];
}

/** A key that was found. With a `problem` (a line break, quotes, …) it must not be sent: the text says what is wrong. */
export interface FoundKey {
  variable: string;
  /** Where it came from, for people: `the environment` or a file. */
  source: string;
  value: string;
  problem?: string;
}

/** API keys by the name of their variable. */
export interface KeyLookup {
  find(variable: string): FoundKey | undefined;
}
