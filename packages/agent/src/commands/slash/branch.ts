import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { branchNameProblem } from "./shared/branch-name.ts";
import { completeWords, firstWord, type WordChoice } from "./shared/complete-words.ts";
import { age, count, counted } from "./shared/format.ts";
import { goThere } from "./shared/go-there.ts";
import type { NotesWish } from "./shared/left-notes.ts";
import type { MovePorts } from "./shared/move-port.ts";
import { didYouMean, type NearPort } from "./shared/near-port.ts";
import { refused, said, table } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface BranchPorts extends MovePorts, NearPort {
  branches: {
    /** All branches of this conversation, in the order they were made. */
    list(): readonly BranchSummary[];
    /** Makes a branch that ends where the current one ends now. The current one stays current. */
    create(name: string): Promise<void>;
    /** Goes on with a branch that ends at this very place. */
    switch(name: string): Promise<void>;
    rename(from: string, to: string): Promise<void>;
    /** Takes the name away; the messages stay in the session's log. */
    delete(name: string): Promise<void>;
  };
}

export interface BranchSummary {
  name: string;
  current: boolean;
  messages: number;
  /** Time of its last message, in milliseconds since 1970. */
  updated: number;
}

const STAYS = "The branch stays as it is.";

type Context = SlashContext<BranchPorts>;
type Action = (argument: string, context: Context) => Promise<SlashOutcome>;

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["list", async (_rest, context) => listed(context)],
  ["create", (name, context) => create(name, context)],
  ["switch", (argument, context) => (argument === "" ? pick(context) : switchWith(argument, context))],
  ["rename", (names, context) => rename(names, context)],
  ["delete", (name, context) => remove(name, context)],
]);

/** What may follow the branch that is switched to. */
const HOW: readonly WordChoice[] = [
  ["plain", "nothing goes along"],
  ["summary", "a summary of what you leave goes along; words after it say what to keep"],
];

/** `/branch`: makes, lists, switches, renames and deletes branches of this conversation. Names keep their case. */
export const branchCommand: SlashCommand<BranchPorts> = {
  ...slashInfo("branch"),
  async complete(argument, { branches }) {
    const [word, rest] = firstWord(argument);
    const names = branches.list().map((branch) => branch.name);
    const [name, how] = firstWord(rest);
    if (word === "switch" && rest !== name)
      return completeWords(how, HOW).map((entry) => ({ ...entry, value: `${word} ${name} ${entry.value}` }));
    if (["switch", "rename", "delete"].includes(word) && argument !== word)
      return completeWords(
        rest,
        names.map((name) => [name] as const),
      ).map((entry) => ({
        ...entry,
        value: `${word} ${entry.value}`,
      }));
    return completeWords(
      argument,
      [...ACTIONS.keys(), ...names].map((name) => [name] as const),
    );
  },
  async run(argument, context) {
    const [word, rest] = firstWord(argument);
    if (word === "") return pick(context);
    const action = ACTIONS.get(word);
    if (action !== undefined) return action(rest, context);
    const exists = context.ports.branches.list().some((branch) => branch.name === argument);
    return exists ? switchTo(argument, context) : create(argument, context);
  },
};

function listed({ ports }: Context): SlashOutcome {
  const now = ports.clock.now();
  return {
    blocks: [
      table(
        ["branch", "messages", "last"],
        ports.branches
          .list()
          .map(({ name, current, messages, updated }) => [
            `${current ? "* " : "  "}${name}`,
            count(messages),
            age(updated, now),
          ]),
      ),
    ],
  };
}

async function pick({ ports, dialogs, signal }: Context): Promise<SlashOutcome> {
  const all = ports.branches.list();
  if (all.length === 1)
    return said(
      `"${all[0]!.name}" is the only branch of this conversation.`,
      "/branch NAME makes one at this place.",
    );
  const now = ports.clock.now();
  const name = await dialogs.choose(
    {
      title: "Go on with a branch",
      choices: all.map((branch) => ({
        value: branch.name,
        label: `${branch.name}${branch.current ? " (current)" : ""}`,
        description: `${counted(branch.messages, "message")} · ${age(branch.updated, now)}`,
      })),
      initial: Math.max(
        0,
        all.findIndex((branch) => branch.current),
      ),
    },
    signal,
  );
  return name === null ? said(STAYS) : switchTo(name, { ports, dialogs, signal });
}

async function create(name: string, { ports: { branches } }: Context): Promise<SlashOutcome> {
  const problem = branchNameProblem(name, ACTIONS.keys());
  if (problem !== null) return refused(problem, "/branch NAME makes a branch at this place.");
  const all = branches.list();
  if (all.some((branch) => branch.name === name))
    return refused(`There is a branch "${name}" already.`, `/branch switch ${name} goes on with it.`);
  await branches.create(name);
  await branches.switch(name);
  const from = all.find((branch) => branch.current)?.name ?? "main";
  return said(
    `Branch "${name}" begins here, and this conversation goes on in it; /branch switch ${from} goes back.`,
  );
}

/** `NAME`, `NAME plain` or `NAME summary [FOCUS]`. */
async function switchWith(argument: string, context: Context): Promise<SlashOutcome> {
  const [name, rest] = firstWord(argument);
  const [how, focus] = firstWord(rest);
  if (how === "summary") return switchTo(name, context, { focus: focus === "" ? null : focus });
  if (how === "plain" && focus === "") return switchTo(name, context, "none");
  return how === "" ? switchTo(name, context) : unknown(argument, context.ports);
}

async function switchTo(
  name: string,
  context: Context,
  notes: NotesWish | "ask" = "ask",
): Promise<SlashOutcome> {
  const { ports } = context;
  const branch = ports.branches.list().find((entry) => entry.name === name);
  if (branch === undefined) return unknown(name, ports);
  if (branch.current) return said(`"${name}" is the current branch already.`);
  const view = await ports.moves.look({ branch: name });
  const there = `Branch "${name}" goes on with ${counted(branch.messages, "message")}.`;
  return goThere(view, { where: `branch "${name}"`, there, stay: STAYS, notes }, context);
}

async function rename(names: string, { ports }: Context): Promise<SlashOutcome> {
  const [first, second] = firstWord(names);
  const all = ports.branches.list();
  const from = second === "" ? (all.find((branch) => branch.current)?.name ?? "main") : first;
  const to = second === "" ? first : second;
  if (!all.some((branch) => branch.name === from)) return unknown(from, ports);
  const problem = branchNameProblem(to, ACTIONS.keys());
  if (problem !== null) return refused(problem, "/branch rename [OLD] NEW");
  if (all.some((branch) => branch.name === to))
    return refused(`There is a branch "${to}" already.`, "Choose another name, or /branch delete it first.");
  await ports.branches.rename(from, to);
  return said(`Branch "${from}" is called "${to}" now.`);
}

async function remove(name: string, { ports, dialogs, signal }: Context): Promise<SlashOutcome> {
  if (name === "") return refused("The name of a branch is missing.", "/branch delete NAME");
  const branch = ports.branches.list().find((entry) => entry.name === name);
  if (branch === undefined) return unknown(name, ports);
  if (branch.current)
    return refused(
      `"${name}" is the current branch, which cannot be deleted.`,
      "/branch switch NAME to another one first.",
    );
  const sure = await dialogs.confirm(
    {
      title: `Delete branch "${name}" with ${counted(branch.messages, "message")}?`,
      yes: "Delete",
      no: "Keep",
    },
    signal,
  );
  if (!sure) return said(`Branch "${name}" is kept.`);
  await ports.branches.delete(name);
  return said(`Branch "${name}" was deleted.`);
}

function unknown(name: string, { branches, near }: BranchPorts): SlashOutcome {
  const names = branches.list().map((branch) => branch.name);
  return refused(
    `There is no branch "${name}".`,
    didYouMean(near(name, names), `Branches: ${names.join(", ")}.`),
  );
}
