/** What an error body says, whoever wrote it: every service and gateway has its own form. */

/** The facts of an error body. `words` are its machine-readable names (types, codes, reasons), lower-case. */
export interface ErrorFacts {
  message: string;
  words: ReadonlySet<string>;
  /** A status that stands in the body (errors inside of a stream have no other). */
  status?: number;
}

const WORD_KEYS = new Set([
  "type",
  "code",
  "error_code",
  "status",
  "reason",
  "quotaid",
  "error",
  "error_type",
]);

/** `detail`, `title`: RFC 9457; `msg`: FastAPI, one of a list of faults; `error_description`: OAuth. */
const MESSAGE_KEYS = new Set(["message", "raw", "detail", "error", "msg", "error_description", "title"]);
/** Lists of plain texts. */
const LIST_KEYS = new Set(["errors", "error", "messages", "message", "detail", "details"]);
const MOST_MESSAGES = 20;

/** The body as JSON where it is JSON, else the text itself. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: an HTML page or plain words, which are read as they are.
    return text;
  }
}

/**
 * Reads `{error:{type,code,message,details}}`, `{error:"text"}`, `{message,type,code}`, `[{error}]`, a JSON text inside
 * of a message (what a router passes on), an HTML page (its title) and plain text. Never throws.
 */
export function errorFacts(body: unknown): ErrorFacts {
  const words = new Set<string>();
  const messages: string[] = [];
  let status: number | undefined;
  const say = (text: string) => {
    if (messages.length < MOST_MESSAGES && !messages.includes(text)) messages.push(text);
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > 6 || typeof value !== "object" || value === null) return;
    for (const [key, item] of Object.entries(value)) {
      const name = key.toLowerCase();
      if (WORD_KEYS.has(name) && (typeof item === "string" || typeof item === "number")) {
        const number = Number(item);
        if (number >= 400 && number < 600) status ??= number;
        if (String(item).length <= 100) words.add(String(item).toLowerCase());
      }
      if (typeof item === "string") {
        if (MESSAGE_KEYS.has(name)) {
          const inner = /^\s*[[{]/.test(item) ? parseBody(item) : item;
          if (typeof inner === "object") visit(inner, depth + 1);
          else say(item);
        }
      } else if (Array.isArray(item) && LIST_KEYS.has(name))
        for (const entry of item) typeof entry === "string" ? say(entry) : visit(entry, depth + 1);
      else visit(item, depth + 1);
    }
  };
  if (typeof body === "string") {
    const inner = /^\s*[[{]/.test(body) ? parseBody(body) : body;
    if (typeof inner === "string") return { message: plainText(inner), words };
    visit(inner, 0);
  } else visit(body, 0);
  const facts: ErrorFacts = { message: messages.map(plainText).join(": "), words };
  if (status !== undefined) facts.status = status;
  return facts;
}

function plainText(text: string): string {
  if (!/^\s*</.test(text)) return text;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim();
  return title ? `an HTML page: ${title}` : "an HTML page";
}
