import { isJsonObject, type Json, type JsonObject } from "../../contract/json.ts";
import type { HookEvent } from "./hook-entry.ts";
import { inOurKeys, meantToHold } from "./other-forms.ts";
import { printedObjects } from "./printed-objects.ts";

/** Keys of what hooks read. */
const ECHOED: ReadonlySet<string> = new Set([
  "event",
  "tool",
  "input",
  "result",
  "data",
  "session_id",
  "cwd",
]);
/** Characters of an answer that cannot be parsed, in the reason for what it blocks. */
const MOST_BROKEN = 500;

/** What a hook that ended with 0 wants. */
export interface HookAnswer {
  /** Why it is not to happen. Empty: the hook gave no reason. */
  block?: string;
  /** Why a person has to be asked. Empty: the hook gave no reason. */
  ask?: string;
  /** The input to run with instead. */
  input?: JsonObject;
  /** The text that the model sees instead of the result. */
  result?: string;
  /** A text that goes before the model too. */
  add?: string;
  /** What the model is to do before the run ends. Empty: the hook gave no reason. */
  goOn?: string;
}

/** Keys of the JSON on stdout, by event. */
const KEYS: Readonly<Record<HookEvent, readonly string[]>> = {
  before_tool: ["block", "ask", "input"],
  after_tool: ["block", "result", "add"],
  prompt: ["block", "add"],
  session_start: ["block", "add"],
  session_end: [],
  before_compact: ["block"],
  stop: ["continue"],
};

/**
 * Reads a hook's stdout. Text that is no JSON object is no answer (hooks may print what they like), and neither is the hook's own
 * input, printed again (`tee`). A `problem` says what of an object cannot be understood; it has no effect then, unless it also blocks
 * or asks: that counts in every form that can be recognised, and before other output, too.
 */
export function readAnswer(event: HookEvent, stdout: string): { answer: HookAnswer; problem?: string } {
  const { last, earlier, broken } = printedObjects(stdout);
  const read = last === undefined ? { answer: {} } : readObject(event, last);
  if (holds(read.answer)) return { answer: read.answer };
  const held = earlier.map((value) => readObject(event, value)).filter(isWholeHold);
  const answer = held.findLast(({ answer }) => answer.block !== undefined)?.answer ?? held.at(-1)?.answer;
  if (answer !== undefined) return { answer };
  if (broken === undefined) return read;
  const why = `it printed JSON that cannot be parsed (${broken.why})`;
  const block = KEYS[event].includes("block") && meantToHold(broken.text);
  return block ? { answer: { block: `${why}: ${clip(broken.text)}` } } : { answer: {}, problem: why };
}

function holds({ block, ask }: HookAnswer): boolean {
  return block !== undefined || ask !== undefined;
}

/** Only what does nothing but hold a call back: output in the midst of other output may be anybody's, and must not change one. */
function isWholeHold({ answer, problem }: { answer: HookAnswer; problem?: string }): boolean {
  const others = Object.keys(answer).filter((key) => key !== "block" && key !== "ask");
  return holds(answer) && others.length === 0 && problem === undefined;
}

function clip(text: string): string {
  return text.length <= MOST_BROKEN ? text : `${text.slice(0, MOST_BROKEN)}…`.toWellFormed();
}

function readObject(event: HookEvent, printed: JsonObject): { answer: HookAnswer; problem?: string } {
  const value = inOurKeys(event, isEcho(printed) ? withoutEcho(printed) : printed);
  const unknown = Object.keys(value).filter((key) => !KEYS[event].includes(key));
  const known = Object.fromEntries(Object.entries(value).filter(([key]) => KEYS[event].includes(key)));
  const { answer, problem } = readFields(known);
  const problems = problem === undefined ? [] : [problem];
  if (unknown.length > 0)
    problems.unshift(
      `it printed ${unknown.map((key) => `"${key}"`).join(", ")}, which means nothing at ${event} (${KEYS[event].length === 0 ? "nothing does" : KEYS[event].map((key) => `"${key}"`).join(", ")})`,
    );
  return problems.length === 0 ? { answer } : { answer: held(answer), problem: problems.join("; ") };
}

/** What counts of an answer that is not understood as a whole. */
function held({ block, ask }: HookAnswer): HookAnswer {
  return { ...(block === undefined ? {} : { block }), ...(ask === undefined ? {} : { ask }) };
}

function readFields(value: JsonObject): { answer: HookAnswer; problem?: string } {
  const answer: HookAnswer = {};
  const wrong: string[] = [];
  const words = (key: string, take: (text: string) => void) => {
    const given = value[key];
    if (given === undefined || given === false || given === null) return;
    if (typeof given === "string") take(given.trim());
    else if (given === true) take("");
    else if (given !== 0) take(JSON.stringify(given));
  };
  const text = (key: string, take: (text: string) => void) => {
    const given = value[key];
    if (given === undefined || given === null) return;
    if (typeof given === "string") take(given);
    else wrong.push(`"${key}" is to be a text`);
  };
  words("block", (reason) => {
    answer.block = reason;
  });
  words("ask", (reason) => {
    answer.ask = reason;
  });
  text("result", (given) => {
    answer.result = given;
  });
  text("add", (given) => {
    if (given.trim() !== "") answer.add = given;
  });
  if (value["continue"] === true) answer.goOn = "";
  else
    text("continue", (given) => {
      if (given.trim() !== "") answer.goOn = given;
    });
  const input: Json | undefined = value["input"];
  if (isJsonObject(input)) answer.input = input;
  else if (input !== undefined && input !== null) wrong.push('"input" is to be an object');
  return wrong.length === 0
    ? { answer }
    : { answer, problem: `it printed JSON in which ${wrong.join(", ")}` };
}

/** Of what a hook read, printed again with more (`jq '. + {block: "why"}'`), only that counts: its `input` is the old one. */
function withoutEcho(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !ECHOED.has(key)));
}

function isEcho(value: JsonObject): boolean {
  return "event" in value && "session_id" in value && "data" in value;
}
