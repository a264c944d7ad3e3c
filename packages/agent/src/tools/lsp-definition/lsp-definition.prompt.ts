import { placeInput } from "../shared/language/place-input.ts";

/** What a model is told of `lsp-definition`. */
export const lspDefinitionPrompt = {
  name: "lsp-definition",
  description:
    "Where the symbol at a place is defined (language server). line and column from 1, at the name.",
  input: placeInput,
} as const;
