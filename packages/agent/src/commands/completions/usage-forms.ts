/** What may stand at one place of a command line. */
export interface UsageWord {
  /** Words to choose from; empty for a placeholder. */
  literals: readonly string[];
  /** The name of what is to be filled in, in small letters (`id`, `file`). */
  placeholder?: string;
}

/** One form of a command, e.g. `show ID [--json]`. */
export interface UsageForm {
  words: readonly UsageWord[];
  /** Long options without their dashes. */
  options: readonly string[];
  /** What options take, by name: `html|json|markdown`, `file`. */
  values: ReadonlyMap<string, string>;
}

const OPTION = /--?([A-Za-z][\w-]*)(?:[ =]<?([^\s[\]()<>-][^\s[\]()<>]*)>?)?/g;

/**
 * The forms that a command's usage text names: a line each, after the command's own words. Capitals, `<…>` and a small word in
 * brackets are placeholders; `a|b` are words to choose from; `…` and what stands in parentheses says nothing.
 */
export function usageForms(usage: string, name: string): UsageForm[] {
  const lines = usage
    .replaceAll(/\([^)]*\)/g, "")
    .split(`| pi ${name}`)
    .join("\n")
    .split("\n")
    .map((line) => line.trim())
    .map((line) => (line.startsWith(`pi ${name}`) ? line.slice(`pi ${name}`.length).trim() : line));
  const forms = lines.filter((line, index) => line !== "" || index === 0).map(formOf);
  // "pi sessions [FORM ...]" announces the lines that follow it.
  return lines.length > 1 && /^\[FORM\b/.test(lines[0]!) ? forms.slice(1) : forms;
}

function formOf(line: string): UsageForm {
  const options: string[] = [];
  const values = new Map<string, string>();
  const words = line.replaceAll(OPTION, (_whole, option: string, value: string | undefined) => {
    options.push(option);
    if (value !== undefined) values.set(option, value);
    return "";
  });
  return {
    words: [...words.matchAll(/(\[*)(<?)([^\s[\]<>]+)/g)].flatMap(([, bracket, angle, word]) =>
      wordOf(word!, bracket !== "" || angle !== ""),
    ),
    options,
    values,
  };
}

function wordOf(word: string, mayBePlaceholder: boolean): UsageWord[] {
  if (/^(?:\.\.\.|…)$/.test(word)) return [];
  const choices = word.split("|").filter((choice) => /^[\w-]/.test(choice));
  if (choices.length === 0) return [];
  const literal = choices.length > 1 || !mayBePlaceholder;
  if (literal && choices.every((choice) => choice === choice.toLowerCase())) return [{ literals: choices }];
  return [{ literals: [], placeholder: choices[0]!.toLowerCase() }];
}
