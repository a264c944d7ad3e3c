import { Property, propertiesOf } from "./character-properties.ts";
import type { Hit } from "./hit.ts";
import { MESSAGE_LENGTH } from "./judge-run.ts";
import { critical, info, type Verdict, warning } from "./verdict.ts";

/** A direction control or mark in its place. */
export interface DirectionCharacter extends Hit {
  before: number;
  after: number;
}

type Judged = (character: DirectionCharacter, verdict: Verdict) => void;

/** More than any text has; beyond it each is judged at once, so that a hostile file fills no memory. */
const MOST_WAITING = 50_000;

const LRE = 0x202a;
const RLE = 0x202b;
const PDF = 0x202c;
const LRO = 0x202d;
const RLO = 0x202e;
const RLI = 0x2067;
const PDI = 0x2069;

const OVERRIDE = critical("forces the direction of text: what is read is not what is shown");
const OVERRIDE_END = critical("ends a forced direction of text");
const UNCLOSED = critical(
  "changes the direction of text and is not closed on its line: the rest is shown out of order",
);
const UNOPENED = critical("closes a direction that was not opened on its line");
const TOO_MANY = critical("changes the direction of text, among more of its kind than any text has");
const MESSAGE = critical("is one of many direction characters in a row: enough to carry a hidden message");
const PROPER = info("sets the direction of a part of right-to-left text, and is closed");
const PROPER_ELSEWHERE = info(
  "sets the direction of a part of a text that has right-to-left lines, and is closed",
);
const REORDERS = critical("reorders text that has no right-to-left letters");
const ODD_LINE = warning("turns the direction of a line that has no right-to-left letters");
const NEEDLESS = warning("sets the direction of text that has no right-to-left letters");
const MARK = info("sets the direction of what is beside it, in right-to-left text");
const NEEDLESS_MARK = critical("is invisible and has no use where no text runs from right to left");
const SPLITTING_MARK = critical("is invisible and splits a word for search and for the model");

/** Where it stands after its line: what is still to be known is whether the text has right-to-left letters at all. */
interface Waiting {
  character: DirectionCharacter;
  /** Null: a pair or mark without right-to-left letters on its line. */
  verdict: Verdict | null;
  turns: boolean;
}

/** Judges direction controls: by line, as the bidirectional algorithm closes them, and by whether the text has right-to-left letters. */
export class DirectionJudge {
  readonly #judged: Judged;
  #line: DirectionCharacter[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(judged: Judged) {
    this.#judged = judged;
  }

  add(character: DirectionCharacter): void {
    if (this.#line.length + this.#waiting.length >= MOST_WAITING) this.#judged(character, TOO_MANY);
    else this.#line.push(character);
  }

  endLine(rightToLeft: boolean): void {
    if (this.#line.length === 0) return;
    const partners = pairs(this.#line);
    const crowded = crowds(this.#line);
    for (const [index, character] of this.#line.entries()) {
      const verdict = crowded[index]
        ? MESSAGE
        : isMark(character.codePoint)
          ? markVerdict(character, rightToLeft)
          : this.#controlVerdict(index, partners[index] ?? null, rightToLeft);
      const opener = this.#line[Math.min(index, partners[index] ?? index)]!.codePoint;
      if (verdict === null)
        this.#waiting.push({ character, verdict, turns: opener === RLE || opener === RLI });
      else this.#judged(character, verdict);
    }
    this.#line = [];
  }

  /** Judges what had to wait for the whole text. */
  end(rightToLeft: boolean): void {
    for (const { character, turns } of this.#waiting)
      if (isMark(character.codePoint)) this.#judged(character, rightToLeft ? MARK : NEEDLESS_MARK);
      else if (turns) this.#judged(character, rightToLeft ? ODD_LINE : REORDERS);
      else this.#judged(character, rightToLeft ? PROPER_ELSEWHERE : NEEDLESS);
    this.#waiting.length = 0;
  }

  #controlVerdict(index: number, partner: number | null, rightToLeft: boolean): Verdict | null {
    const point = this.#line[index]!.codePoint;
    if (point === LRO || point === RLO) return OVERRIDE;
    if (partner === null) return isOpener(point) ? UNCLOSED : UNOPENED;
    const opener = this.#line[Math.min(index, partner)]!.codePoint;
    if (opener === LRO || opener === RLO) return OVERRIDE_END;
    return rightToLeft ? PROPER : null;
  }
}

function isMark(point: number): boolean {
  return point < 0x202a;
}

function isOpener(point: number): boolean {
  return point !== PDF && point !== PDI;
}

function isEmbedding(point: number): boolean {
  return point >= LRE && point <= RLO && point !== PDF;
}

function markVerdict({ before, after }: DirectionCharacter, rightToLeft: boolean): Verdict | null {
  if (propertiesOf(before) & propertiesOf(after) & Property.plain) return SPLITTING_MARK;
  return rightToLeft ? MARK : null;
}

/** True for the characters that stand in a row with so many of their kind that no text needs them. */
function crowds(line: readonly DirectionCharacter[]): boolean[] {
  const crowded = line.map(() => false);
  for (let start = 0; start < line.length; ) {
    let end = start + 1;
    while (end < line.length && line[end - 1]!.offset + line[end - 1]!.bytes === line[end]!.offset) end++;
    if (end - start >= MESSAGE_LENGTH) crowded.fill(true, start, end);
    start = end;
  }
  return crowded;
}

/** For each character its partner's index: an isolate's end closes what was opened inside, an embedding's end only its own kind. */
function pairs(line: readonly DirectionCharacter[]): (number | null)[] {
  const partners: (number | null)[] = line.map(() => null);
  const open: number[] = [];
  const join = (opener: number, closer: number) => {
    partners[opener] = closer;
    partners[closer] = opener;
  };
  let isolates = 0;
  for (const [index, { codePoint }] of line.entries()) {
    if (isMark(codePoint)) continue;
    if (isOpener(codePoint)) {
      open.push(index);
      if (!isEmbedding(codePoint)) isolates++;
    } else if (codePoint === PDF) {
      const last = open.at(-1);
      if (last !== undefined && isEmbedding(line[last]!.codePoint)) join(open.pop()!, index);
    } else if (isolates > 0) {
      let last = open.pop()!;
      while (isEmbedding(line[last]!.codePoint)) last = open.pop()!;
      isolates--;
      join(last, index);
    }
  }
  return partners;
}
