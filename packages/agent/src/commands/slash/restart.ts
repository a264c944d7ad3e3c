import type { SlashCommand } from "../../contract/slash-command.ts";
import { counted } from "./shared/format.ts";
import { said } from "./shared/outcome.ts";
import type { SessionStand } from "./shared/session-stand.ts";
import { slashInfo } from "./slash-infos.ts";

export interface RestartPorts {
  session: { stand(): SessionStand };
  program: {
    /** Ends as `quit` does and starts the same executable with the same flags in its place, with this session. */
    restart(): void;
  };
}

/** `/restart`: pi starts anew and comes back to this conversation; where it cannot, the person is asked. */
export const restartCommand: SlashCommand<RestartPorts> = {
  ...slashInfo("restart"),
  async run(_argument, { ports: { session, program }, dialogs, signal }) {
    const { id, messages, onDisk } = session.stand();
    if (!onDisk && messages > 0) {
      const sure = await dialogs.confirm(
        {
          title: `This conversation is not saved: its ${counted(messages, "message")} will not come back`,
          yes: "Restart without it",
          no: "Stay",
        },
        signal,
      );
      if (!sure) return said("pi was not restarted.");
    }
    program.restart();
    return said(
      onDisk && messages > 0
        ? `pi starts again and comes back with this conversation (${id}).`
        : "pi starts again with an empty conversation.",
    );
  },
};
