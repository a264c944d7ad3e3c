import { STOP_WORDS } from "../text/stop-words.ts";
import { identifierTerms, terms, words } from "../text/tokenize.ts";

/** A question as the ranking sees it. */
export interface QueryAnalysis {
  readonly text: string;
  /** Index terms to look for, each once, without stop words unless there is nothing else. Empty: the text has no letter or digit. */
  readonly terms: readonly string[];
  /** All words as written, for telling whether a person is named. */
  readonly words: ReadonlySet<string>;
  /** Asks for a point in time. */
  readonly asksWhen: boolean;
  /** Asks for a number or an amount. */
  readonly asksNumber: boolean;
  /** Asks for a name: a person, a place, a title. */
  readonly asksName: boolean;
  /** Asks for what was true before. */
  readonly asksHistory: boolean;
  /** Asks about something a role said, where it says so plainly. */
  readonly saidBy: "user" | "agent" | undefined;
}

/** Longer questions are cut: the first words of a pasted log say enough, and each term costs a look-up. */
const LONGEST_QUERY = 4_000;
const MOST_TERMS = 64;

const WHEN =
  /^\W*(when|since when|how long|what (date|day|month|year|time))\b|^\W*(wann|quand|cuándo|quando)\b|когда|什么时候|いつ/iu;
const NUMBER =
  /\bhow (many|much|often|long)\b|\b(wie ?viele?|combien|cuánt[oa]s?|quant[oa]s?)\b|сколько|多少|いくつ/iu;
const NAME =
  /\b(which|who|where)\b|\bwhat\b.*\b(name|book|movie|song|game|band|country|city|place|team|file|function|class|branch|version|package|library|tool)\b|\b(welche[rsmn]?|wer|wo|quel(le)?s?|qui|où|cuál|quién|dónde|qual|quem|onde)\b|^\W*(кто|где|какой)|谁|哪|誰|どこ/iu;
const HISTORY =
  /\b(before|previously|formerly|originally|used to|earlier|in the past|at first|history|old(er)?|past|initially|first(ly)?|no longer|(früher|vorher|ehemals)|avant|antes)\b|раньше|以前/iu;
const USER_SAID =
  /\b(did|had|have) (I|we) (say|said|tell|told|ask|asked|mention|mentioned|decide|decided|want|prefer)\b|\bI (said|told|asked|mentioned)\b/i;
const AGENT_SAID =
  /\b(did|had|have) you (say|said|tell|told|suggest|suggested|propose|proposed|answer|answered)\b|\byou (said|suggested|proposed)\b/i;

/** Reads a question in any language and with any punctuation: nothing of it is ever taken for query syntax. */
export function analyzeQuery(text: string): QueryAnalysis {
  const read = text.slice(0, LONGEST_QUERY);
  const written = words(read);
  const parts = identifierTerms(read);
  // Stop words are told by how they are written: "owns" is none, though its stem is.
  const telling = distinct([
    ...terms(written.filter((word) => !STOP_WORDS.has(word)).join(" ")),
    ...parts.filter((part) => !STOP_WORDS.has(part)),
  ]);
  const found = telling.length > 0 ? telling : distinct([...terms(read), ...parts]);
  return {
    text: read,
    terms: found.slice(0, MOST_TERMS),
    words: new Set(written),
    asksWhen: WHEN.test(read),
    asksNumber: NUMBER.test(read),
    asksName: NAME.test(read),
    asksHistory: HISTORY.test(read),
    saidBy: USER_SAID.test(read) ? "user" : AGENT_SAID.test(read) ? "agent" : undefined,
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
