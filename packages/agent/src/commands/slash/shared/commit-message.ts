/** The form of a commit message: one line `type(scope): text`. */

const MOST_CHARACTERS = 72;
const FORM = /^([a-z]+)(\([^()\s]+\))?(!)?:\s*(\S.*)$/;
const TYPES = "feat fix docs style refactor perf test build ci chore revert".split(" ");

/** What is wrong with an answer as a commit message, for the model; null when nothing is. */
export function messageProblem(answer: string): string | null {
  const message = cleanMessage(answer);
  if (message === "") return "it is empty.";
  const line = subjectOf(answer);
  const parts = FORM.exec(line);
  if (!parts || !TYPES.includes(parts[1]!))
    return `it has not the form type(scope): text with a type of ${TYPES.join(", ")}.`;
  const length = [...line].length;
  return length > MOST_CHARACTERS ? `it has ${length} characters; ${MOST_CHARACTERS} are allowed.` : null;
}

/**
 * The commit message in a model's answer: its first line that says something, without quotes, fences and a full stop, with a
 * type, in lower case at its start and at most 72 characters. Empty when the answer has no text.
 */
export function cleanMessage(answer: string): string {
  const line = subjectOf(answer);
  if (line === "") return "";
  const parts = FORM.exec(line);
  const typed = parts !== null && TYPES.includes(parts[1]!);
  const prefix = typed ? `${parts[1]}${parts[2] ?? ""}${parts[3] ?? ""}` : "chore";
  return shortened(`${prefix}: ${lowerStart(typed ? parts[4]! : line)}`);
}

function subjectOf(answer: string): string {
  // some models think aloud although thinking is off
  const text = answer.replaceAll(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/g, "");
  const lines = text
    .split(/[\r\n\u2028\u2029]+/)
    .filter((line) => !/^\s*(```|~~~)/.test(line))
    .map((line) => unwrapped(line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, " ")))
    .filter((line) => line !== "");
  // a preamble ("Here is the message:") does not count where a line in form follows
  const line = lines.find((candidate) => FORM.test(lowerType(candidate))) ?? lines[0] ?? "";
  return lowerType(line);
}

/** Without the quotes, backticks, stars and list marks around it, and without the full stop at its end. */
function unwrapped(line: string): string {
  let text = line.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, "");
  for (;;) {
    const inner = /^(["'`“”‘’*_]+)([\s\S]*?)\1$/.exec(text)?.[2] ?? /^[“‘]([\s\S]*)[”’]$/.exec(text)?.[1];
    if (inner === undefined || inner.trim() === "") break;
    text = inner.trim();
  }
  return text.replace(/\.+$/, "").trim();
}

function lowerType(line: string): string {
  return line.replace(/^[A-Za-z]+(?=(\([^()\s]+\))?!?:)/, (type) => type.toLowerCase());
}

/** Words that are written in capitals (an acronym, `README`, `ToolContext`) keep them. */
function lowerStart(text: string): string {
  const [first = ""] = /^\S+/.exec(text) ?? [];
  return /^\p{Lu}\P{Lu}*$/u.test(first) ? text[0]!.toLowerCase() + text.slice(1) : text;
}

function shortened(message: string): string {
  const characters = [...message];
  if (characters.length <= MOST_CHARACTERS) return message;
  const cut = characters.slice(0, MOST_CHARACTERS + 1).join("");
  const words = cut.slice(0, cut.lastIndexOf(" "));
  const whole = words.endsWith(":") || words === "" ? characters.slice(0, MOST_CHARACTERS).join("") : words;
  return whole.replace(/[\s,;:.–-]+$/, "");
}
