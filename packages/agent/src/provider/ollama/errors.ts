import type { ModelError, ProviderSettings } from "../../contract/model.ts";

/** An error in Ollama's own terms: what to start, pull or choose. Errors that a new try cannot change are not retried. */
export function withHint(error: ModelError, settings: ProviderSettings, model: string): ModelError {
  const { message } = error;
  if (error.code === "network" && /\((?:ECONNREFUSED|ConnectionRefused)\)/.test(message))
    return {
      ...error,
      retryable: false,
      message: `Ollama is not running at ${settings.baseUrl}: the connection was refused`,
      hint: "Start it with `ollama serve` (or the Ollama app), or set OLLAMA_HOST to where it runs.",
    };
  if (error.code === "not_found" && /model/i.test(message))
    return {
      ...error,
      hint: `Get the model with \`ollama pull ${model}\`, or choose one of \`ollama list\`.`,
    };
  if (/does not support tools/i.test(message))
    return {
      ...error,
      retryable: false,
      hint: "Choose a model with tools: `ollama show NAME` lists what one can do.",
    };
  if (/more system memory|out of memory|insufficient memory/i.test(message))
    return {
      ...error,
      code: "invalid",
      retryable: false,
      hint: "Choose a smaller model, or a smaller contextWindow for this one in the config file.",
    };
  return error;
}
