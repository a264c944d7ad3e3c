import type { MemoryKind } from "../../memory/record.ts";
import { PASSING, QUESTION, REPORTED, STATEMENT_MARKERS, TAKEN_BACK } from "./markers.ts";
import { sentences, spokenText } from "./spoken-text.ts";
import { deriveSubject } from "./subject.ts";
import type { WordPattern } from "./word-edges.ts";

/** One thing a person stated that holds beyond this prompt. */
export interface Statement {
  readonly kind: Extract<MemoryKind, "preference" | "decision" | "fact">;
  readonly text: string;
  readonly subject?: string;
  /** The person said that it is to be remembered. */
  readonly asked: boolean;
}

const MOST = 8;
const SHORTEST = 6;
const LONGEST = 600;
/** Takes the statement after "remember" apart from talk of remembering. */
const REMEMBERS_WHAT = /^(when|how|the time|that time|what|if|to(?! (always|never)))\b/iu;
/** Asks for remembering in the form of a question. */
const POLITELY =
  /^(please |hey,? |and |also )*(can|could|would|will) you (please |also |kindly )*(?=(remember|note|keep in mind|memori[sz]e)( that|:))/iu;

/**
 * The statements of a prompt that a person typed, in order, at most eight. Rather too few than too many: a question, a
 * supposition, reported speech, a quotation, code or a pasted block gives none.
 */
export function extractStatements(prompt: string): Statement[] {
  const found: Statement[] = [];
  for (const sentence of sentences(spokenText(prompt))) {
    if (TAKEN_BACK.some((pattern) => pattern.test(sentence))) {
      found.pop();
      continue;
    }
    if (found.length === MOST) break;
    const statement = readSentence(sentence);
    if (statement !== undefined && !found.some(({ text }) => text === statement.text)) found.push(statement);
  }
  return found;
}

function readSentence(written: string): Statement | undefined {
  const sentence = POLITELY.test(written) ? written.replace(POLITELY, "").replace(/\s*\?+$/u, ".") : written;
  if (sentence.length < SHORTEST / 2 || sentence.length > LONGEST || QUESTION.test(sentence))
    return undefined;
  const fits = (patterns: readonly WordPattern[]): boolean =>
    patterns.some((pattern) => pattern.test(sentence));
  if (sentence.includes("“…”") || fits(REPORTED)) return undefined;
  const marker = STATEMENT_MARKERS.find(({ pattern }) => pattern.test(sentence));
  if (marker === undefined) return undefined;
  const rest = marker.asks ? marker.pattern.takenOff(sentence).trim() : sentence;
  const dictated = marker.asks && sentence.slice(0, -rest.length).trimEnd().endsWith(":");
  // Asked for in so many words, a condition is part of what is to be remembered.
  if (!marker.asks && fits(PASSING)) return undefined;
  if (
    [...rest].length < (/\p{Script=Han}/u.test(rest) ? 2 : SHORTEST) ||
    (!dictated && REMEMBERS_WHAT.test(rest))
  )
    return undefined;
  const subject = deriveSubject(rest);
  return {
    kind: marker.asks ? rememberedKind(rest) : marker.kind,
    text: rest,
    asked: marker.asks,
    ...(subject === undefined ? {} : { subject }),
  };
}

/** "Remember: always …" is a preference, "remember that we decided …" a decision. */
function rememberedKind(text: string): Statement["kind"] {
  return STATEMENT_MARKERS.find(({ asks, pattern }) => !asks && pattern.test(text))?.kind ?? "fact";
}
