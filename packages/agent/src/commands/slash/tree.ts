import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { age, oneLine } from "./shared/format.ts";
import { goThere } from "./shared/go-there.ts";
import type { MovePorts, TreeRow } from "./shared/move-port.ts";
import { refused, said } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

const STAYS = "You stay where you are.";
const MOST_LABEL = 60;

type Context = SlashContext<MovePorts>;
type Action = "after" | "before" | "fork" | "label";

/** `/tree`: the whole conversation with its forks; goes to any place of it, names places, and begins new sessions there. */
export const treeCommand: SlashCommand<MovePorts> = {
  ...slashInfo("tree"),
  complete: async (argument) => completeWords(argument, [["label", "name the place where you are"]]),
  async run(argument, context) {
    const [word, rest] = firstWord(argument);
    const rows = await context.ports.moves.tree();
    if (word !== "" && word.toLowerCase() !== "label")
      return refused(`/tree does not know "${oneLine(argument, 80)}".`, "/tree or /tree label NAME");
    if (rows.length === 0) return said("Nothing has been said yet.");
    if (word !== "") return labelHere(rest, rows, context);
    return walk(rows, context);
  },
};

async function walk(rows: readonly TreeRow[], context: Context): Promise<SlashOutcome> {
  const { dialogs, signal, ports } = context;
  const now = ports.clock.now();
  const row = await dialogs.choose(
    {
      title: "The conversation",
      choices: rows.map((each) => ({ value: each, label: labelOf(each), description: describe(each, now) })),
      initial: Math.max(
        0,
        rows.findIndex(({ here }) => here),
      ),
      filter: true,
    },
    signal,
  );
  if (row === null) return said(STAYS);
  const words = `"${oneLine(row.text, 60)}"`;
  const action = await dialogs.choose<Action>(
    { title: oneLine(row.text, 120), choices: actionsOf(row) },
    signal,
  );
  if (action === null) return said(STAYS);
  if (action === "label") return askLabel(row, context);
  const side = action === "before" ? "before" : "after";
  if (action === "fork") {
    const id = await ports.moves.fork({ turn: row.turn, side });
    return said(
      `A new session (${id}) begins with everything up to ${words} and its answer.`,
      "Files were not touched; /resume goes back to the old one.",
    );
  }
  const view = await ports.moves.look({ turn: row.turn, side });
  if (!view.moves && view.files.length === 0) return said("You are there already, and no file differs.");
  return goThere(view, { where: `${side} ${words}`, stay: STAYS, notes: "ask" }, context);
}

function actionsOf(row: TreeRow): { value: Action; label: string; description?: string }[] {
  const branch = row.branches.find(() => !row.here);
  const after = row.here
    ? "Bring the files back to how they are meant to be here"
    : branch === undefined
      ? "Go on after its answer"
      : `Switch to branch "${branch}"`;
  return [
    { value: "after", label: after },
    ...(row.before
      ? [{ value: "before" as const, label: "Go back to before it", description: "it becomes your draft" }]
      : []),
    { value: "fork", label: "Begin a new session from here", description: "this one stays as it is" },
    { value: "label", label: row.label === undefined ? "Give it a name" : "Change its name" },
  ];
}

function labelOf({ depth, current, here, text, label }: TreeRow): string {
  const mark = here ? "●" : current ? "○" : "·";
  const name = label === undefined ? "" : `[${oneLine(label, MOST_LABEL)}] `;
  return `${"│ ".repeat(Math.min(depth, 12))}${mark} ${name}${oneLine(text, 120) || "(pictures only)"}`;
}

function describe(row: TreeRow, now: number): string {
  return [
    ...(row.here ? ["you are here"] : []),
    ...row.branches.map((name) => `branch ${name}`),
    ...(row.left ? ["left by going back"] : []),
    ...(row.forks ? ["forks"] : []),
    ...(row.compactions.includes("summary")
      ? ["summarised"]
      : row.compactions.length > 0
        ? ["shortened"]
        : []),
    age(row.time, now),
  ].join(" · ");
}

async function askLabel(row: TreeRow, context: Context): Promise<SlashOutcome> {
  const { dialogs, signal } = context;
  const name = await dialogs.ask(
    { title: "Name of this place (empty: none)", ...(row.label === undefined ? {} : { initial: row.label }) },
    signal,
  );
  return name === null ? said(STAYS) : setLabel(name, row, context);
}

async function labelHere(name: string, rows: readonly TreeRow[], context: Context): Promise<SlashOutcome> {
  const row = rows.find(({ here }) => here);
  if (row === undefined) return refused("There is no message yet where you are.");
  return name === "" ? askLabel(row, context) : setLabel(name, row, context);
}

async function setLabel(given: string, row: TreeRow, { ports }: Context): Promise<SlashOutcome> {
  const name = given.trim().replaceAll(/\s+/g, " ");
  if ([...name].length > MOST_LABEL)
    return refused(`A name has at most ${MOST_LABEL} characters; this one has ${[...name].length}.`);
  await ports.moves.label(row.turn, name);
  const words = `"${oneLine(row.text, 60)}"`;
  return said(
    name === ""
      ? `The place after ${words} has no name now.`
      : `The place after ${words} is called "${name}" now.`,
  );
}
