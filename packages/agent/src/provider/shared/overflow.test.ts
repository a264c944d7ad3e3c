import { expect, test } from "bun:test";
import { isOverflowText, windowIn } from "./overflow.ts";

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000, decrease input length or `max_tokens`",
  "Input is too long for requested model.",
  "Your input exceeds the context window of this model.",
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
  "Please reduce the length of the messages or completion.",
  "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
  "prompt token count of 130000 exceeds the limit of 128000",
  "the request exceeds the available context size, try increasing it",
  "The number of tokens to keep from the initial prompt is greater than the context length.",
  "Your request exceeded model token limit: 131072",
  "Prompt contains 33000 tokens, too large for model with 32768 maximum context length",
  "Range of input length should be [1, 98304]",
  "prompt too long; exceeded max context length by 12 tokens",
  "invalid params, context window exceeds limit",
  "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000",
])("%j is an overflow [P16]", (text) => {
  expect(isOverflowText(text)).toBe(true);
});

test.each([
  "Rate limit reached: too many tokens per minute",
  "Too many requests, token limit exceeded",
  "Request throttled: exceeds the limit of 100",
  "max_tokens: 70000 > 64000",
  "invalid tool name",
])("%j is none [P16]", (text) => {
  expect(isOverflowText(text)).toBe(false);
});

test.each([
  ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
  [
    "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000, decrease input length",
    200_000,
  ],
  [
    "This model's maximum context length is 8,192 tokens. However, your messages resulted in 13000 tokens.",
    8_192,
  ],
  ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
  ["This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131_072],
  ["The input (40000 tokens) is longer than the model's context length (32768 tokens).", 32_768],
  ["prompt token count of 130000 exceeds the limit of 128000", 128_000],
  ["request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096],
  ["However, the model is loaded with context length of only 4096 tokens", 4_096],
  ["prompt has 9000 tokens, but the configured context size is 4096 tokens", 4_096],
  ["Your request exceeded model token limit: 131072 (requested: 140000)", 131_072],
  ["Prompt contains 33000 tokens, too large for model with 32768 maximum context length", 32_768],
  ["Range of input length should be [1, 98304]", 98_304],
  ["prompt too long; exceeded max context length by 12 tokens", undefined],
  ["Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000", undefined],
  ["Please reduce the length of the messages or completion.", undefined],
])("%j names what fits: %p [P16]", (text, tokens) => {
  expect(windowIn(text)).toBe(tokens);
});
