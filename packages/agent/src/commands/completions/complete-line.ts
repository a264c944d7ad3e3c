import type { CommandDefinition } from "../../contract/command.ts";
import { type UsageForm, type UsageWord, usageForms } from "./usage-forms.ts";
import { type ValueKind, valueKind } from "./value-kind.ts";

/** A flag of `pi` itself, as its table has it. */
export interface CompletedFlag {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly hidden?: boolean;
  readonly summary: string;
}

export interface Candidate {
  value: string;
  /** One line; empty where there is nothing to say. */
  description: string;
}

/** What a line is completed from. */
export interface CompletionSources {
  flags: readonly CompletedFlag[];
  commands: readonly Pick<CommandDefinition<never>, "name" | "summary" | "usage" | "options">[];
  /** What can stand for a kind of value now. */
  values(kind: Exclude<ValueKind, "files">): Promise<readonly Candidate[]>;
}

/** What may follow. `files`: names of files may, which the shell knows best. */
export interface Completion {
  candidates: Candidate[];
  files: boolean;
}

interface Option {
  name: string;
  summary: string;
  short?: string;
  /** What it takes, as it is written in help; absent: nothing. */
  value?: string;
  repeatable?: boolean;
}

const NOTHING: Completion = { candidates: [], files: false };
const FILES: Completion = { candidates: [], files: true };

/** Completes the last word of `words`, which are those after `pi`; that word may be empty. */
export async function completeLine(
  words: readonly string[],
  sources: CompletionSources,
): Promise<Completion> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const command = sources.commands.find(({ name }) => name === before[0]);
  const forms = command === undefined ? [] : usageForms(command.usage, command.name);
  const typed = readWords(command === undefined ? before : before.slice(1), (name) =>
    optionsOf(command, forms, sources.flags).find((option) => option.name === name || option.short === name),
  );
  // What follows `--` is the text of a prompt.
  if (typed.ended) return FILES;
  const fitting = forms.filter((form) => fits(form, typed.words));
  const options = optionsOf(command, fitting, sources.flags);
  if (typed.open !== undefined) return within(await choicesFor(typed.open, "", sources), current);
  const inline = /^--([A-Za-z][\w-]*)=/.exec(current);
  if (inline !== null) {
    const option = options.find(({ name }) => name === inline[1]);
    return option?.value === undefined
      ? NOTHING
      : within(await choicesFor(option, inline[0], sources), current);
  }
  if (current.startsWith("-")) return within(optionNames(options, typed.used), current);
  if (command !== undefined) return within(await nextWord(fitting, typed.words.length, sources), current);
  // Only the first word of all can be a command; any other belongs to a prompt.
  if (before.length > 0) return FILES;
  const names = sources.commands.map(({ name, summary }) => ({ value: name, description: summary }));
  return within({ candidates: names, files: false }, current);
}

interface TypedWords {
  words: string[];
  /** Long names of the options so far. */
  used: Set<string>;
  /** The option that the next word is the value of. */
  open: Option | undefined;
  ended: boolean;
}

function readWords(before: readonly string[], find: (name: string) => Option | undefined): TypedWords {
  const typed: TypedWords = { words: [], used: new Set(), open: undefined, ended: false };
  for (const word of before)
    if (typed.open !== undefined) typed.open = undefined;
    else if (word === "--") return { ...typed, ended: true };
    else if (word.startsWith("--")) {
      const [name = ""] = word.slice(2).split("=", 1);
      typed.used.add(name);
      const option = find(name);
      if (!word.includes("=") && option?.value !== undefined) typed.open = option;
    } else if (word.startsWith("-") && word !== "-") {
      const option = find(word.slice(1));
      if (option?.value !== undefined) typed.open = option;
      typed.used.add(option?.name ?? "");
    } else typed.words.push(word);
  return typed;
}

function fits({ words }: UsageForm, typed: readonly string[]): boolean {
  return typed.every((word, index) => {
    const place = words[index] ?? words.at(-1);
    return place === undefined || place.placeholder !== undefined || place.literals.includes(word);
  });
}

/** The command's own options that these forms have, then the flags of `pi`. */
function optionsOf(
  command: CompletionSources["commands"][number] | undefined,
  forms: readonly UsageForm[],
  flags: readonly CompletedFlag[],
): Option[] {
  const values = new Map(forms.flatMap((form) => [...form.values]));
  const named = new Set(forms.flatMap((form) => form.options));
  const all = command === undefined ? [] : usageForms(command.usage, command.name);
  const known = new Set(all.flatMap((form) => form.options));
  const own = (command?.options ?? [])
    .filter(({ name, short = name }) => {
      const isOfForms = named.has(name) || named.has(short);
      // What no form names goes with all of them.
      return isOfForms || !(known.has(name) || known.has(short));
    })
    .map(({ name, summary, short, kind }) => ({
      name,
      summary,
      ...(short === undefined ? {} : { short }),
      ...(kind === "value" ? { value: values.get(name) ?? name } : {}),
    }));
  const others = flags.filter(
    ({ name, hidden }) => hidden !== true && !own.some((option) => option.name === name),
  );
  return [...own, ...others];
}

function optionNames(options: readonly Option[], used: ReadonlySet<string>): Completion {
  const left = options.filter(({ name, repeatable }) => repeatable === true || !used.has(name));
  return {
    candidates: left.flatMap(({ name, short, summary }) => [
      { value: `--${name}`, description: summary },
      ...(short === undefined ? [] : [{ value: `-${short}`, description: summary }]),
    ]),
    files: false,
  };
}

async function choicesFor(
  { value = "" }: Option,
  prefix: string,
  sources: CompletionSources,
): Promise<Completion> {
  const choices = value.split("|");
  const found: Completion =
    choices.length > 1
      ? { candidates: choices.map((choice) => ({ value: choice, description: "" })), files: false }
      : await filledIn(value, sources);
  return { ...found, candidates: found.candidates.map((each) => ({ ...each, value: prefix + each.value })) };
}

async function nextWord(
  forms: readonly UsageForm[],
  index: number,
  sources: CompletionSources,
): Promise<Completion> {
  const places = forms.flatMap(({ words }): UsageWord[] =>
    words[index] === undefined ? [] : [words[index]],
  );
  const literals = new Set(places.flatMap(({ literals: choices }) => choices));
  const names = new Set(
    places.flatMap(({ placeholder }) => (placeholder === undefined ? [] : [placeholder])),
  );
  const filled = await Promise.all([...names].map((name) => filledIn(name, sources)));
  return {
    candidates: [
      ...[...literals].map((value) => ({ value, description: "" })),
      ...filled.flatMap(({ candidates }) => candidates),
    ],
    files: filled.some(({ files }) => files),
  };
}

async function filledIn(placeholder: string, sources: CompletionSources): Promise<Completion> {
  const kind = valueKind(placeholder);
  if (kind === undefined) return NOTHING;
  return kind === "files" ? FILES : { candidates: [...(await sources.values(kind))], files: false };
}

function within({ candidates, files }: Completion, current: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)), files };
}
