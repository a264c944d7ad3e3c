/** Earlier prompts, kept for all projects in one private file in the home folder. */
import { isPiError, type PiError } from "../contract/errors.ts";
import { createRedactor } from "../platform/redact.ts";
import { appendPrompt, PromptHistoryReader, type PromptRecord } from "./prompt-history-file.ts";

export interface PromptHistoryOptions {
  /** E.g. `~/.pi-go/history.jsonl`. It and its folder are made with the first prompt. */
  file: string;
  /** The project folder: an absolute real path. */
  cwd: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** Values that are never written, e.g. the API keys in use. Keys are also known by their form. */
  secrets?: readonly string[];
  /** Told once when the file cannot be read or written. Prompts of this process are kept in memory all the same. */
  onProblem?(problem: PiError): void;
}

export interface PromptHistory {
  /** Earlier prompts, each once, the latest last: those of this project stand behind all others, so that they are reached first. */
  entries(): string[];
  /** Adds a prompt. Secrets in it are replaced by `[redacted]`; one of more than 100,000 characters is not kept. */
  add(text: string): void;
  /** Prompts that have every word of `query` in them, in any case of letters, the latest first. `all`: also those of other projects. */
  search(query: string, all?: boolean): string[];
}

const MOST_ENTRIES = 1000;
const MOST_CHARACTERS = 100_000;

/** Opens the history; nothing is read before it is asked for. Nothing here throws. */
export function openPromptHistory(options: PromptHistoryOptions): PromptHistory {
  const redactor = createRedactor(options.secrets);
  const ours = (record: PromptRecord) => record.cwd === options.cwd;
  const reader = new PromptHistoryReader(
    options.file,
    (records) => records.filter(ours).length >= MOST_ENTRIES,
  );
  /** Prompts that could not be written. */
  const unwritten: PromptRecord[] = [];
  let told = false;

  const attempt = <T>(action: () => T, otherwise: T): T => {
    try {
      return action();
    } catch (thrown) {
      if (!isPiError(thrown)) throw thrown;
      if (!told) options.onProblem?.(thrown);
      told = true;
      return otherwise;
    }
  };
  const records = () => [...attempt(() => reader.records(), []), ...unwritten];
  const newestFirst = (wanted: (record: PromptRecord) => boolean): string[] => {
    const texts = new Set<string>();
    const all = records();
    for (let index = all.length - 1; index >= 0 && texts.size < MOST_ENTRIES; index--)
      if (wanted(all[index]!)) texts.add(all[index]!.text);
    return [...texts];
  };

  return {
    entries() {
      const own = newestFirst(ours);
      const others = newestFirst((record) => !ours(record)).slice(0, MOST_ENTRIES - own.length);
      return [...new Set([...own, ...others])].reverse();
    },
    add(text) {
      const kept = redactor.text(text.trim());
      if (kept === "" || kept.length > MOST_CHARACTERS) return;
      const record = { cwd: options.cwd, text: kept, time: new Date(options.now()).toISOString() };
      const written = attempt(() => {
        appendPrompt(options.file, record);
        return true;
      }, false);
      if (!written) unwritten.push(record);
    },
    search(query, all = false) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      return newestFirst((record) => {
        if (!all && !ours(record)) return false;
        const text = record.text.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    },
  };
}
