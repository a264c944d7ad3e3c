/**
 * Takes secrets out of text that is kept or shown: logs, error texts, reports. Requests and sessions stay as they are.
 * Every pattern is bounded, so that no text makes it slow.
 */

import { KEY_FORM } from "./key-forms.ts";

const GONE = "[redacted]";

/** Names whose value is a secret, in any spelling of words. */
const SECRET_WORDS =
  "api[_-]?key|secret|password|passwd|passphrase|access[_-]?key|access[_-]?token|auth[_-]?token|refresh[_-]?token|private[_-]?key|credentials?";
const SECRET_NAME = new RegExp(
  `(?:^|[_-])(?:${SECRET_WORDS}|token|authorization)$|^x-(?:goog-)?api-key$`,
  "i",
);

const RULES: readonly [RegExp, string][] = [
  // PEM blocks, also inside of a JSON string (line breaks as \n) and without their end.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    GONE,
  ],
  [new RegExp(KEY_FORM, "g"), GONE],
  [/\beyJ[\w-]{8,512}\.[\w-]{8,4096}\.[\w-]{0,2048}/g, GONE],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@"'<>]{0,256}):[^\s/@"'<>]{1,256}@/gi, `$1:${GONE}@`],
  [
    /\b((?:Bearer|Basic)\s{1,8})(?:(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{8,8192}|[\w.~+/-]{20,8192})={0,2}/gi,
    `$1${GONE}`,
  ],
  [
    /\b((?:proxy-)?authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?(?:basic|bearer|digest|token)\s{1,8})[^\s"'\\]{4,8192}/gi,
    `$1${GONE}`,
  ],
  [
    /\b(x-api-key|x-goog-api-key|api-key)(\\?["']?\s{0,8}[:=]\s{0,8}\\?["']?)[^\s"'\\]{4,8192}/gi,
    `$1$2${GONE}`,
  ],
  [
    /\b([A-Z0-9_]{0,64}(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?))(=\\?["']?)[^\s"'\\;&|)]{6,8192}/g,
    `$1$2${GONE}`,
  ],
  [
    new RegExp(
      `\\b((?:[a-z0-9]{1,32}[_-]){0,4}(?:${SECRET_WORDS}))(\\\\?["']?\\s{0,8}[:=]\\s{0,8}\\\\?["'])[^\\s"'\\\\]{4,8192}`,
      "gi",
    ),
    `$1$2${GONE}`,
  ],
  [
    /([?&](?:api_?key|key|token|access_token|secret|password|sig|signature)=)[^&\s"'#]{4,4096}/gi,
    `$1${GONE}`,
  ],
];

export interface Redactor {
  /** The text without the secrets in it. */
  text(text: string): string;
  /** A copy of plain data with every string in it redacted, and whole where its name says that it is a secret. */
  data(value: unknown): unknown;
}

/** Knows the usual forms of secrets, and `known` ones exactly (as they are, JSON-escaped, URL-encoded, in base64). Shorter than 8 characters: ignored. */
export function createRedactor(known: readonly string[] = []): Redactor {
  const exact = [...new Set(known.filter((secret) => secret.length >= 8).flatMap(spellings))].sort(
    (a, b) => b.length - a.length,
  );
  const text = (input: string): string => {
    let output = input;
    for (const secret of exact) if (output.includes(secret)) output = output.replaceAll(secret, GONE);
    // Too short for any of the forms.
    if (output.length < 8) return output;
    for (const [pattern, replacement] of RULES) output = output.replace(pattern, replacement);
    return output;
  };
  const data = (value: unknown, depth: number, name?: string): unknown => {
    if (typeof value === "string")
      return name !== undefined && value !== "" && SECRET_NAME.test(name) ? GONE : text(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > 32) return "[too deep]";
    if (Array.isArray(value)) return value.map((item) => data(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [text(key), data(item, depth + 1, key)]),
    );
  };
  return { text, data: (value) => data(value, 0) };
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // The groups of base64 that do not depend on what follows the secret.
  const base64 = bytes.toString("base64").slice(0, Math.floor(bytes.length / 3) * 4);
  const encoded = base64.length >= 12 ? [base64] : [];
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed()), ...encoded];
}
