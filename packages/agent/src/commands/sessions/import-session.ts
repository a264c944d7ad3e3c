import type { CommandResult } from "../../contract/command.ts";
import { counted } from "../slash/shared/format.ts";
import { text } from "./options.ts";
import { sessionData, titleOf } from "./session-rows.ts";
import type { SessionsPorts } from "./sessions-ports.ts";

/** `pi sessions import PATH`: another program's session becomes one of ours; the original stays as it is. */
export async function importSession(path: string, { sessions }: SessionsPorts): Promise<CommandResult> {
  const { session, messages, notes } = await sessions.import(path);
  return {
    exitCode: 0,
    blocks: [
      text(`Imported "${titleOf(session)}" with ${counted(messages, "message")} as session ${session.id}.`),
      ...notes.map(text),
      text(`Go on: pi --session ${session.id}`),
    ],
    data: { session: sessionData(session), messages, notes: [...notes] },
  };
}
