import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";

/** What Anthropic would refuse in this request. */
export function anthropicProblems(_request: RecordedRequest, _issued: Issued): string[] {
  return [];
}
