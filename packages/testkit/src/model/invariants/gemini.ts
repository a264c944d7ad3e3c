import type { Issued } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";

/** What Gemini would refuse in this request. */
export function geminiProblems(_request: RecordedRequest, _issued: Issued): string[] {
  return [];
}
