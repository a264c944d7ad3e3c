import type { SlashCommand } from "../../contract/slash-command.ts";
import { counted } from "./shared/format.ts";
import { said } from "./shared/outcome.ts";
import type { SessionStand } from "./shared/session-stand.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ClearPorts {
  session: {
    stand(): SessionStand;
    /** Opens a new, empty conversation with the same model and settings; the old one is closed as it is. Returns the new id. */
    fresh(): Promise<string>;
  };
}

/** `/clear`: a fresh conversation. The old one stays on disk; where it would be lost, the person is asked. */
export const clearCommand: SlashCommand<ClearPorts> = {
  ...slashInfo("clear"),
  async run(_argument, { ports: { session }, dialogs, signal }) {
    const old = session.stand();
    if (old.messages === 0) return said("This conversation is empty already.");
    if (!old.onDisk) {
      const sure = await dialogs.confirm(
        {
          title: `This conversation is not saved: its ${counted(old.messages, "message")} will be lost`,
          yes: "Clear it",
          no: "Keep it",
        },
        signal,
      );
      if (!sure) return said("Nothing was cleared.");
    }
    const id = await session.fresh();
    const begun = `A fresh conversation (${id}): the model knows nothing of what was said.`;
    return old.onDisk
      ? said(
          begun,
          `The old one (${old.id}, ${counted(old.messages, "message")}) is kept; /resume ${old.id} brings it back.`,
        )
      : said(begun);
  },
};
