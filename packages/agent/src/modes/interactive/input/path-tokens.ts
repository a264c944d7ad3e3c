/** The path that is being typed before the cursor, and how a path is written there. */
import { showHiddenCharacters } from "./hidden-characters.ts";

export interface PathToken {
  /** Where the token starts in the line: at its `@`, its quote or its first letter. */
  start: number;
  /** What is looked for, without `@`, quotes and `./`. */
  query: string;
  /** `at`: a mention. `path`: a word of a sentence. `shell`: a word of a shell command. */
  style: "at" | "path" | "shell";
  /** It was begun with a quote. */
  quoted: boolean;
  /** `./` as typed, to be kept. */
  lead: string;
}

const MENTION = /(?:^|[\s([{<`'",;=])@(?:"([^"]*)|([^\s"]*))$/u;

/** `@src/ma` or `@"my fi` at the end of a text, or null. */
export function mentionBefore(text: string): PathToken | null {
  const match = MENTION.exec(text);
  if (!match) return null;
  const quoted = match[1] !== undefined;
  const typed = match[1] ?? match[2] ?? "";
  const start = text.length - typed.length - (quoted ? 2 : 1);
  return { start, style: "at", quoted, ...withoutLead(typed) };
}

/** The last word of a text, quoted or not; it may be empty. */
export function wordBefore(text: string, style: "path" | "shell"): PathToken {
  const quote = openQuote(text);
  if (quote !== null) return { start: quote, style, quoted: true, ...withoutLead(text.slice(quote + 1)) };
  const typed = (style === "shell" ? /(?:\\.|[^\s"'=;|&<>()])*$/ : /[^\s"'`([{<]*$/).exec(text)![0];
  const plain = style === "shell" ? typed.replace(/\\(.)/g, "$1") : typed;
  return { start: text.length - typed.length, style, quoted: false, ...withoutLead(plain) };
}

function withoutLead(typed: string): { query: string; lead: string } {
  const lead = typed.startsWith("./") ? "./" : "";
  return { query: typed.slice(lead.length), lead };
}

/** Where a quote that begins a word was opened and not closed, or null. */
function openQuote(text: string): number | null {
  let open: number | null = null;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (open !== null) {
      if (character === text[open]) open = null;
    } else if ((character === '"' || character === "'") && /^$|[\s=]/.test(text[at - 1] ?? "")) open = at;
  }
  return open;
}

/** Whether a path can be written at all: names with line breaks or with characters that nobody sees cannot. */
export function canBeWritten(path: string, style: PathToken["style"]): boolean {
  if (/[\n\t]/.test(path) || showHiddenCharacters(path).hidden > 0) return false;
  return style === "shell" || !(path.includes('"') && /[\s'()]/.test(path));
}

/**
 * The text for a path, and where the cursor goes in it: behind it, or inside of the closing quote of a folder, so that typing goes on
 * there.
 */
export function writePath(path: string, token: PathToken): { text: string; cursor: number } {
  const folder = path.endsWith("/");
  const full = token.lead + path;
  const text =
    token.style === "shell"
      ? shellWord(full, token.quoted)
      : (token.style === "at" ? "@" : "") + (token.quoted || /[\s'"()]/.test(full) ? `"${full}"` : full);
  const closed = /["']$/.test(text) && text.length > 1;
  return { text, cursor: folder && closed ? text.length - 1 : text.length };
}

function shellWord(path: string, quoted: boolean): string {
  // A name that begins with a dash would be read as an option.
  const safe = path.startsWith("-") ? `./${path}` : path;
  if (!quoted && /^[\p{L}\p{N}_@%+:,./-]+$/u.test(safe)) return safe;
  return `'${safe.replace(/'/g, "'\\''")}'`;
}
