import type { CommandResult, ParsedArguments } from "../../contract/command.ts";
import { text, usage } from "./options.ts";
import { sessionData, titleOf } from "./session-rows.ts";
import type { SessionsPorts } from "./sessions-ports.ts";

/** `pi sessions delete ID [--yes]`: asks first, and deletes nothing unasked. */
export async function deleteSession(
  id: string,
  { options }: ParsedArguments,
  { sessions }: SessionsPorts,
  signal: AbortSignal,
): Promise<CommandResult> {
  const found = await sessions.find(id);
  const what = `session ${found.id}, "${titleOf(found)}", of ${found.cwd}`;
  if (options["yes"] !== true) {
    const answer = await sessions.confirm(`Delete ${what}? It cannot be brought back. [y/N] `, signal);
    if (answer === null)
      throw usage(
        `${what} was not deleted: there is no terminal to ask on`,
        "To delete without a question: --yes",
      );
    if (!answer) return { exitCode: 1, blocks: [text("Nothing was deleted.")], data: { deleted: null } };
  }
  await sessions.remove(found.id);
  return { exitCode: 0, blocks: [text(`Deleted ${what}.`)], data: { deleted: sessionData(found) } };
}
