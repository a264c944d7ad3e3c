import { fileInput } from "../shared/language/place-input.ts";

/** What a model is told of `lsp-diagnostics`. */
export const lspDiagnosticsPrompt = {
  name: "lsp-diagnostics",
  description: "Errors and warnings of a source file (language server).",
  input: fileInput,
} as const;
