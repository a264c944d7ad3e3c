import type { Detector, Span } from "../span.ts";
import { isPlaceholder } from "./secret-value.ts";

/** How credentials are written down; the group `secret` (else all) is what goes. Every repetition is bounded. */
interface CredentialForm {
  readonly rule: string;
  /** A text without this, in any case, cannot hold one. */
  readonly hint: RegExp;
  readonly pattern: RegExp;
  /** Whether what was found may be one, beyond its form. */
  readonly accept?: (secret: string) => boolean;
}

const FORMS: readonly CredentialForm[] = [
  {
    rule: "private-key",
    hint: /PRIVATE KEY/,
    // Also inside of a JSON string, and cut off before its end.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:[A-Za-z0-9+/=\s]|\\[nr]){40,20000})/g,
  },
  {
    rule: "private-key",
    hint: /Private-Lines:/,
    pattern: /Private-Lines: \d{1,3}(?<secret>(?:\s{1,4}[A-Za-z0-9+/=]{4,76}){1,200})/g,
  },
  {
    rule: "authorization",
    hint: /bearer|basic|digest|token/i,
    pattern:
      /\b(?:bearer|basic)\s{1,8}(?<secret>(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{8,8192}={0,2}|[\w.~+/-]{24,8192}={0,2})/gi,
    accept: (secret) => /\d/.test(secret) || /[a-z][A-Z]/.test(secret) || secret.endsWith("="),
  },
  {
    rule: "authorization",
    hint: /authorization/i,
    pattern:
      /\b(?:proxy-)?authorization\\?["']?\s{0,8}[:=]\s{0,8}\\?["'`]?(?:(?:basic|bearer|digest|token|apikey|negotiate|ntlm|aws4-hmac-sha256)\s{1,8})?(?<secret>[^\s"'`\\,;$<{][^\s"'`\\]{7,8192})/gi,
    accept: (secret) => /\d/.test(secret) && !/[(){}]/.test(secret),
  },
  {
    rule: "cookie",
    hint: /cookie/i,
    pattern:
      /\b(?:set-)?cookie\\?["']?\s{0,4}:\s{0,4}\\?["']?(?:[^\n;=]{1,80}=[^\n;]{0,200};\s?){0,10}?[\w.-]{0,40}(?:sess|sid|auth|token|jwt|login|csrf)[\w.-]{0,40}=(?<secret>[^\s;"'\\]{8,4096})/gi,
  },
  {
    rule: "url-password",
    hint: /:\/\//,
    pattern: /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@"'`<>?#]{0,256}:(?<secret>[^\s/@"'`<>]{1,256})@(?=[\w[])/gi,
  },
  {
    rule: "url-token",
    hint: /:\/\//,
    pattern: /\bhttps?:\/\/(?<secret>[A-Za-z0-9_-]{20,256})(?::x-oauth-basic|:)?@(?=\w)/g,
    accept: (secret) => /\d/.test(secret) && /[a-z]/i.test(secret),
  },
  {
    rule: "url-parameter",
    hint: /[?&#]/,
    pattern:
      /[?&#](?:api_?key|key|token|access_?token|refresh_?token|id_?token|auth|secret|client_secret|password|passwd|pwd|sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature|code|session|sid)=(?<secret>[^&\s"'`#<>)\]\\]{8,4096})/gi,
    accept: (secret) => /\d/.test(secret) && /[a-z]/i.test(secret) && !/[{($]/.test(secret),
  },
  {
    rule: "connection-string",
    hint: /(?:AccountKey|SharedAccessKey|SharedAccessSignature|password|pwd)\s{0,3}=/i,
    pattern:
      /(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?<secret>[^;\s"'`]{16,512})|;\s{0,3}(?:password|pwd)\s{0,3}=\s{0,3}(?<secret2>[^;\s"'`]{4,256})/gi,
  },
  {
    rule: "webhook",
    hint: /hooks|webhook/i,
    pattern:
      /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows)\/|(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/|[\w.-]{1,80}\.webhook\.office\.com\/webhookb2\/|hooks\.zapier\.com\/hooks\/catch\/)(?<secret>[\w/@-]{16,400})/gi,
  },
  {
    rule: "password-hash",
    hint: /\$/,
    pattern:
      /\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|(?:1|5|6|apr1|y)\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,40}\$[./A-Za-z0-9]{20,100}|argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{3,60}\$[A-Za-z0-9+/]{8,128}\$[A-Za-z0-9+/]{20,200})/g,
  },
  {
    rule: "command-password",
    hint: /(?:-u|--user|-p|sshpass|--[\w-]{0,30}(?:pass|token|secret|key))/i,
    pattern:
      /\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[ =]{0,2}\\?["']?[^\s:"'\\]{1,80}:(?<secret>[^\s"'\\]{3,200})|\bsshpass\s{1,4}-p\s{0,2}\\?["']?(?<secret2>[^\s"'\\]{3,200})|\b(?:mysql|mysqldump|mariadb)\b[^\n]{0,200}?\s-p\\?["']?(?<secret3>[^\s"'\\-][^\s"'\\]{3,200})|\bdocker login\b[^\n]{0,200}?\s-p[ =]\\?["']?(?<secret4>[^\s"'\\]{4,200})/g,
  },
  {
    rule: "command-password",
    hint: /--[\w-]{0,30}(?:pass|token|secret|key)/i,
    pattern:
      /(?:^|\s)--?(?:[a-z]{1,20}-){0,3}(?:password|passwd|passphrase|token|secret|api-?key|access-key|private-key)[ =]\\?["']?(?<secret>[^\s"'\\-][^\s"'\\]{5,512})/gim,
    accept: (secret) => /\d|[!@#%^&*]/.test(secret) && !/^[./~]|[(){}]|\.\w{1,4}$/.test(secret),
  },
  {
    rule: "command-password",
    hint: /\bsudo\b|chpasswd/,
    pattern:
      /\becho\s{1,4}\\?["']?(?<secret>[^\s"'\\|$]{3,200})\\?["']?\s{0,4}\|\s{0,4}sudo\s[^\n|]{0,40}-\w*S|\becho\s{1,4}\\?["']?[\w.-]{1,64}:(?<secret2>[^\s"'\\|$]{3,200})\\?["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd/g,
  },
  {
    rule: "sql-password",
    hint: /identified|password\s/i,
    pattern:
      /\b(?:identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by|password)\s{1,4}'(?<secret>[^'\n]{3,256})'/gi,
  },
  {
    rule: "login-pair",
    hint: /auth/i,
    pattern:
      /\bauth\s{0,3}=\s{0,3}[([]\s{0,3}["'][^"'\n]{1,80}["']\s{0,3},\s{0,3}["'](?<secret>[^"'\n]{3,256})["']/gi,
  },
  {
    rule: "netrc",
    hint: /\bmachine\s/,
    pattern:
      /\bmachine\s{1,4}\S{1,255}\s{1,40}login\s{1,4}\S{1,255}\s{1,40}password\s{1,4}(?<secret>\S{3,255})/g,
  },
  {
    rule: "pgpass",
    hint: /:5432:/,
    pattern: /^[\w.*-]{1,255}:(?:5432|\*):[\w*-]{1,63}:[\w*-]{1,63}:(?<secret>\S{3,255})$/gm,
  },
  {
    rule: "npm-auth",
    hint: /_auth/i,
    pattern: /_(?:authToken|auth|password)\s{0,2}=\s{0,2}\\?["']?(?<secret>[^\s$"'\\][^\s"'\\]{7,512})/g,
  },
  {
    rule: "recovery-phrase",
    hint: /mnemonic|seed phrase|recovery phrase/i,
    pattern:
      /(?:mnemonic|seed[ _-]phrase|recovery[ _-]phrase)\\?["']?(?:\s{0,4}[:=]|\s{1,4}is:?)\s{0,4}\\?["'`]?(?<secret>[a-z]{3,8}(?: [a-z]{3,8}){11,23})(?![a-z ])/gi,
  },
  {
    rule: "web-key",
    hint: /"kty"|kty/,
    pattern: /\\?"(?:d|p|q|dp|dq|qi|k)\\?"\s{0,4}:\s{0,4}\\?"(?<secret>[\w-]{20,1024})\\?"/g,
  },
];

/** Credentials in the forms in which programs, headers, addresses and files hold them. */
export const findCredentialForms: Detector = (text) => {
  const spans: Span[] = [];
  for (const { rule, hint, pattern, accept } of FORMS) {
    if (!hint.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const named = match.groups === undefined ? undefined : Object.values(match.groups).find(Boolean);
      const secret = named ?? match[0];
      if ((named !== undefined && isPlaceholder(named)) || accept?.(secret) === false) continue;
      // The secret ends its match or all but does: what is written before it may hold the same letters.
      const start = match.index + match[0].lastIndexOf(secret);
      spans.push({ rule, category: "secret", start, end: start + secret.length });
    }
  }
  return spans;
};
