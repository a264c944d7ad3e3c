import { type Found, findSpans, lineFeeds, MAX_SPANS, type Span, searchPlain } from "./find-spans.ts";
import { endingFinder, fitReplacement } from "./fit-replacement.ts";
import type { TextForm } from "./text-form.ts";

/** A result of more characters is no text file any more. */
const MAX_BODY = 128 * 1024 * 1024;

/** One change: the first place, or all. */
export interface EditStep {
  old: string;
  new: string;
  all: boolean;
}

/** The body after all steps. */
export interface Applied {
  body: string;
  replacements: number;
  /** Where the new texts stand in the new body, in their order. */
  changed: Span[];
  lenient: boolean;
}

/** Why a step could not be done. `body` is what it was looked for in (after the steps before it). */
export interface StepProblem {
  step: number;
  kind: "none" | "several" | "identical" | "too_many" | "too_large";
  body: string;
  spans: Span[];
}

/** Applies all steps in order, each to what the one before left; nothing is changed unless all can be done. */
export async function applyEdits(form: TextForm, steps: readonly EditStep[]): Promise<Applied | StepProblem> {
  let current = form;
  let changed: Span[] = [];
  let replacements = 0;
  let lenient = false;
  for (const [step, edit] of steps.entries()) {
    const problem = (kind: StepProblem["kind"], spans: Span[] = []) => ({
      step,
      kind,
      body: current.body,
      spans,
    });
    if (edit.old === edit.new) return problem("identical");
    const found = lineEndsOnly(edit) ? asWritten(current, edit) : findSpans(current, edit.old, edit.all);
    if (found.spans.length === 0) return problem(lineEndsOnly(edit) ? "identical" : "none");
    if (found.spans.length > 1 && !edit.all) return problem("several", found.spans);
    if (found.spans.length > MAX_SPANS) return problem("too_many", found.spans);
    const growth = found.spans.length * (edit.new.length - edit.old.length);
    if (current.body.length + growth > MAX_BODY) return problem("too_large", found.spans);
    lenient ||= found.lenient;
    replacements += found.spans.length;
    const next = await replaceSpans(current, found, edit);
    changed = moveSpans(changed, found.spans, next.inserted);
    current = { ...current, body: next.body };
  }
  return { body: current.body, replacements, changed: changed.sort((a, b) => a.start - b.start), lenient };
}

/** The arguments differ in nothing but CR LF: the line ends themselves are to be changed. */
function lineEndsOnly(edit: EditStep): boolean {
  return lineFeeds(edit.old) === lineFeeds(edit.new);
}

function asWritten(form: TextForm, edit: EditStep): Found {
  const needle = form.fromText(edit.old);
  return { spans: searchPlain(form.body, needle), needle, convert: form.fromText, lenient: false };
}

async function replaceSpans(
  form: TextForm,
  found: Found,
  edit: EditStep,
): Promise<{ body: string; inserted: number[] }> {
  const pieces: string[] = [];
  const inserted: number[] = [];
  const literal = lineEndsOnly(edit);
  const endingAround = endingFinder(form.body);
  // A byte order mark at the very start of the file is kept apart; one in the argument would be a second.
  const text = edit.new.startsWith("\ufeff") && edit.old.startsWith("\ufeff") ? edit.new.slice(1) : edit.new;
  const converted = found.convert(text);
  let from = 0;
  for (const span of found.spans) {
    const replacement = { old: found.needle, new: converted, lenient: found.lenient, endingAround };
    const fitted = literal ? converted : await fitReplacement(form, span, replacement);
    pieces.push(form.body.slice(from, span.start), fitted);
    inserted.push(fitted.length);
    from = span.end;
  }
  pieces.push(form.body.slice(from));
  return { body: pieces.join(""), inserted };
}

/** Carries the places of earlier changes over a replacement, and adds its own. */
function moveSpans(earlier: readonly Span[], replaced: readonly Span[], inserted: readonly number[]): Span[] {
  const shift = (position: number, isEnd: boolean) => {
    let moved = position;
    for (const [index, span] of replaced.entries()) {
      const length = inserted[index] ?? 0;
      if (position >= span.end) moved += length - (span.end - span.start);
      else if (position > span.start) moved += (isEnd ? length : 0) - (position - span.start);
    }
    return moved;
  };
  const spans = earlier.map((span) => ({ start: shift(span.start, false), end: shift(span.end, true) }));
  let delta = 0;
  for (const [index, span] of replaced.entries()) {
    const length = inserted[index] ?? 0;
    spans.push({ start: span.start + delta, end: span.start + delta + length });
    delta += length - (span.end - span.start);
  }
  return spans;
}
