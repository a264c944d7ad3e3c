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
