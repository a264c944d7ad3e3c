import { identifierTerms, terms } from "./tokenize.ts";

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

/** Raised when the same text would give other terms: an index of another version must be rebuilt. */
export const INDEX_VERSION = 1;

/** Longer texts are indexed by their beginning; the whole text is kept. */
const MOST_TERMS = 4_000;
const DAY = new Intl.DateTimeFormat("en", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

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
    title: joined(terms(`${memory.title}\n${memory.subject}`)),
    body: joined(terms(`${memory.text}\n${memory.attachment}`)),
    details: joined([
      ...memory.files.flatMap((file) => [...terms(file), ...identifierTerms(file)]),
      ...identifierTerms(`${memory.title}\n${memory.text}`),
    ]),
    origin: joined(terms(`${memory.authorName ?? ""} ${DAY.format(memory.at)}`)),
  };
}

function joined(found: readonly string[]): string {
  return found.slice(0, MOST_TERMS).join(" ");
}

/** How many different terms a title and text have: how much they say. */
export function termVariety({ title, body }: IndexTerms): number {
  return new Set(`${title} ${body}`.split(" ")).size;
}
