import { fileInput } from "../shared/language/place-input.ts";

/** What a model is told of `lsp-symbols`. */
export const lspSymbolsPrompt = {
  name: "lsp-symbols",
  description:
    "Outline of a source file: its classes, functions and the like with their lines (language server).",
  input: fileInput,
} as const;
