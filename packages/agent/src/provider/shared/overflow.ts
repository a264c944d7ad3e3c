/** How services say that a request is longer than the model's context. Wordings: their documentation and public issues. */

const patterns: readonly RegExp[] = [
  /prompt (?:is )?too long/i, // Anthropic, Ollama
  /prompt exceeds max length/i, // z.ai
  /exceeds? (?:the )?context limit/i, // Anthropic: input and max_tokens together
  /input is too long for requested model/i, // Bedrock
  /exceeds? the context window/i, // OpenAI
  /maximum context length/i, // OpenAI, vLLM, OpenRouter, Mistral
  /context window (?:exceed|limit)|context window exceeds/i, // LiteLLM, MiniMax
  /input token count.*exceeds the maximum/is, // Gemini
  /maximum prompt length is/i, // xAI
  /reduce the length of the messages/i, // Groq
  /maximum allowed input length/i,
  /input \(\d+ tokens\) is longer than/i, // Together
  /exceeds the limit of \d+/i, // Copilot
  /exceeds the available context size/i, // llama.cpp
  /greater than the context length/i, // LM Studio
  /exceeded model token limit/i, // Kimi
  /prompt has \d+ tokens, but the configured context size/i,
  /range of input length should be/i, // DashScope
  /exceed(?:ed|s)? (?:the )?(?:max(?:imum)? )?context length/i, // Ollama
  /context[_ ]length[_ ]exceeded/i,
  /too many tokens/i,
  /token limit exceeded/i,
  /request too large for/i, // OpenAI, Groq: one request over the per-minute limit; waiting does not help
];

const throttled = /rate limit|too many requests|throttl/i;

/** True when an error text says that the request does not fit the context (and is not a rate limit in similar words). */
export function isOverflowText(text: string): boolean {
  if (/request too large for/i.test(text)) return true;
  return !throttled.test(text) && patterns.some((pattern) => pattern.test(text));
}

/** How an overflow names what would have fit. */
const limits: readonly RegExp[] = [
  /maximum context length (?:is|of) ([\d,]+)/i, // OpenAI, vLLM, OpenRouter
  /\b([\d,]+) maximum context length/i, // Mistral
  /maximum prompt length is ([\d,]+)/i, // xAI
  /> ([\d,]+)/, // Anthropic, alone and with max_tokens
  /maximum number of tokens allowed \(([\d,]+)\)/i, // Gemini
  /exceeds the limit of ([\d,]+)/i, // Copilot
  /context (?:length|size) ?\(([\d,]+)/i, // llama.cpp, Together
  /context length of only ([\d,]+)/i, // LM Studio
  /context size is ([\d,]+)/i, // Ollama
  /token limit: ([\d,]+)/i, // Kimi
  /input length should be \[1, ?([\d,]+)\]/i, // DashScope
];

/** The tokens that fit, out of the text of an overflow; undefined where it names none. */
export function windowIn(text: string): number | undefined {
  for (const pattern of limits) {
    const tokens = Number(pattern.exec(text)?.[1]?.replaceAll(",", "") || Number.NaN);
    if (tokens > 0) return tokens;
  }
  return undefined;
}
