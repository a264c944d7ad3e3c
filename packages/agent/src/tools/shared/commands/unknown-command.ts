import type { ToolOutcome } from "../../../contract/tool.ts";
import { failed } from "../outcome.ts";
import { type BackgroundCommands, describe } from "./background-commands.ts";

/** The answer to an id that no background command has, with those that exist. */
export function unknownCommand(id: string, background: BackgroundCommands): ToolOutcome {
  const known = background.list();
  const list = known.length === 0 ? "None was started in this session." : known.map(describe).join("\n");
  return failed(`There is no background command ${JSON.stringify(id)}.\n${list}`, { handle: id });
}
