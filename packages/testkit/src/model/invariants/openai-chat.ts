import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";

/** What OpenAI would refuse in this request. */
export function chatProblems(_request: RecordedRequest, _issued: Issued): string[] {
  return [];
}
