import type { Detector, Span } from "../span.ts";
import { readableText } from "./readable-text.ts";

/** Runs that could be a key: letters, digits and what the alphabets of base64 have besides. What is longer is data, no key. */
const CANDIDATE = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,512}={0,2}(?![A-Za-z0-9+/_=-])/g;
const CHUNK = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
const LEAST_LENGTH = 24;
const LONGEST_EMBEDDED = 4_096;
/** Words and numbers in names are this long on average at least; pieces of chance are about half as long. */
const WORD_LENGTH = 2.7;
const LEAST_ENTROPY = 3.6;

/** What comes before a value that is public: a digest, a fingerprint, an embedded file, a public key. */
const PUBLIC_BEFORE =
  /(?:sha(?:1|224|256|384|512)[-:=/ ]|md5[-:=]|\bh1:|blake\w{0,4}[-:]|;base64,\s{0,8}|ssh-(?:rsa|ed25519|dss)\s{1,4}|ecdsa-sha2-\S{1,20}\s{1,4}|integrity\\?["']?[:=]\s{0,4}\\?["']?|etag\\?["']?[:=]\s{0,4}\\?["']?(?:W\/)?\\?["']?|nonce-|hash\\?["']?\s?[:=]\s{0,4}\\?["']?|checksum\\?["']?\s?[:=]\s{0,4}\\?["']?)$/i;
/** How digests, files and public keys begin in base64: PNG, JPEG, GIF, WebP, SVG, PDF, WOFF, zip, gzip, ELF, WebAssembly, ssh keys. */
const FILE_START =
  /^(?:sha\d{1,3}-|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|PHN2Zy|PD94bWw|JVBERi0|d09GR|d09GMg|UEsDB|H4sI|f0VMR|AGFzb|AAAA[BCE][23]N|AAAAE2Vj|T2dnUw|SUQz|AAAB|Qk0)/;
/** Ids that services show to everybody, by their prefix: of messages, calls, sessions, customers, files. */
const PUBLIC_ID =
  /^(?:[a-z]{2,16}_01[A-Za-z0-9]{20,24}$|(?:toolu|msg|msgbatch|call|chatcmpl|req|resp|rs|fc|file|thread|run|asst|step|vs|batch|cus|ch|pi|pm|sub|price|prod|evt|acct|seti|txn|usr|user|org|prj|dpl|team|event|env)[_-][A-Za-z0-9]+$)/;

/** Tokens of chance that no form names: three kinds of characters, and no words, path or digest. */
export const findRandomTokens: Detector = (text) => {
  const spans: Span[] = [];
  for (const { 0: token, index } of text.matchAll(CANDIDATE)) {
    if (FILE_START.test(token) || isPublic(text, index)) continue;
    // Sentences in base64 are looked at as what they say.
    if (readableText(token)?.includes(" ")) continue;
    for (const { start, end } of randomParts(token)) {
      if (PUBLIC_ID.test(token.slice(start, end))) continue;
      spans.push({ rule: "random-token", category: "secret", start: index + start, end: index + end });
    }
  }
  return inPublicBlock(text, spans);
};

/** What stands before a token says that it is for everybody. */
function isPublic(text: string, index: number): boolean {
  if (PUBLIC_BEFORE.test(text.slice(Math.max(0, index - 48), index))) return true;
  // An embedded file may be cut into many tokens by what its address escapes.
  const before = text.slice(Math.max(0, index - LONGEST_EMBEDDED), index);
  const start = before.lastIndexOf(";base64,");
  return start >= 0 && !/[\s"'()<>]/.test(before.slice(start));
}

/** The whole of a candidate, or, where it is a path, those of its folders that chance named. */
function randomParts(token: string): { start: number; end: number }[] {
  if (looksRandom(token)) return [{ start: 0, end: token.length }];
  if (!token.includes("/")) return [];
  return Array.from(token.matchAll(/[^/]+/g))
    .filter(([part]) => looksRandom(part))
    .map(({ 0: part, index }) => ({ start: index, end: index + part.length }));
}

/** True for a token that chance made, by its alphabet, its entropy and the length of what could be words in it. */
export function looksRandom(token: string): boolean {
  if (token.length < LEAST_LENGTH || !(/[a-z]/.test(token) && /[A-Z]/.test(token) && /\d/.test(token)))
    return false;
  return chunkLength(token) < WORD_LENGTH && entropy(token) >= LEAST_ENTROPY && !hasNameParts(token);
}

/** How long the words and numbers of a token are on average, as far as upper and lower case and digits show them. */
export function chunkLength(token: string): number {
  const chunks = token.match(CHUNK);
  return chunks === null
    ? token.length
    : chunks.reduce((sum, chunk) => sum + chunk.length, 0) / chunks.length;
}

/** Bits a character, by how often each occurs. */
export function entropy(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}

/** A path or a name in parts, most of which are words or numbers of their own. */
function hasNameParts(token: string): boolean {
  const parts = token.split(/[/_-]+/).filter((part) => part !== "");
  if (parts.length < 3) return false;
  const named = parts.filter((part) => /^(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,8}|v\d+)$/.test(part) || isCamel(part));
  return named.length / parts.length >= 0.6;
}

function isCamel(part: string): boolean {
  return part.length >= 4 && chunkLength(part) >= 3;
}

const PUBLIC_BLOCK =
  /-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|CERTIFICATE REQUEST|X509 CRL|PGP PUBLIC KEY BLOCK|PGP SIGNATURE|SSH SIGNATURE)-----[\s\S]{0,20000}?(?:-----END|$)/g;

function inPublicBlock(text: string, spans: Span[]): Span[] {
  if (spans.length === 0 || !text.includes("-----BEGIN ")) return spans;
  const blocks = Array.from(text.matchAll(PUBLIC_BLOCK), ({ index, 0: block }) => [
    index,
    index + block.length,
  ]);
  return spans.filter(({ start }) => !blocks.some(([from, to]) => start >= from! && start < to!));
}
