import type { CommandResult, ParsedArguments } from "../../contract/command.ts";
import { counted } from "../slash/shared/format.ts";
import { numberOption, text } from "./options.ts";
import { sessionData, sessionTable } from "./session-rows.ts";
import type { SessionsPorts } from "./sessions-ports.ts";

const SHOWN = 50;

/** `pi sessions list [--all] [--limit N]`. */
export async function listSessions(
  { options }: ParsedArguments,
  { sessions }: SessionsPorts,
): Promise<CommandResult> {
  const all = options["all"] === true;
  const listed = await sessions.list(all);
  // A program that asks for JSON gets everything, unless it says how much.
  const limit = numberOption(options, "limit") ?? (options["json"] === true ? listed.length : SHOWN);
  const shown = listed.slice(0, limit);
  const rest = listed.length - shown.length;
  const blocks: CommandResult["blocks"] =
    listed.length === 0
      ? [
          text(
            all
              ? "There is no saved session."
              : "This project has no saved session; --all lists those of every project.",
          ),
        ]
      : [
          sessionTable(shown, sessions.clock.now(), all),
          ...(rest > 0
            ? [text(`${counted(rest, "older session")}: --limit ${listed.length} shows all.`)]
            : []),
        ];
  return { exitCode: 0, blocks, data: { sessions: shown.map(sessionData), total: listed.length } };
}
