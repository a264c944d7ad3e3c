import { placeInput } from "../shared/language/place-input.ts";

/** What a model is told of `lsp-references`. */
export const lspReferencesPrompt = {
  name: "lsp-references",
  description:
    "All uses of the symbol at a place, its declaration included (language server). line and column from 1.",
  input: placeInput,
} as const;
