import { identifierTerms, storedTerms, terms } from "./tokenize.ts";

/** The index terms of a memory, a field each, separated by spaces. Stores keep them as they are and look terms up in them. */
export interface IndexTerms {
  /** Of the title and the subject. */
  readonly title: string;
  /** Of the text and of what came along with it. */
  readonly body: string;
  /** Of file names and of the parts of identifiers. */
  readonly details: string;
  /** Of the author's name and the date. */
  readonly origin: string;
}

/** Raised when the same text would give other terms. Each store keeps the one it was made with, for the migration that makes its terms anew. */
export const INDEX_VERSION = 1;

/** Longer texts are indexed by their beginning; the whole text is kept. */
const MOST_TERMS = 4_000;
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** The terms a memory is found by. Dates are in UTC. */
export function indexTerms(memory: {
  readonly title: string;
  readonly subject: string;
  readonly text: string;
  readonly attachment: string;
  readonly files: readonly string[];
  readonly authorName: string | undefined;
  readonly at: number;
}): IndexTerms {
  return {
    title: joined(storedTerms(`${memory.title}\n${memory.subject}`)),
    body: joined(storedTerms(`${memory.text}\n${memory.attachment}`)),
    details: joined([
      ...memory.files.flatMap((file) => [...terms(file), ...identifierTerms(file)]),
      ...identifierTerms(`${memory.title}\n${memory.text}`),
    ]),
    origin: joined(terms(`${memory.authorName ?? ""} ${dateWords(memory.at)}`)),
  };
}

/** A date as people write it. `Intl` takes ten milliseconds to load. */
function dateWords(at: number): string {
  const date = new Date(at);
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()} ${date.getUTCFullYear()}`;
}

function joined(found: readonly string[]): string {
  return found.slice(0, MOST_TERMS).join(" ");
}

/** How many different terms a title and text have: how much they say. */
export function termVariety({ title, body }: IndexTerms): number {
  return new Set(`${title} ${body}`.split(" ")).size;
}

/** How many terms a memory has in all its fields. */
export function termCount({ title, body, details, origin }: IndexTerms): number {
  return countSplit(title) + countSplit(body) + countSplit(details) + countSplit(origin);
}

/** Without making the parts: a long field has thousands. */
function countSplit(field: string): number {
  if (field === "") return 0;
  let count = 1;
  for (let index = field.indexOf(" "); index >= 0; index = field.indexOf(" ", index + 1)) count++;
  return count;
}
