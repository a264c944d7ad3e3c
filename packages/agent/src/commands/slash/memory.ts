import type { CommandBlock } from "../../contract/command.ts";
import type {
  ArgumentCompletion,
  SlashCommand,
  SlashContext,
  SlashOutcome,
} from "../../contract/slash-command.ts";
import { explained, listed, shown, stand } from "./memory-blocks.ts";
import { forget, review } from "./memory-dialogs.ts";
import type { ListedMemory, MemoryPorts } from "./memory-ports.ts";
import { completeWords, firstWord, type WordChoice } from "./shared/complete-words.ts";
import { oneLine } from "./shared/format.ts";
import { refused, said, text } from "./shared/outcome.ts";
import { whereSaved } from "./shared/settings-port.ts";
import { slashInfo } from "./slash-infos.ts";

type Context = SlashContext<MemoryPorts>;

/** What a word after `/memory` does. `target`: it needs a memory's id (or what `also` offers). */
interface Action {
  meaning: string;
  target?: true;
  also?: readonly WordChoice[];
  run(rest: string, context: Context): Promise<SlashOutcome>;
}

const RECENT = 20;
const FOUND = 20;
const MOST_COMPLETED = 30;

const ACTIONS: Readonly<Record<string, Action>> = {
  status: { meaning: "how memory is: place, numbers, problems", run: (_, { ports }) => stand(ports) },
  explain: {
    meaning: "what was recalled for the last prompt and why, and what was kept",
    run: async (_, { ports: { memory } }) => explained(await memory.explain()),
  },
  search: { meaning: "memories of this project with these words", run: search },
  recent: {
    meaning: "the newest memories",
    run: async (_, { ports: { memory, clock } }) =>
      listed(await memory.recent(RECENT), clock.now(), "Nothing is remembered here yet."),
  },
  show: {
    meaning: "one memory whole, with where it comes from",
    target: true,
    run: async (id, { ports: { memory } }) => shown(await memory.find(id)),
  },
  edit: { meaning: "put another wording in its place", target: true, run: edit },
  forget: {
    meaning: "erase memories for good; shows them first",
    target: true,
    also: [
      ["session", "all of this conversation"],
      ["project", "all of this project"],
    ],
    run: forget,
  },
  review: { meaning: "decide on what waits for a person's word", run: (_, context) => review(context) },
  pin: { meaning: "put it before the model at every start", target: true, run: pin(true) },
  unpin: { meaning: "take that back", target: true, run: pin(false) },
  on: { meaning: "remember and recall again", run: (_, context) => turn(true, context) },
  off: { meaning: "neither remember nor recall", run: (_, context) => turn(false, context) },
};

/** `/memory [ACTION]`: what is remembered, why it was recalled, and changes to it, by a person only. */
export const memoryCommand: SlashCommand<MemoryPorts> = {
  ...slashInfo("memory"),
  async complete(argument, { memory }) {
    const [word, rest] = firstWord(argument);
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (action === undefined || !/\s/.test(argument))
      return completeWords(
        argument,
        Object.entries(ACTIONS).map(([name, { meaning }]) => [name, meaning]),
      );
    if (action.target !== true || !memory.enabled()) return [];
    return targets(word, rest, action.also ?? [], await memory.recent(MOST_COMPLETED));
  },
  async run(argument, context) {
    const [word, rest] = firstWord(argument === "" ? "status" : argument);
    const action = Object.hasOwn(ACTIONS, word.toLowerCase()) ? ACTIONS[word.toLowerCase()] : undefined;
    if (action === undefined)
      return refused(`/memory does not know "${word}".`, `It knows: ${Object.keys(ACTIONS).join(", ")}.`);
    if (action.target === true && rest === "" && action.also === undefined)
      return refused(
        `/memory ${word} needs the id of a memory.`,
        "/memory recent and /memory search show ids.",
      );
    return action.run(rest, context);
  },
};

function targets(
  word: string,
  typed: string,
  also: readonly WordChoice[],
  memories: readonly ListedMemory[],
): ArgumentCompletion[] {
  const ids = memories.map(({ shortId, line }): WordChoice => [shortId, oneLine(line, 60)]);
  return completeWords(typed, [...also, ...ids]).map((entry) => ({
    ...entry,
    value: `${word} ${entry.value}`,
  }));
}

async function search(words: string, { ports: { memory, clock }, signal }: Context): Promise<SlashOutcome> {
  if (words === "")
    return refused("/memory search needs words.", "/memory recent shows the newest memories.");
  const { memories, problems } = await memory.search(words, FOUND, signal);
  const notes: CommandBlock[] = problems.map((problem) => text(`Not looked at: ${problem}.`));
  if (memories.length === 0 && notes.length > 0) return { blocks: notes, failed: true };
  const { blocks } = listed(
    memories,
    clock.now(),
    `Nothing is remembered about "${oneLine(words, 60)}" here.`,
  );
  return { blocks: [...blocks, ...notes] };
}

async function edit(
  argument: string,
  { ports: { memory }, dialogs, signal }: Context,
): Promise<SlashOutcome> {
  const [id, given] = firstWord(argument);
  const old = await memory.find(id);
  if (given === "" && old.text.includes("\n"))
    return refused(
      `Memory ${old.shortId} has several lines, which do not fit into a question.`,
      `/memory edit ${old.shortId} NEW WORDING puts another one in its place.`,
    );
  const wording =
    given || (await dialogs.ask({ title: `Memory ${old.shortId}:`, initial: old.text }, signal));
  if (wording === null || wording.trim() === "" || wording === old.text) return said("Nothing was changed.");
  const now = await memory.edit(old.id, wording.trim());
  return said(
    `Memory ${now} holds from now on; ${old.shortId} is kept as what was said before, and is not recalled any more.`,
  );
}

function pin(pinned: boolean): Action["run"] {
  return async (id, { ports: { memory } }) => {
    const found = await memory.find(id);
    await memory.pin(found.id, pinned);
    return said(
      pinned
        ? `${found.shortId} stands before the model at the start of every session from now on.`
        : `${found.shortId} is recalled like any other memory again.`,
    );
  };
}

async function turn(on: boolean, { ports: { memory, settings } }: Context): Promise<SlashOutcome> {
  const saved = await settings.save(["memory", "enabled"], on);
  memory.switched();
  if (!on)
    return said(
      `From now on nothing is remembered and nothing recalled; what is stored stays as it is (/memory forget erases). ${whereSaved(saved)}`,
    );
  const recall = memory.declared()
    ? "and recalled"
    : "here; it is recalled from the next conversation on (/clear begins one)";
  return said(`What you state and what is done is remembered ${recall}. ${whereSaved(saved)}`);
}
