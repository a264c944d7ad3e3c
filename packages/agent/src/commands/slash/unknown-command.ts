import type { SlashCommandInfo, SlashOutcome } from "../../contract/slash-command.ts";
import { didYouMean, type NearPort } from "./shared/near-port.ts";
import { refused } from "./shared/outcome.ts";

/** What is said to a name that no command has, with the names that are near. `name` is without the slash. */
export function unknownCommand(
  name: string,
  commands: readonly SlashCommandInfo[],
  ports: NearPort,
): SlashOutcome {
  const known = commands.flatMap((command) => [command.name, ...command.aliases]);
  const near = ports.near(name, known).map((word) => `/${word}`);
  return refused(`There is no command /${name}.`, didYouMean(near, "/help lists all commands."));
}
