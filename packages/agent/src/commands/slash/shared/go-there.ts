import type { CommandBlock } from "../../../contract/command.ts";
import type { SlashContext, SlashOutcome } from "../../../contract/slash-command.ts";
import { counted, oneLine } from "./format.ts";
import { NO_NOTES, type NotesWish, notesFor } from "./left-notes.ts";
import type { MoveDone, MovedFile, MovePorts, PlaceView } from "./move-port.ts";
import { refused, said, text } from "./outcome.ts";

/** Files that a question or an answer names before it only counts. */
const MOST_NAMED = 12;

type Context = SlashContext<MovePorts>;
type What = "both" | "conversation" | "files";

interface GoWords {
  /** Where that is: "before …". */
  where: string;
  /** A sentence for who does not go. */
  stay: string;
  /** A sentence for who is there; default: "You are" and where. */
  there?: string;
  /** What to do about what is left behind; absent: nothing. */
  notes?: NotesWish | "ask";
}

/** Asks what goes along, shows what happens to files, and goes there. */
export async function goThere(view: PlaceView, words: GoWords, context: Context): Promise<SlashOutcome> {
  const changeable = view.files.filter(({ kind }) => kind !== "lost");
  const what = await askWhat(view, changeable.length, words.where, context);
  if (what === null) return said(words.stay);
  const files = what === "conversation" ? [] : await askFiles(view, changeable, context);
  if (files === null) return said(words.stay);
  if (what === "files" && files.length === 0) return said("No file was changed.", ...lostWords(view));
  const notes = what === "files" ? NO_NOTES : await notesFor(view, words.notes, context);
  if (notes === null) return said(words.stay);
  const { moves, prompts } = context.ports;
  const done = await moves.go(view, files, what !== "files", notes.message);
  if (what !== "files" && view.draft !== undefined) prompts.setDraft(view.draft);
  return outcome(view, what, words, done, notes.words);
}

async function askWhat(
  view: PlaceView,
  files: number,
  where: string,
  { dialogs, signal }: Context,
): Promise<What | null> {
  if (!view.moves) return "files";
  if (files === 0) return "conversation";
  return dialogs.choose<What>(
    {
      title: `Go to ${where}`,
      choices: [
        {
          value: "both",
          label: "Conversation and files",
          description: `${counted(files, "file")} would change`,
        },
        { value: "conversation", label: "Conversation only", description: "files stay as they are now" },
        { value: "files", label: "Files only", description: "the conversation stays as it is" },
      ],
    },
    signal,
  );
}

/** The files to bring back; null when the person does not want to. */
async function askFiles(
  view: PlaceView,
  changeable: readonly MovedFile[],
  { ports, dialogs, signal }: Context,
): Promise<readonly MovedFile[] | null> {
  const outside = changeable.filter(({ kind }) => kind === "outside");
  let files = changeable.filter(({ kind }) => kind === "clean");
  if (outside.length > 0) {
    const overwrite = await dialogs.choose(
      {
        title: `${counted(outside.length, "file")} changed since by something else than pi`,
        detail: namesOf(outside).join("\n"),
        choices: [
          { value: false, label: outside.length === 1 ? "Leave it as it is" : "Leave them as they are" },
          { value: true, label: outside.length === 1 ? "Overwrite it too" : "Overwrite them too" },
        ],
      },
      signal,
    );
    if (overwrite === null) return null;
    if (overwrite) files = [...changeable];
  }
  if (files.length === 0) return files;
  const detail: CommandBlock[] = lostWords(view).map(text);
  detail.push({ kind: "diff", text: await ports.moves.diff(view, files) });
  const sure = await dialogs.confirm(
    { title: `Change ${counted(files.length, "file")} like this?`, detail, yes: "Change", no: "Cancel" },
    signal,
  );
  return sure ? files : null;
}

function outcome(
  view: PlaceView,
  what: What,
  { where, there }: GoWords,
  done: MoveDone,
  notes: readonly string[],
): SlashOutcome {
  const parts: string[] = [];
  if (what === "files") parts.push(`${counted(done.restored, "file")} changed; the conversation stays.`);
  else {
    const files =
      what === "both"
        ? `${counted(done.restored, "file")} changed.`
        : view.files.length > 0
          ? "Files were not touched."
          : "";
    const on = view.branch === undefined ? "" : ` on branch "${view.branch}"`;
    parts.push([there ?? `You are ${where}${on}.`, files].filter((part) => part !== "").join(" "));
  }
  parts.push(...notes);
  if (what !== "files" && view.images === true) parts.push("The draft has no pictures: add them again.");
  if (what !== "conversation") parts.push(...lostWords(view));
  for (const { path, why } of done.failed) parts.push(`${path} was not changed: ${why}`);
  if (view.place !== null) parts.push("/rewind undo takes this back.");
  return done.failed.length > 0 ? refused(parts[0]!, ...parts.slice(1)) : said(...parts);
}

function lostWords({ files }: PlaceView): string[] {
  const lost = files.filter(({ kind }) => kind === "lost");
  if (lost.length === 0) return [];
  const named = lost.slice(0, MOST_NAMED).map(({ path, why }) => `${oneLine(path, 200)}: ${why ?? ""}`);
  const more = lost.length > MOST_NAMED ? [`and ${lost.length - MOST_NAMED} more`] : [];
  return [`${counted(lost.length, "file")} cannot be brought back:\n${[...named, ...more].join("\n")}`];
}

function namesOf(files: readonly MovedFile[]): string[] {
  const named = files.slice(0, MOST_NAMED).map(({ path }) => oneLine(path, 200));
  return files.length > MOST_NAMED ? [...named, `and ${files.length - MOST_NAMED} more`] : named;
}
