import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { age, counted, oneLine } from "./shared/format.ts";
import { goThere } from "./shared/go-there.ts";
import type { MovePorts } from "./shared/move-port.ts";
import { refused, said } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

const STAYS = "Nothing was changed.";

/** `/rewind`: goes back to before an earlier message, with or without the files; `/rewind undo` takes that back. */
export const rewindCommand: SlashCommand<MovePorts> = {
  ...slashInfo("rewind"),
  complete: async (argument) => completeWords(argument, [["undo", "take the last rewind back"]]),
  async run(argument, context) {
    const word = argument.toLowerCase();
    if (word === "undo") return undo(context);
    if (word !== "")
      return refused(`/rewind does not know "${oneLine(argument, 80)}".`, "/rewind or /rewind undo");
    return back(context);
  },
};

async function back(context: SlashContext<MovePorts>): Promise<SlashOutcome> {
  const { ports, dialogs, signal } = context;
  const all = await ports.moves.prompts();
  if (all.length === 0) return said("There is no message yet that one could go back to.");
  const now = ports.clock.now();
  const chosen = await dialogs.choose(
    {
      title: "Go back to before a message",
      choices: all.map((prompt) => ({
        value: prompt,
        label: oneLine(prompt.text, 120) || "(pictures only)",
        description: [
          age(prompt.time, now),
          prompt.files === 0 ? "no file changed since" : `${counted(prompt.files, "file")} changed since`,
        ].join(" · "),
      })),
      filter: true,
    },
    signal,
  );
  if (chosen === null) return said(STAYS);
  const view = await ports.moves.look({ turn: chosen.turn, side: "before" });
  return goThere(view, { where: `before "${oneLine(chosen.text, 60)}"`, stay: STAYS }, context);
}

async function undo(context: SlashContext<MovePorts>): Promise<SlashOutcome> {
  const { ports, dialogs, signal } = context;
  const last = await ports.moves.lastRewind();
  if (last === null) return refused("There is no rewind on this branch that could be taken back.");
  if (last.since > 0) {
    const sure = await dialogs.confirm(
      {
        title: `Leave the ${counted(last.since, "message")} of yours since the last rewind?`,
        detail: [{ kind: "text", text: "They stay in the session; /tree goes back to them." }],
        yes: "Leave",
        no: "Stay",
      },
      signal,
    );
    if (!sure) return said(STAYS);
  }
  return goThere(last, { where: "where you were before the last rewind", stay: STAYS }, context);
}
