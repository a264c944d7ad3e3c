import { showHiddenCharacters } from "./hidden-characters.ts";

const MOST_ENTRIES = 1000;

/** Earlier prompts for Up and the search: those sent from this editor, then the ones that were kept. */
export class PromptHistoryList {
  readonly #kept: () => readonly string[];
  #sent: string[] = [];

  /** `kept` gives earlier prompts, the latest last. */
  constructor(kept: () => readonly string[]) {
    this.#kept = kept;
  }

  add(text: string): void {
    if (text !== "")
      this.#sent = [text, ...this.#sent.filter((other) => other !== text)].slice(0, MOST_ENTRIES);
  }

  /** Each once, at most 1,000. A file can hold anything, so what cannot be seen is written out. */
  newestFirst(): string[] {
    const entries = new Set(this.#sent);
    const kept = this.#kept();
    for (let index = kept.length - 1; index >= 0 && entries.size < MOST_ENTRIES; index--)
      entries.add(showHiddenCharacters(kept[index]!).text);
    return [...entries];
  }
}
