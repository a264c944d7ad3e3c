/** What an OpenAI-compatible endpoint wants, as far as its address tells. What it does not tell is learned from refusals. */

/** Facts: the services' own documentation; see also the list of optional fields in `optional-fields.ts`. */
export interface Dialect {
  /** The name of the limit of an answer's tokens: reasoning models at OpenAI refuse `max_tokens`. */
  limitField: "max_tokens" | "max_completion_tokens";
  /** OpenAI itself: takes a cache key, `store`, `strict` and `include_obfuscation`. */
  official: boolean;
  /** How effort is asked for: OpenAI's field, OpenRouter's object, or a switch beside OpenAI's field (DeepSeek, z.ai). */
  effort: "field" | "object" | "switch";
  /** The service refuses calls in the history without the reasoning before them; an empty one is taken. */
  reasoningRequired: boolean;
  /** Cache marks on content pass through to Claude models. */
  cacheMarks: boolean;
  /** Tool-call ids of exactly nine letters and digits (Mistral). */
  nineCharacterIds: boolean;
}

/** The dialect of a base URL; an address that nobody knows gets the plainest one. */
export function dialectOf(baseUrl: string): Dialect {
  const host = hostOf(baseUrl);
  const at = (...domains: string[]) =>
    domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  const official = at("api.openai.com");
  return {
    limitField: official || at("openai.azure.com") ? "max_completion_tokens" : "max_tokens",
    official,
    effort: at("openrouter.ai") ? "object" : at("deepseek.com", "z.ai", "bigmodel.cn") ? "switch" : "field",
    reasoningRequired: at("deepseek.com", "moonshot.ai", "moonshot.cn", "kimi.com", "xiaomimimo.com"),
    cacheMarks: at("openrouter.ai"),
    nineCharacterIds: at("mistral.ai"),
  };
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).hostname.toLowerCase();
  } catch {
    // A base URL that is none fails at the request, with a message of its own.
    return "";
  }
}
