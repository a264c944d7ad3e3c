import type { Detector, Span } from "../span.ts";
import { chunkLength } from "./random-token.ts";
import { looksLikePassword, looksLikeToken } from "./secret-value.ts";

/** A text without one of these names no secret. */
const HINT =
  /pass|pwd|\bpw\b|_pw\b|secret|token|key|cred|auth|log[io]n|\bpin\b|passwor[td]|kennwort|zugangsdaten|contrase|clave|senha|parola|密码|口令|密碼|パスワード|пароль|비밀번호|has[łl]o|wachtwoord|l[öo]senord|adgangskode|salasana|[şs]ifre|heslo|jelsz[óo]|mật khẩu|סיסמה|كلمة (?:المرور|السر)/iu;

const ASSIGNMENT =
  /(?<name>[\p{L}_][\p{L}\p{N}_.-]{0,79})\\?["'`]?\]?[ \t]{0,4}(?<sign>=>|:=|[:=：])[ \t]{0,4}(?:\\?(?<quote>["'`])(?<quoted>(?:(?!\k<quote>|\\["'`])[^\n]){1,512})\\?\k<quote>|(?<bare>[^\s"'`,;<>|\\：]{4,512}))/gu;

/** Names and values that something else than a sign joins: elements, pairs of attributes, `ENV` of a Dockerfile, blocks of YAML. */
const JOINED: readonly RegExp[] = [
  /<(?<name>[\w.-]{1,60})>(?<bare>[^<>\s]{4,256})<\//g,
  /\b(?:key|name|id)=["'](?<name>[\w.:-]{1,60})["']\s{1,8}value=["'](?<bare>[^"'\n]{4,512})["']/g,
  /\b(?:ENV|setx)[ \t]{1,4}(?<name>[A-Z][A-Z0-9_]{1,60})[ \t]{1,4}["']?(?<bare>[^\s"']{4,512})/g,
  /(?<name>[\w.-]{1,60}):[ \t]{1,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,24}(?<bare>[^\s"']{4,512})/g,
  // A prompt with its answer below, a row of a table, a call.
  /(?<name>[\p{L}_][\p{L}\p{N}_.-]{0,79})[:：][ \t]{0,4}\r?\n[ \t]{0,24}(?<bare>[^\s"'`:：,;<>(){}|]{6,256})[ \t]{0,4}(?=\r?\n|$)/gu,
  /\|[ \t*`]{0,6}(?<name>[\p{L}_][\p{L}\p{N}_.-]{0,79})[ \t*`]{0,6}\|[ \t`]{0,6}(?<bare>[^\s|`]{4,256})[ \t`]{0,6}(?=\||\r?\n|$)/gu,
  /(?<name>[A-Za-z_][\w.]{0,79})\([ \t]{0,2}(?<quote>["'])(?<bare>[^\s"'\\]{4,256})\k<quote>[ \t]{0,2}\)/g,
];

/** "password is …", "the token: …" and the like, in the languages in which people write to an agent. */
const PROSE =
  /(?<name>password|passphrase|passcode|pwd|pw|token|api key|secret key|access key|secret|passwort|kennwort|contraseña|clave|senha|mot de passe|parola|пароль|密码|口令|密碼|パスワード|비밀번호)(?<sign>[^\n.:=]{0,24}?(?:\s(?:(?:is|was|has been|will be)(?:\s(?:now|set|changed|reset|updated|rotated|still)){0,2}(?:\sto)?|to|ist|lautet|es|é|est|è)\s{1,3}|(?:是|为|為|は)\s{0,2}|\s-\s|\sfor\s[^\s:]{1,60}(?=:)))[:：]?\s{0,2}["'`“「]?(?<bare>[^\s"'`,;<>”」。，、]{4,256})/giu;

/** A password right behind its name, where no other word would stand. */
const BESIDE =
  /(?<![\p{L}\p{N}_-])(?:pw|密码|口令|密碼|пароль|비밀번호[는은]?)\s{1,2}(?<bare>[^\s"'`,;<>”」。，、]{6,256})/giu;

/** The same behind names that other words follow, too: "use password … for staging", "log in as bob, pass …", "the API key … works". */
const AMONG_WORDS =
  /(?<![\p{L}\p{N}_.-])(?<name>password|passwort|kennwort|passphrase|passcode|passwd|pass|pwd|contraseña|senha|mot de passe|api[ -]key|access key|secret key|private key|my key is|token|secret|bearer)[,:]?\s{1,2}["'`“]?(?<bare>[^\s"'`,;<>”」。，、]{8,512})/giu;

/** Names of several words, and a blank before the colon, as French has it. */
const SPACED =
  /(?<![\p{L}\p{N}])(?:mot de passe|mật khẩu|كلمة (?:المرور|السر)|(?:\p{L}{1,20} )?(?:password|passwort|passphrase|contraseña|senha|clave|parola|пароль))[ \u00a0\u202f]?[:：=][ \t\u00a0]{0,4}["'`“«]?(?<bare>[^\s"'`,;<>”»]{4,256})/giu;

/** A name and its password together. */
const PAIR =
  /(?<![\p{L}\p{N}])(?:credentials|creds|login|log ?in|zugangsdaten)(?:\s{1,2}(?:are|is|as|with|sind|lauten)|[:=])?\s{1,2}["'`]?[\w.@+-]{1,64}\s?[:/]\s?(?<bare>[^\s"'`,;<>]{6,256})/giu;

/** A passphrase: words and nothing else, to the end of the line or of the quotation. */
const PHRASE =
  /(?<![\p{L}\p{N}])(?:pass ?phrase|password|passwd|passwort)\\?["']?(?:\s?[:=]|\s(?:is|lautet|ist):?)[ \t]{0,4}(?<quote>\\?["'`])?(?<bare>[a-z]{3,12}(?:[ -][a-z]{3,12}){3,9})(?:\k<quote>|(?=[ \t]{0,4}\.?(?:\r?\n|$)))/giu;
/** Words of a sentence about passwords. */
const SENTENCE_WORD =
  /(?<![a-z])(?:the|is|are|was|be|been|must|may|can|will|should|has|have|not|and|for|from|with|when|that|this|your|you|user|users|use|used|set|stored|saved|hashed|enter|required|invalid|wrong|least|characters|der|die|das|und|nicht|mit|wird|muss)(?![a-z])/i;

/** A number that opens something. Shorter ones are pins of a chip. */
const PIN =
  /(?<![\p{L}\p{N}_-])pin(?:[- ]?(?:code|number|nummer))?(?:\s(?:is|ist|lautet|es|est|è)|\s?[:=])\s{1,2}(?<bare>\d{4,8})(?![\d.])/giu;

const PASSWORD_WORD =
  /^(?:\w{0,16}password|\w{0,16}passwd|passphrase|passcode|pass|pwd|pw|passwort|kennwort|contraseña|contrasena|clave|senha|parola|motdepasse|hasło|haslo|wachtwoord|lösenord|losenord|adgangskode|salasana|şifre|sifre|heslo|jelszó|jelszo|סיסמה|密码|口令|密碼|パスワード|пароль|비밀번호)$/u;
const TOKEN_WORD =
  /^(?:token|secret|apikey|secretkey|accesskey|privatekey|authtoken|accesstoken|credential|credentials|creds|auth|bearer|clientsecret|appsecret|dsn)$/;
/** What makes a "key" a secret one. */
const KEY_KIND =
  /^(?:api|secret|access|private|encryption|decryption|signing|master|session|auth|shared|account|storage|service|license|client|deploy|app|jwt|hmac|webhook|cookie|admin|root|db|wrapping|function|host|subscription|ssh|x)$/;
const QUALIFIER =
  /^(?:value|prod|production|dev|development|test|testing|staging|live|old|new|current|previous|base64|b64|hex|plain|text|str|string|raw|main|primary|secondary|default|\d+)$/;
const WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+|[^\x00-\x7f]+/gu;

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
  const among = (pattern: RegExp, fits: (value: string, name: string) => boolean): void => {
    for (const match of text.matchAll(pattern)) {
      const { bare, name = "" } = match.groups!;
      const value = closed(bare!, false);
      if (fits(value, name)) spans.push(spanOf(match, bare!, value, false));
    }
  };
  among(BESIDE, (value) => /[\p{Lu}!@#$%]/u.test(value) && looksLikePassword(value, "bare"));
  among(AMONG_WORDS, (value, name) => {
    if (/token|key|secret|bearer/i.test(name))
      return value.length >= 20 && !/\/.*\.\w{1,4}$/.test(value) && looksLikeToken(value, "bare");
    // "Pass" is a verb, too: names that are passed on are made of words.
    return isPlainlyPassword(value) && (name.toLowerCase() !== "pass" || chunkLength(value) < 2);
  });
  among(SPACED, (value) => looksLikePassword(value, "bare"));
  among(PAIR, isPlainlyPassword);
  among(PHRASE, (value) => !SENTENCE_WORD.test(value));
  among(PIN, (value) => !/^(?:19|20)\d\d$/.test(value) || value.length > 4);
  return spans;
}

/** Number of an issue, a version, a standard. */
const REFERENCE = /^[A-Z]+(?:-?\d+)+$|^v?\d[\d.]*$/i;

/** True for what reads as a password even between words: both cases and digits mixed up, or signs among them. */
function isPlainlyPassword(value: string): boolean {
  if (!looksLikePassword(value, "bare") || REFERENCE.test(value) || !/\d/.test(value)) return false;
  return /[!@#$%^&*]/.test(value) || (/\p{Lu}/u.test(value) && /\p{Ll}/u.test(value) && /\d.*\d/.test(value));
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
