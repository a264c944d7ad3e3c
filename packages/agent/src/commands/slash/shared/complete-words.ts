import type { ArgumentCompletion } from "../../../contract/slash-command.ts";

/** A word that an argument may be, and what it means. */
export type WordChoice = readonly [word: string, meaning?: string];

/** The words that begin with what is typed, as completions; letters of either case. */
export function completeWords(argument: string, choices: Iterable<WordChoice>): ArgumentCompletion[] {
  const typed = argument.toLowerCase();
  return [...choices]
    .filter(([word]) => word.toLowerCase().startsWith(typed))
    .map(([word, meaning]) => ({
      value: word,
      label: word,
      ...(meaning === undefined ? {} : { description: meaning }),
    }));
}

/** Splits the first word off an argument. */
export function firstWord(argument: string): [word: string, rest: string] {
  const [, word = "", rest = ""] = /^(\S*)\s*([\s\S]*)$/.exec(argument.trim()) ?? [];
  return [word, rest];
}
