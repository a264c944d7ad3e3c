import type { Json } from "../../contract/json.ts";
import { leastTokens } from "./context-size.ts";

/** Prompts shorter than this are never cut, and too short to compare. */
const SHORT = 400;

/**
 * Says when the service evaluated fewer prompt tokens than the messages can possibly have, or as many as its context has:
 * it cut them without an error. `asked` is the context that the request asked for. Undefined when all is well or not known.
 */
export function truncationWarning(
  messages: readonly Json[],
  evaluated: number,
  asked: number,
): string | undefined {
  const least = Math.round(leastTokens(messages));
  if (evaluated >= asked)
    return `The prompt filled the whole context of ${asked} tokens: Ollama may have left out its beginning. Compact the conversation or start a new one.`;
  if (evaluated === 0 || least < SHORT || evaluated >= least) return undefined;
  return (
    `Ollama read only ${evaluated} of at least ${least} prompt tokens and silently left out the rest ` +
    `(a context of ${asked} was asked for). Raise OLLAMA_CONTEXT_LENGTH where Ollama runs, choose a model with a larger ` +
    "context, or start a new conversation."
  );
}
