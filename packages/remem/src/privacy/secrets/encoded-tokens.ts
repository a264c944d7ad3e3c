import type { Detector, Span } from "../span.ts";
import { findCredentialForms } from "./credential-forms.ts";
import { findKnownTokens } from "./known-tokens.ts";
import { findNamedValues } from "./named-values.ts";
import { readableText } from "./readable-text.ts";

const CANDIDATE = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4096}={0,2}(?![A-Za-z0-9+/_-])/g;

/** Secrets within base64 of readable text, such as a Kubernetes secret or a Basic header cut from its name. */
export const findEncodedTokens: Detector = (text) => {
  const spans: Span[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    const decoded = readableText(match[0]);
    if (decoded === null) continue;
    const found =
      findKnownTokens(decoded).length + findCredentialForms(decoded).length + findNamedValues(decoded).length;
    if (found > 0)
      spans.push({
        rule: "encoded-secret",
        category: "secret",
        start: match.index,
        end: match.index + match[0].length,
      });
  }
  return spans;
};
