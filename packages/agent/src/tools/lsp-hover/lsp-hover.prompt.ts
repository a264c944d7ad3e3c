import { placeInput } from "../shared/language/place-input.ts";

/** What a model is told of `lsp-hover`. */
export const lspHoverPrompt = {
  name: "lsp-hover",
  description: "Type and documentation of the symbol at a place (language server). line and column from 1.",
  input: placeInput,
} as const;
