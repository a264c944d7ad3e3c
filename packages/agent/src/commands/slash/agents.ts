import type { CommandBlock } from "../../contract/command.ts";
import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import type { AgentsPorts } from "./agents-ports.ts";
import { listed, typesListed } from "./agents-report.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { oneLine } from "./shared/format.ts";
import { didYouMean } from "./shared/near-port.ts";
import { refused, said, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  show: "read what a subagent said and did",
  stop: "end a subagent; its work is kept",
  apply: "bring its change into your files, not committed",
  merge: "make one commit of its change",
  drop: "forget its branch and worktree",
};
const FORMS = "/agents, /agents list or types, or /agents show, stop, apply, merge or drop ID.";
/** Steps of a transcript; the whole is in its session. */
const MOST_STEPS = 200;

/** `/agents [list | types | show | stop | apply | merge | drop ID]`: subagents as they work, and what became of their work. */
export const agentsCommand: SlashCommand<AgentsPorts> = {
  ...slashInfo("agents"),
  async complete(argument, { agents }) {
    const [word, rest] = firstWord(argument);
    if (!Object.hasOwn(ACTIONS, word))
      return completeWords(argument, [
        ...Object.entries(ACTIONS),
        ["list", "print the list"],
        ["types", "the agents there are"],
      ]);
    const { running, left } = await agents.list();
    const ids = new Map([
      ...left.map(({ id, stat }) => [id, oneLine(stat, 60)] as const),
      ...running.map(({ id, task }) => [id, oneLine(task, 60)] as const),
    ]);
    return completeWords(rest, ids).map((entry) => ({ ...entry, value: `${word} ${entry.value}` }));
  },
  async run(argument, context) {
    const { agents } = context.ports;
    const off = agents.off();
    if (off !== null) return refused(`There are no subagents in this run: ${off}.`);
    const [word, id] = firstWord(argument);
    if (word === "") return await shownLive(context);
    if (word === "list" && id === "") return listed(await agents.list());
    if (word === "types" && id === "") return typesListed(await agents.list());
    if (!Object.hasOwn(ACTIONS, word) || id === "")
      return refused(`/agents does not know "${argument}".`, FORMS);
    const { running, left } = await agents.list();
    const known = [...new Set([...running, ...left].map((each) => each.id))];
    if (!known.includes(id))
      return refused(
        `There is no subagent "${id}".`,
        didYouMean(context.ports.near(id, known), "/agents lists all of them."),
      );
    return await act(word, id, context);
  },
};

/** The live list; where there is no screen for it, or nothing to see, the printed one. */
async function shownLive({ ports: { agents }, signal }: SlashContext<AgentsPorts>): Promise<SlashOutcome> {
  const report = await agents.list();
  const empty = report.running.length === 0 && report.left.every(({ busy }) => busy);
  if (agents.live === null || empty) return listed(report);
  await agents.live(signal);
  return { blocks: [] };
}

async function act(word: string, id: string, context: SlashContext<AgentsPorts>): Promise<SlashOutcome> {
  const { agents } = context.ports;
  switch (word) {
    case "show":
      return await shown(id, context);
    case "stop":
      return said(await agents.stop(id));
    case "drop":
      return await drop(id, context);
    default: {
      const { outcome, message } = await (word === "merge" ? agents.merge(id) : agents.apply(id));
      if (outcome === "joined" || outcome === "nothing") return said(message);
      return refused(message, outcome === "conflict" ? `git diff HEAD...pi/${id} shows it.` : "");
    }
  }
}

async function drop(id: string, { ports: { agents }, dialogs, signal }: SlashContext<AgentsPorts>) {
  const { left } = await agents.list();
  const work = left.find((each) => each.id === id);
  if (work === undefined) return refused(`${id} left no branch and no worktree.`);
  if (work.busy) return refused(`${id} is still running.`, `/agents stop ${id} ends it first.`);
  const detail: CommandBlock[] = work.stat === "" ? [] : [text(work.stat)];
  if (work.folder !== null) detail.push(text(`Its worktree goes with everything in it: ${work.folder}`));
  const sure = await dialogs.confirm(
    { title: `Forget the work of ${id}?`, detail, yes: "Forget it", no: "Keep it" },
    signal,
  );
  return said(sure ? await agents.drop(id) : `The work of ${id} is kept.`);
}

async function shown(id: string, { ports: { agents } }: SlashContext<AgentsPorts>): Promise<SlashOutcome> {
  const steps = await agents.transcript(id);
  if (steps === null)
    return refused(`Nothing is kept of what ${id} said.`, "Its session is not on disk, or has not begun.");
  const last = steps.slice(-MOST_STEPS);
  const blocks = last.map(({ who, text: words }) => text(`${who}: ${words}`));
  if (last.length < steps.length)
    blocks.unshift(text(`(the last ${last.length} of ${steps.length} steps; pi sessions show has all)`));
  return { blocks };
}
