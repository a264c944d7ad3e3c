import type { UserMessage } from "../../../contract/messages.ts";
import type { SlashContext } from "../../../contract/slash-command.ts";
import { counted } from "./format.ts";
import type { MovePorts, PlaceView } from "./move-port.ts";

/** Whether a summary of what is left behind goes along, and what it should keep above all. */
export type NotesWish = "none" | { focus: string | null };

/** What goes along, and what the person is told of it. */
interface Notes {
  message?: UserMessage;
  words: readonly string[];
}

export const NO_NOTES: Notes = { words: [] };

/**
 * Asks whether a summary of what is left goes along, unless that is known, and has it written. Null: the person does not go, or stopped
 * it. A summary that fails keeps nobody: it is told of, and nothing goes along.
 */
export async function notesFor(
  view: PlaceView,
  wish: NotesWish | "ask" | undefined,
  context: SlashContext<MovePorts>,
): Promise<Notes | null> {
  if (view.leaves === 0 || wish === undefined) return NO_NOTES;
  const wanted = wish === "ask" ? await ask(view.leaves, context) : wish;
  if (wanted === null) return null;
  if (wanted === "none") return NO_NOTES;
  const { ports, signal } = context;
  const notes = await ports.moves.summarise(view, wanted.focus, signal);
  if (notes.state === "stopped") return null;
  if (notes.state === "failed") return { words: [`No summary went along: ${notes.why}.`] };
  return { message: notes.message, words: ["A summary of what you left goes along; the model reads it."] };
}

async function ask(leaves: number, { dialogs, signal }: SlashContext<MovePorts>): Promise<NotesWish | null> {
  const choice = await dialogs.choose<"none" | "summary" | "focus">(
    {
      title: `You leave ${counted(leaves, "message")} behind`,
      choices: [
        { value: "none", label: "Just go", description: "the model there knows nothing of them" },
        { value: "summary", label: "Go with a summary of them", description: "asks the model for it first" },
        { value: "focus", label: "Go with a summary that keeps …", description: "you say what matters" },
      ],
    },
    signal,
  );
  if (choice !== "focus") return choice === "summary" ? { focus: null } : choice;
  const focus = await dialogs.ask({ title: "What should the summary keep above all?" }, signal);
  if (focus === null) return null;
  return { focus: focus.trim() === "" ? null : focus.trim() };
}
