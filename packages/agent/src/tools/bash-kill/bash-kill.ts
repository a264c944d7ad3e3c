import type { ToolDefinition } from "../../contract/tool.ts";
import { type BackgroundCommands, stateOf } from "../shared/commands/background-commands.ts";
import { unknownCommand } from "../shared/commands/unknown-command.ts";
import { empty, found } from "../shared/outcome.ts";
import { bashKillDescription } from "./bash-kill.prompt.ts";

/** Ends a background command; the result holds the output that nobody had read yet. */
export function bashKillTool(options: { background: BackgroundCommands }): ToolDefinition<{ id: string }> {
  return {
    name: "bash-kill",
    kind: "run",
    description: bashKillDescription,
    input: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    aliases: { handle: "id", bash_id: "id", shell_id: "id" },
    serial: true,
    async run(input, context) {
      const command = options.background.get(input.id);
      if (command === undefined) return unknownCommand(input.id, options.background);
      const hadEnded = command.exit !== undefined;
      // Also after its exit: children that it left behind are ended, too.
      await command.end();
      const output = await command.readNew(0, context.signal);
      const state = hadEnded
        ? `${command.id} had ended before (${stateOf(command)})`
        : `${command.id} ended (${stateOf(command)})`;
      const text = output.text === "" ? state : `${state}; output since the last look:\n${output.text}`;
      const details = {
        handle: command.id,
        command: command.command,
        running: false,
        exit_code: command.exit?.code ?? -1,
        stdout: output.stdout,
        stderr: output.stderr,
        truncated: output.cut,
      };
      return hadEnded ? empty(text, details) : found(text, details);
    },
  };
}
