import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";

/** What Ollama would refuse in this request. */
export function ollamaProblems(_request: RecordedRequest, _issued: Issued): string[] {
  return [];
}
