import { chunkLength, entropy } from "./random-token.ts";

/** What stands where a secret would: variables, templates, examples, calls, type names, references to a vault. */
const PLACEHOLDER =
  /^(?:<[^>]*>?|\[.*|\{.*|\(.*|\$.*|%[^%\s]+%?|[x*.•…#-]{2,}|.{0,4}x{4,}.{0,4}|your[-_ ]?.*|my[-_].*|.*[-_]here|.*(?:placeholder|example|changeme|change[-_]me|replace[-_]me|redacted).*|dummy.*|fake.*|todo|tbd|n\/a|null|none|nil|undefined|true|false|yes|no|on|off|string|str|text|number|int(?:eger)?|bool(?:ean)?|object|array|bytes?|any|unknown|void|optional|required|env|secret|password|passwd|token|key|test|demo|enabled|disabled|empty|missing|invalid|expired|valid|process\.env.*|import\.meta.*|os\.(?:environ|getenv).*|env[.:([].*|secrets?\..*|vault:.*|op:\/\/.*|arn:.*|file:.*|ssm:.*|var\..*|data\..*|self\..*|this\..*|config\..*|options\..*|args\..*|props\..*|req(?:uest)?\..*|ctx\..*|z\..*|t\..*)$/i;

/** True for what only holds the place of a secret. */
export function isPlaceholder(value: string): boolean {
  return value.startsWith("\u{e000}") || PLACEHOLDER.test(value);
}

/** Names of algorithms and units look like passwords, with their digits. */
const TERM =
  /^(?:sha-?\d+.*|md[45].*|base-?\d+.*|argon2\w*|pbkdf2.*|bcrypt.*|scrypt.*|utf-?\d+|oauth-?\d.*|o?auth2.*|http-?\d.*|2fa|mfa|totp|ed25519.*|x25519.*|aes.*|rsa.*|hs\d+|rs\d+|es\d+|p-?\d+|v?\d+(?:\.\d+)*[a-z]{0,10}|\d+-?\w{1,10}|jwt.*|web3|pkcs\d+.*|x509.*|ipv[46]|s3|ec2|k8s|l10n|i18n|utf8mb4.*|node\d*|python\d*|es20\d\d)$/i;
/** `user.name`, `fn(x)`, `a[0]`, `value?.secret`: code, no value. */
const CODE = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|[()[\]{}]|^[a-z_$][\w$]*::|->|=>|^&?[A-Z]\w*</;
const PATH = /^(?:~?\.{0,2}\/|[A-Za-z]:\\|https?:\/\/)/;

/** True for a value that a person could have chosen as a password, in the place where one stands. */
export function looksLikePassword(value: string, place: "environment" | "quoted" | "bare"): boolean {
  if (value.length < 4 || value.length > 256 || isPlaceholder(value) || PATH.test(value)) return false;
  if (place === "environment") return !/^\d{1,5}$/.test(value) && !CODE.test(value);
  if (TERM.test(value) || (CODE.test(value) && place === "bare")) return false;
  if (place === "quoted" && /\s/.test(value)) return false;
  const digits = /\d/.test(value);
  const letters = /\p{L}/u.test(value);
  const signs = /[!@#$%^&*?+=~]/.test(value);
  if (value.length < 6) return digits && signs;
  if (place === "bare" && /^[a-z]+(?:[A-Z_][a-z]+)+\d?$/.test(value)) return false;
  return letters ? digits || signs : digits && (signs || value.length >= 6);
}

/** True for a value that a program could have made as a key or token. */
export function looksLikeToken(value: string, place: "environment" | "quoted" | "bare"): boolean {
  if (value.length < 8 || value.length > 4096 || isPlaceholder(value) || PATH.test(value)) return false;
  if (/\s/.test(value) || CODE.test(value) || !/^[\x21-\x7e]+$/.test(value)) return false;
  const digits = /\d/.test(value);
  if (/^[a-f0-9]+$/i.test(value)) return value.length >= 16 && digits;
  if (!digits) return place !== "bare" && value.length >= 20 && chunkLength(value) < 2.7;
  if (value.length < 16) return place === "environment" || chunkLength(value) < 2.5;
  return chunkLength(value) < 3.4 && entropy(value) >= 2.8;
}
