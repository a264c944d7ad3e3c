import { isJsonObject, type Json, type JsonObject } from "../../contract/json.ts";
import type { HookEvent } from "./hook-entry.ts";

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
  /** What the model is to do before the run ends. */
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

const HOLDING: ReadonlySet<string> = new Set(["block", "ask"]);

/**
 * Reads a hook's stdout. Text that is no JSON object is no answer (hooks may print what they like), and neither is the hook's own
 * input, printed again (`tee`). A `problem` says what of an object cannot be understood; it has no effect then.
 */
export function readAnswer(event: HookEvent, stdout: string): { answer: HookAnswer; problem?: string } {
  const text = jsonText(stdout, event);
  if (text === undefined) return { answer: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return { answer: {}, problem: `it printed JSON that cannot be parsed (${String(thrown)})` };
  }
  if (!isJsonObject(value) || isEcho(value)) return { answer: {} };
  const unknown = Object.keys(value).filter((key) => !KEYS[event].includes(key));
  if (unknown.length > 0)
    return {
      answer: {},
      problem: `it printed ${unknown.map((key) => `"${key}"`).join(", ")}, which means nothing at ${event} (${KEYS[event].length === 0 ? "nothing does" : KEYS[event].map((key) => `"${key}"`).join(", ")})`,
    };
  return readFields(value);
}

function readFields(value: JsonObject): { answer: HookAnswer; problem?: string } {
  const answer: HookAnswer = {};
  const wrong: string[] = [];
  const words = (key: string, take: (text: string) => void) => {
    const given = value[key];
    if (given === undefined || given === false || given === null) return;
    if (typeof given === "string") take(given.trim());
    else if (given === true) take("");
    else wrong.push(`"${key}" is to be a text or true`);
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
  text("continue", (given) => {
    if (given.trim() !== "") answer.goOn = given;
  });
  const input: Json | undefined = value["input"];
  if (isJsonObject(input)) answer.input = input;
  else if (input !== undefined && input !== null) wrong.push('"input" is to be an object');
  return wrong.length === 0
    ? { answer }
    : { answer: {}, problem: `it printed JSON in which ${wrong.join(", ")}` };
}

/**
 * All of the output, or the JSON that it ends with, in one line or many (`jq`): what comes before may be what the hook's programs say.
 * Else the last line that blocks or asks by itself: a check that says "done" after its answer must not let a call through.
 */
function jsonText(stdout: string, event: HookEvent): string | undefined {
  const all = stdout.trim();
  return parses(all)
    ? all
    : (ending(all) ?? answerLine(all, event) ?? (all.startsWith("{") ? all : undefined));
}

function ending(all: string): string | undefined {
  const last = all.slice(all.lastIndexOf("\n") + 1).trim();
  if (last.startsWith("{") && last.endsWith("}")) return last;
  if (last !== "}") return undefined;
  // Printed in many lines it begins and ends at the left. Other texts do so, too: code, say.
  const text = all.slice(all.lastIndexOf("\n{") + 1);
  return parses(text) ? text : undefined;
}

function answerLine(all: string, event: HookEvent): string | undefined {
  return all
    .split("\n")
    .map((line) => line.trim())
    .findLast((line) => {
      if (!line.startsWith("{") || !line.endsWith("}") || !parses(line)) return false;
      const keys = Object.keys(JSON.parse(line) as object);
      // Only what holds a call back: output in its midst may be anybody's, and must not change one.
      return keys.length > 0 && keys.every((key) => HOLDING.has(key) && KEYS[event].includes(key));
    });
}

function parses(text: string): boolean {
  if (!text.startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isEcho(value: JsonObject): boolean {
  return "event" in value && "session_id" in value && "data" in value;
}
