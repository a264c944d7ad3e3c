import type { Screen, Screened, ScreenFinding } from "../core/ports/screen.ts";
import { reveal } from "./hidden-characters.ts";
import { findPersonalData } from "./personal/personal-data.ts";
import { findPrivateBlocks } from "./private-blocks.ts";
import { findCredentialForms } from "./secrets/credential-forms.ts";
import { findEncodedTokens } from "./secrets/encoded-tokens.ts";
import { findKnownTokens } from "./secrets/known-tokens.ts";
import { findByMaintainedRules } from "./secrets/maintained-rules.ts";
import { findNamedValues } from "./secrets/named-values.ts";
import { findRandomTokens } from "./secrets/random-token.ts";
import { findWrappedTokens } from "./secrets/wrapped-tokens.ts";
import { blank, type Detector, findMarks, mark, mergeSpans, type Span, unblanked } from "./span.ts";
import { compileUserPatterns, type PatternProblem } from "./user-patterns.ts";

export interface ScreenOptions {
  /** The user's own patterns: sources of regular expressions, each within a line; `/source/i` ignores case. */
  readonly patterns?: readonly string[];
  /** Whether e-mail addresses, telephone, account and card numbers and national ids go, too. Default true. */
  readonly personalData?: boolean;
  /** Longest text that is screened, in UTF-16 units; what is longer is withheld as a whole. Default 1,000,000. */
  readonly longest?: number;
  /** The rules of a maintained set beside our own; injected in tests. They may reject: the text is then withheld. */
  readonly maintainedRules?: (text: string) => Promise<Span[]>;
}

/** A screen, and what is wrong with the user's patterns. */
export interface ConfiguredScreen extends Screen {
  readonly problems: readonly PatternProblem[];
}

const LONGEST = 1_000_000;
/** A part that is gone may show another that it hid; in honest texts nothing is left after the second look. */
const MOST_LOOKS = 5;
/** First in the list gives the rule's name where two find the same. */
const SECRETS: readonly Detector[] = [
  findKnownTokens,
  findWrappedTokens,
  findCredentialForms,
  findNamedValues,
  findEncodedTokens,
];

/** The screen that everything goes through before it is kept, sent to a model that condenses, or injected. */
export function createScreen(options: ScreenOptions = {}): ConfiguredScreen {
  const user = compileUserPatterns(options.patterns ?? []);
  const detectors: readonly Detector[] = [
    user.detect,
    ...SECRETS,
    ...(options.personalData === false ? [] : [findPersonalData]),
  ];
  const maintained = options.maintainedRules ?? findByMaintainedRules;
  const longest = options.longest ?? LONGEST;
  return {
    problems: user.problems,
    screen: async (text) => {
      if (text.length > longest) return withheld(text, "too-long");
      try {
        return await screenText(text, detectors, maintained);
      } catch {
        // What could not be looked at whole must not be kept.
        return withheld(text, "unscreened");
      }
    },
  };
}

async function screenText(
  text: string,
  detectors: readonly Detector[],
  maintained: (text: string) => Promise<Span[]>,
): Promise<Screened> {
  const revealed = reveal(text.toWellFormed());
  const shown = revealed.text;
  const blocks = findPrivateBlocks(shown);
  const spans: Span[] = [...blocks];
  let rest = blank(shown, [...blocks, ...findMarks(shown)]);
  for (let look = 1; ; look++) {
    const named = detectors.flatMap((detect) => detect(rest));
    // What has a name is called by it: tokens of chance come last.
    const all = [...named, ...(await maintained(rest)), ...findRandomTokens(rest)];
    const fresh = all.flatMap((span) => unblanked(span, rest));
    if (fresh.length === 0) break;
    if (look === MOST_LOOKS) return withheld(text, "unscreened");
    spans.push(...fresh);
    rest = blank(rest, fresh);
  }
  const merged = mergeSpans(spans);
  return { text: withMarks(shown, merged), findings: findingsOf(merged, revealed) };
}

function withheld(text: string, rule: string): Screened {
  const finding = { rule, category: "private", offset: 0, length: text.length } as const;
  return { text: mark(rule), findings: [finding] };
}

function withMarks(text: string, spans: readonly Span[]): string {
  let result = "";
  let at = 0;
  for (const { rule, start, end } of spans) {
    result += text.slice(at, start) + mark(rule);
    at = end;
  }
  return at === 0 ? text : result + text.slice(at);
}

function findingsOf(spans: readonly Span[], { origin, removed }: ReturnType<typeof reveal>): ScreenFinding[] {
  const findings: ScreenFinding[] = spans.map(({ rule, category, start, end }) => {
    const offset = origin(start);
    return { rule, category, offset, length: origin(end - 1) + 1 - offset };
  });
  for (const { start, end } of removed)
    if (!findings.some(({ offset, length }) => start < offset + length && end > offset))
      findings.push({ rule: "hidden-characters", category: "hidden", offset: start, length: end - start });
  return findings.sort((a, b) => a.offset - b.offset);
}
