import type { Detector, Span } from "../span.ts";
import { looksLikePassword, looksLikeToken } from "./secret-value.ts";

/** A text without one of these names no secret. */
const HINT =
  /pass|pwd|\bpw\b|_pw\b|secret|token|key|cred|auth|passwor[td]|kennwort|contrase|clave|senha|mot_?de_?passe|parola|密码|口令|密碼|パスワード|пароль|비밀번호/i;

const ASSIGNMENT =
  /(?<name>[\p{L}_][\p{L}\p{N}_.-]{0,79})\\?["'`]?\]?[ \t]{0,4}(?<sign>=>|:=|[:=：])[ \t]{0,4}(?:\\?(?<quote>["'`])(?<quoted>(?:(?!\k<quote>|\\["'`])[^\n]){1,512})\\?\k<quote>|(?<bare>[^\s"'`,;<>|\\：]{4,512}))/gu;

/** Names and values that something else than a sign joins: elements, pairs of attributes, `ENV` of a Dockerfile, blocks of YAML. */
const JOINED: readonly RegExp[] = [
  /<(?<name>[\w.-]{1,60})>(?<bare>[^<>\s]{4,256})<\//g,
  /\b(?:key|name|id)=["'](?<name>[\w.:-]{1,60})["']\s{1,8}value=["'](?<bare>[^"'\n]{4,512})["']/g,
  /\b(?:ENV|setx)[ \t]{1,4}(?<name>[A-Z][A-Z0-9_]{1,60})[ \t]{1,4}["']?(?<bare>[^\s"']{4,512})/g,
  /(?<name>[\w.-]{1,60}):[ \t]{1,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,24}(?<bare>[^\s"']{4,512})/g,
];

/** "password is …", "the token: …" and the like, in the languages in which people write to an agent. */
const PROSE =
  /(?<name>password|passphrase|passcode|pwd|pw|token|api key|secret key|access key|secret|passwort|kennwort|contraseña|clave|senha|mot de passe|parola|пароль|密码|口令|密碼|パスワード|비밀번호)(?<sign>[^\n.:=]{0,24}?(?:\s(?:(?:is|was|has been|will be)(?:\s(?:now|set|changed|reset|updated|rotated|still)){0,2}(?:\sto)?|to|ist|lautet|es|é|est|è)\s{1,3}|(?:是|为|為|は)\s{0,2}|\s-\s|\sfor\s[^\s:]{1,60}(?=:)))[:：]?\s{0,2}["'`“「]?(?<bare>[^\s"'`,;<>”」。，、]{4,256})/giu;

/** A password right behind its name, where no other word would stand. */
const BESIDE =
  /(?<![\p{L}\p{N}_-])(?:pw|密码|口令|密碼|пароль)\s{1,2}(?<bare>[^\s"'`,;<>”」。，、]{6,256})/giu;

const PASSWORD_WORD =
  /^(?:\w{0,16}password|\w{0,16}passwd|passphrase|passcode|pass|pwd|pw|passwort|kennwort|contraseña|contrasena|clave|senha|parola|motdepasse|密码|口令|密碼|パスワード|пароль|비밀번호)$/u;
const TOKEN_WORD =
  /^(?:token|secret|apikey|secretkey|accesskey|privatekey|authtoken|accesstoken|credential|credentials|creds|auth|bearer|clientsecret|appsecret|dsn)$/;
/** What makes a "key" a secret one. */
const KEY_KIND =
  /^(?:api|secret|access|private|encryption|decryption|signing|master|session|auth|shared|account|storage|service|license|client|deploy|app|jwt|hmac|webhook|cookie|admin|root|db|wrapping|function|host|subscription|ssh|x)$/;
const QUALIFIER =
  /^(?:value|prod|production|dev|development|test|testing|staging|live|old|new|current|previous|base64|b64|hex|plain|text|str|string|raw|main|primary|secondary|default|\d+)$/;
const WORDS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\x00-\x7f]+/g;

/** What a name says that its value is. */
export function secretKind(name: string): "password" | "token" | null {
  const words = (name.match(WORDS) ?? []).map((word) => word.toLowerCase());
  while (words.length > 1 && QUALIFIER.test(words.at(-1)!)) words.pop();
  const last = words.at(-1) ?? "";
  const joined = words.slice(-3).join("");
  if (PASSWORD_WORD.test(last) || joined.endsWith("motdepasse")) return "password";
  if (TOKEN_WORD.test(last)) return "token";
  if (last === "key" && KEY_KIND.test(words.at(-2) ?? "")) return "token";
  return null;
}

/** Values whose name says that they are secret, if they look like it: a name alone, a type or a variable is none. */
export const findNamedValues: Detector = (text) => {
  if (!HINT.test(text)) return [];
  return [...findAssignments(text), ...findJoined(text), ...findSentences(text)];
};

function findAssignments(text: string): Span[] {
  const spans: Span[] = [];
  const assignment = new RegExp(ASSIGNMENT);
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const { name, sign, quoted, bare } = match.groups!;
    const kind = secretKind(name!);
    if (kind === null) {
      // The value may be a name itself: `--set password=…`, `$env:API_KEY = …`.
      assignment.lastIndex = match.index + name!.length;
      continue;
    }
    const inEnvironment = sign === "=" && /^[A-Z][A-Z0-9_]*$/.test(name!);
    const place = inEnvironment ? "environment" : quoted === undefined ? "bare" : "quoted";
    const value = quoted ?? closed(bare!, inEnvironment);
    if (isSecret(kind, name!, value, place)) spans.push(spanOf(match, quoted ?? bare!, value, inEnvironment));
  }
  return spans;
}

function findJoined(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of JOINED)
    for (const match of text.matchAll(pattern)) {
      const { name, bare } = match.groups!;
      const kind = secretKind(name!);
      if (kind !== null && isSecret(kind, name!, bare!, "bare"))
        spans.push(spanOf(match, bare!, bare!, false));
    }
  return spans;
}

function isSecret(
  kind: "password" | "token",
  name: string,
  value: string,
  place: "environment" | "quoted" | "bare",
): boolean {
  if (kind === "token") return looksLikeToken(value, place);
  if (/phrase$/i.test(name) && place === "quoted" && /^[a-z]+(?:[ -][a-z]+){2,}$/i.test(value)) return true;
  return looksLikePassword(value, place);
}

function findSentences(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(PROSE)) {
    const bare = match.groups!["bare"]!;
    const value = closed(bare, false);
    const kind = /token|key|secret/i.test(match.groups!["name"]!) ? "token" : "password";
    const secret =
      kind === "token"
        ? value.length >= 12 && looksLikeToken(value, "bare")
        : looksLikePassword(value, "bare");
    if (secret) spans.push(spanOf(match, bare, value, false));
  }
  for (const match of text.matchAll(BESIDE)) {
    const value = closed(match.groups!["bare"]!, false);
    if (/[A-Z!@#$%]/.test(value) && looksLikePassword(value, "bare"))
      spans.push(spanOf(match, match.groups!["bare"]!, value, false));
  }
  return spans;
}

function spanOf(match: RegExpExecArray, written: string, value: string, inEnvironment: boolean): Span {
  const start = match.index + match[0].lastIndexOf(written);
  return {
    rule: inEnvironment ? "environment-secret" : "named-secret",
    category: "secret",
    start,
    end: start + value.length,
  };
}

/** A bare value without the signs that end the sentence or the expression around it. */
function closed(value: string, inEnvironment: boolean): string {
  return value.replace(inEnvironment ? /[)\]}&]+$/ : /[.,:;)\]}!?&]+$/, (signs) =>
    // A password may end in "!", a sentence seldom does after one.
    !inEnvironment && /^[!?]$/.test(signs) ? signs : "",
  );
}
