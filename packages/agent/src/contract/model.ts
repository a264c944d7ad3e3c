/** The port between the loop and a model: one stream per request, which never throws. */
import type { JsonSchema } from "./json.ts";
import type { AssistantMessage, AssistantPart, Message, ModelSource, Usage, Wire } from "./messages.ts";

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** US dollars per million tokens. */
export interface ModelCost {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What is known of a model. For a model nobody knows, `known` is false and limits are careful defaults. */
export interface ModelInfo {
  provider: string;
  id: string;
  name: string;
  wire: Wire;
  known: boolean;
  /** Tokens of input and output together. */
  contextWindow: number;
  maxOutput: number;
  images: boolean;
  reasoning: boolean;
  /** Our level to the provider's effort value; null = not offered, absent = no special mapping. */
  levels?: Readonly<Record<string, string | null>>;
  cost?: ModelCost;
  /** Whole-request prices once total input exceeds `above` tokens. */
  tiers?: readonly (ModelCost & { above: number })[];
}

/** A tool as the model is told of it. */
export interface ToolDeclaration {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** Sees and changes a request in the form that its service gets, whatever wire that is, and hears what was answered. None of it may throw. */
export interface WireDoor {
  /** The JSON value that is sent in place of `payload`. */
  payload?(payload: unknown): Promise<unknown>;
  /** The headers that are sent in place of these; names are lower case. */
  headers?(headers: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
  answered?(status: number, headers: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * One request. `system` and `tools` stay byte-identical over a session, and `messages` only grows at its end, so
 * that prompt caches stay warm. `messages` has already been made valid for the client's `rules`.
 */
export interface ModelRequest {
  model: ModelInfo;
  system: string;
  tools: readonly ToolDeclaration[];
  messages: readonly Message[];
  /** Tokens the answer may use; the client clamps it to what the model takes. Absent: the model's own limit. */
  maxOutput?: number;
  thinking: ThinkingLevel;
  /** Keeps a session's requests on one cache where the provider takes such a key (the session id). */
  cacheKey?: string;
  door?: WireDoor;
}

/** What the history must look like for a provider; the repair pass reads it. */
export interface HistoryRules {
  /** Tool-call ids the wire takes, e.g. `/^[a-zA-Z0-9_-]{1,64}$/`. */
  callId: RegExp;
  /** Tool names the wire takes. */
  toolName: RegExp;
  /** Whether the wire carries images inside tool results (else the client moves them into a user message). */
  imagesInResults: boolean;
  /**
   * Whether this model's thinking is bound to all that came before it: what stands behind a place that was changed must go
   * back without its thinking then. Absent: no model's is.
   */
  bindsThinking?(model: ModelInfo): boolean;
}

/** Classes of model failure (taxonomy of `docs/adr/0004-model-errors.md`). */
export type ModelErrorCode =
  | "auth"
  | "quota"
  | "rate"
  | "overloaded"
  | "overflow"
  | "invalid"
  | "not_found"
  | "filtered"
  | "network"
  | "idle"
  | "unknown";

/** A failed request as data: the retry policy decides by it and never by prose. */
export interface ModelError {
  code: ModelErrorCode;
  /** What the service said, with its status; bounded to 2,000 characters; secrets removed. */
  message: string;
  hint?: string;
  status?: number;
  retryable: boolean;
  /** The wait that the service asked for, in milliseconds (a lower bound). */
  retryAfterMs?: number;
  /** With `overflow`: the tokens that fit, as the service told them. */
  contextWindow?: number;
}

/**
 * One thing that happened in a stream. A stream ends with exactly one `end` or `error` and never throws.
 * Only events that carry something from the model count as activity for the idle watchdog: comments and pings yield nothing.
 */
export type ModelEvent =
  | { type: "text_delta"; delta: string }
  | { type: "thinking_delta"; delta: string }
  /** Arguments of a call are arriving. `delta` is raw JSON text, for display only. */
  | { type: "call_delta"; name: string; delta: string }
  /** The model is alive but showed nothing (a redacted block, a reasoning item, a new content block). */
  | { type: "activity" }
  /** `warnings` are for people: what the service did silently (e.g. cut the prompt to its context). */
  | { type: "end"; message: AssistantMessage; warnings?: string[] }
  /** `partial` holds what had arrived; finished calls in it are never run. */
  | { type: "error"; error: ModelError; partial: AssistantPart[]; usage?: Usage };

/** An open way to one provider's models. */
export interface ModelClient {
  readonly rules: HistoryRules;
  /** Who the messages of this client's streams come from, for a model id. */
  source(model: ModelInfo): ModelSource;
  /** Never throws, also after an abort: then it ends with an `error` event or simply ends (the loop checks the signal). */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** How a client reaches its service. Everything is explicit: a client reads nothing of the environment. */
export interface ProviderSettings {
  provider: string;
  wire: Wire;
  baseUrl: string;
  apiKey?: string;
  headers: Readonly<Record<string, string>>;
  /** Applies proxies, CA, `--insecure`, and refuses redirects; times out never (the loop's watchdog does). */
  fetch: FetchLike;
}

/** A model as a provider lists it. */
export interface ListedModel {
  id: string;
  name?: string;
  contextWindow?: number;
  maxOutput?: number;
  images?: boolean;
  reasoning?: boolean;
}

/** One wire protocol: how to open a client and how to list models. Imported only when its first request is made. */
export interface WireAdapter {
  readonly wire: Wire;
  open(settings: ProviderSettings): ModelClient;
  /** Asks the service for its models; throws a PiError when it cannot. */
  listModels(settings: ProviderSettings, signal: AbortSignal): Promise<ListedModel[]>;
}
