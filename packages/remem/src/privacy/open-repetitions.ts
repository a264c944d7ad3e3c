/** What a source of a regular expression says about the time that it may take. */
export interface RepetitionReport {
  /** A repetition over something that repeats or branches itself: time may double with each character. */
  readonly nested: boolean;
  /** A back reference: no bound is known. */
  readonly refersBack: boolean;
  /** For each open repetition: a text that leads up to it, and a character that it takes. */
  readonly loops: readonly { readonly before: string; readonly character: string }[];
}

interface Group {
  /** It holds an open repetition, or branches. */
  loose: boolean;
  /** It holds a repetition that may take more or less. */
  varies: boolean;
  readonly sampleStart: number;
}

/** Repetitions with more than so many turns count as open. */
const OPEN = 32;
/** So many turns of something that varies are as many ways to divide a text among them. */
const FEW = 8;
const QUANTIFIER = /^(?:[*+?]|\{(\d{1,9})(,(\d{0,9}))?\})[?+]?/;

/** Looks through the source of an expression that compiles. */
export function findRepetitions(source: string): RepetitionReport {
  const groups: Group[] = [{ loose: false, varies: false, sampleStart: 0 }];
  const loops: { before: string; character: string }[] = [];
  let sample = "";
  let nested = false;
  let refersBack = false;
  let at = 0;
  while (at < source.length) {
    const rest = source.slice(at);
    const open = /^\((?:\?(?:<?[=!]|:|<[^>]{1,80}>|[a-z-]{1,8}:))?/.exec(rest);
    if (open) {
      groups.push({ loose: false, varies: false, sampleStart: sample.length });
      at += open[0].length;
      continue;
    }
    if (rest[0] === "|") {
      groups.at(-1)!.loose = true;
      at++;
      continue;
    }
    if (/^(?:\\[1-9]|\\k<)/.test(rest)) refersBack = true;
    const closed = rest[0] === ")" && groups.length > 1 ? groups.pop() : undefined;
    const atom = closed ? ")" : atomOf(rest);
    const character = closed ? (sample[closed.sampleStart] ?? "a") : sampleOf(atom);
    at += atom.length;
    const quantifier = QUANTIFIER.exec(source.slice(at));
    at += quantifier?.[0].length ?? 0;
    const turns = quantifier ? mostTurns(quantifier) : 1;
    const varies = quantifier !== null && !isFixed(quantifier);
    if (turns > FEW && varies)
      loops.push({ before: closed ? sample.slice(0, closed.sampleStart) : sample, character });
    if (closed && ((turns > 1 && closed.loose) || (turns > FEW && closed.varies))) nested = true;
    const outer = groups.at(-1)!;
    outer.loose ||= (turns > OPEN && varies) || closed?.loose === true;
    outer.varies ||= varies || closed?.varies === true;
    if (!closed) sample += character;
  }
  return { nested, refersBack, loops };
}

function atomOf(rest: string): string {
  return /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\k<[^>]*>|\\[\s\S]|[\s\S])/u.exec(
    rest,
  )![0];
}

/** A character that an atom takes; nothing for what takes none. */
function sampleOf(atom: string): string {
  if (atom === "^" || atom === "$" || atom === "\\b" || atom === "\\B") return "";
  const one = (() => {
    try {
      return new RegExp(`^${atom}$`, "u");
    } catch {
      // an atom that means something in its place only
      return null;
    }
  })();
  return [..."aA0 -_.:/=@#\"'e", ...atom].find((character) => one?.test(character)) ?? "a";
}

function isFixed([, least, range]: RegExpExecArray): boolean {
  return least !== undefined && range === undefined;
}

function mostTurns([text, least, range, most]: RegExpExecArray): number {
  if (least === undefined) return text.startsWith("?") ? 1 : Number.POSITIVE_INFINITY;
  if (range === undefined) return Number(least);
  return most === "" ? Number.POSITIVE_INFINITY : Number(most);
}
