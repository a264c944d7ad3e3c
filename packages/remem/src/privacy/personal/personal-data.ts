import type { Detector, Span } from "../span.ts";
import {
  isChineseId,
  isCodiceFiscale,
  isCpf,
  isFrenchSecurityNumber,
  isIban,
  passesLuhn,
} from "./check-digits.ts";

/** A kind of personal data whose form, or whose check digits, make it certain. */
interface PersonalForm {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly accept?: (found: string, text: string, index: number) => boolean;
}

/** What stands after an at sign and ends in these is a file or a package, no host. */
const NO_DOMAIN =
  /\.(?:png|jpe?g|gif|webp|svg|ico|bmp|avif|ts|tsx|js|jsx|mjs|cjs|json|lock|py|rb|rs|go|java|css|scss|html?|md|txt|ya?ml|toml|xml|sh|zip|gz|tgz|map|local|localhost|internal|test|invalid|example|lan)$/i;
/** Addresses that belong to nobody: those of machines, and those of examples. */
const NOBODY =
  /^(?:git|hg|svn|root|noreply|no-reply|donotreply|postmaster|mailer-daemon|user|username|you|your[._-]?name|name|me|someone|example|test|foo)@|@(?:[\w-]{1,60}\.)?(?:example\.(?:com|org|net)|users\.noreply\.github\.com|test\.com|domain\.com|email\.com|localhost)$/i;

const PHONE_WORD =
  /(?:phone|tel|telefon|téléphone|teléfono|telefone|mobile|mobil|handy|cell|fax|call|whatsapp|sms|电话|手机|電話)[^\n\d]{0,16}$/i;

const FORMS: readonly PersonalForm[] = [
  {
    rule: "email",
    pattern:
      /(?<![\p{L}\p{N}._%+/@-])[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,6}\p{L}{2,24}(?![\p{L}\p{N}@])/gu,
    accept: (found, text, index) =>
      !NO_DOMAIN.test(found) && !NOBODY.test(found) && !/^[:/]\S/.test(text.slice(index + found.length)),
  },
  {
    rule: "phone",
    pattern: /(?<![\w+.:/-])(?:\+|00)[1-9]\d{0,2}(?:[ .\-/]?\(?\d{1,5}\)?){2,6}(?![\w.]\d|\d)/g,
    accept: (found, text, index) => isInternational(found, text, index),
  },
  {
    rule: "phone",
    pattern: /(?<![\w+.:/(-])(?:\([2-9]\d\d\) ?|[2-9]\d\d-)[2-9]\d\d-\d{4}(?![\w-])/g,
    accept: (found) => !/^\(?[2-9]\d\d\)?[ -]?555-01/.test(found),
  },
  {
    rule: "phone",
    pattern: /(?<![\w+.])(?:0\d{1,5}|1[3-9]\d|[2-9]\d\d)(?:[ .\-/]?\d{2,8}){1,5}(?![\w.]?\d)/g,
    accept: (found, text, index) => {
      const digits = found.replace(/\D/g, "").length;
      return digits >= 8 && digits <= 13 && PHONE_WORD.test(text.slice(Math.max(0, index - 40), index));
    },
  },
  {
    rule: "iban",
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/g,
    accept: isIban,
  },
  {
    rule: "credit-card",
    pattern:
      /(?<![\w.-])(?:3[47]\d{2}[ -]?\d{6}[ -]?\d{5}|(?:4\d{3}|5[1-5]\d{2}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|6(?:011|5\d\d)|35\d\d)[ -]?\d{4}[ -]?\d{4}[ -]?\d{4})(?![\w-]|\.\d)/g,
    accept: (found) => passesLuhn(found) && new Set(found.replace(/\D/g, "")).size > 2,
  },
  {
    rule: "national-id",
    // United States: no area 000, 666 or 9xx, no group 00, no serial 0000.
    pattern: /(?<![\w.-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-]|\.\d)/g,
  },
  {
    rule: "national-id",
    // United Kingdom.
    pattern:
      /(?<![A-Za-z0-9])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])/g,
  },
  { rule: "national-id", pattern: /(?<![A-Za-z0-9])\d{17}[\dXx](?![A-Za-z0-9])/g, accept: isChineseId },
  { rule: "national-id", pattern: /(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g, accept: isCpf },
  {
    rule: "national-id",
    pattern: /(?<![A-Za-z0-9])[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?![A-Za-z0-9])/g,
    accept: isCodiceFiscale,
  },
  {
    rule: "national-id",
    pattern: /(?<![\w.])[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3} ?\d{2}(?![\w.])/g,
    accept: isFrenchSecurityNumber,
  },
];

function isInternational(found: string, text: string, index: number): boolean {
  const digits = found.replace(/\D/g, "").length;
  if (digits < 9 || digits > 15) return false;
  // "+" at the start of a line is what a diff adds; a number with "00" and no gap is any number.
  const startsLine = index === 0 || text[index - 1] === "\n";
  const grouped = /[ .\-/(]/.test(found);
  const named = PHONE_WORD.test(text.slice(Math.max(0, index - 40), index));
  return named || (found.startsWith("+") && (grouped || !startsLine));
}

/**
 * E-mail addresses, telephone numbers, account and card numbers, and national ids. IP addresses stay: nearly all that an agent sees are
 * those of machines, versions look like them, and a memory of a port or a host would lose its point. Names and places stay, too: no
 * form tells them.
 */
export const findPersonalData: Detector = (text) => {
  if (!/\d|@/.test(text)) return [];
  const spans: Span[] = [];
  for (const { rule, pattern, accept } of FORMS)
    for (const { 0: found, index } of text.matchAll(pattern))
      if (accept === undefined || accept(found, text, index))
        spans.push({ rule, category: "personal", start: index, end: index + found.length });
  return spans;
};
