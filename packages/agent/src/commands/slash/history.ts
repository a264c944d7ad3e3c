import type { SlashCommand } from "../../contract/slash-command.ts";
import type { ClockPort } from "./shared/clock-port.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { age, oneLine } from "./shared/format.ts";
import { refused, said } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface HistoryPorts extends ClockPort {
  prompts: {
    /** What was sent before, the latest first: in this project, or in every one. */
    earlier(all: boolean, signal: AbortSignal): Promise<readonly EarlierPrompt[]>;
    /** Puts a text into the editor; nothing is sent. */
    setDraft(text: string): void;
  };
}

export interface EarlierPrompt {
  text: string;
  /** Milliseconds since 1970; absent when it was not kept. */
  at?: number;
  /** The project folder it was sent in. */
  cwd?: string;
}

const MOST_SHOWN = 1_000;

/** `/history [all] [words]`: earlier prompts that have all of the words; the chosen one becomes the draft. */
export const historyCommand: SlashCommand<HistoryPorts> = {
  ...slashInfo("history"),
  complete: async (argument) => completeWords(argument, [["all", "prompts of every project"]]),
  async run(argument, { ports, dialogs, signal }) {
    const [first, rest] = firstWord(argument);
    const all = first === "all";
    const query = all ? rest : argument;
    const found = distinct(await ports.prompts.earlier(all, signal)).filter(({ text }) =>
      hasWords(text, query),
    );
    if (found.length === 0)
      return query === ""
        ? said(
            all
              ? "No prompt has been sent yet."
              : "No prompt has been sent in this project yet; /history all has the others.",
          )
        : refused(
            `No earlier prompt has "${oneLine(query, 80)}".`,
            ...(all ? [] : ["/history all WORDS looks in every project."]),
          );
    const now = ports.clock.now();
    const shown = found.slice(0, MOST_SHOWN);
    const text = await dialogs.choose(
      {
        title:
          shown.length < found.length
            ? `Earlier prompts (the latest ${MOST_SHOWN} of ${found.length}; give words to narrow them)`
            : "Earlier prompts",
        choices: shown.map((prompt) => ({
          value: prompt.text,
          label: oneLine(prompt.text, 160),
          description: [
            ...(prompt.at === undefined ? [] : [age(prompt.at, now)]),
            ...(all && prompt.cwd !== undefined ? [prompt.cwd] : []),
          ].join(" · "),
        })),
        filter: true,
      },
      signal,
    );
    if (text === null) return said("Nothing was chosen.");
    ports.prompts.setDraft(text);
    return { blocks: [] };
  },
};

/** Each text once, at its latest place. */
function distinct(prompts: readonly EarlierPrompt[]): EarlierPrompt[] {
  const seen = new Set<string>();
  return prompts.filter(({ text }) => {
    const key = text.trim();
    if (key === "" || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function hasWords(text: string, query: string): boolean {
  const lower = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
