import type { ToolDefinition } from "../../contract/tool.ts";
import { type BackgroundCommands, stateOf } from "../shared/commands/background-commands.ts";
import { unknownCommand } from "../shared/commands/unknown-command.ts";
import { empty, found } from "../shared/outcome.ts";
import { bashOutputDescription } from "./bash-output.prompt.ts";

const MAX_WAIT_MS = 60_000;

interface BashOutputInput {
  id: string;
  wait?: number;
}

/** Reads what a background command has written since the last look. */
export function bashOutputTool(options: { background: BackgroundCommands }): ToolDefinition<BashOutputInput> {
  return {
    name: "bash-output",
    kind: "inspect",
    description: bashOutputDescription,
    input: {
      type: "object",
      properties: {
        id: { type: "string" },
        wait: { type: "integer", description: "ms to wait for new output, max 60000" },
      },
      required: ["id"],
    },
    aliases: { handle: "id", bash_id: "id", shell_id: "id", wait_ms: "wait" },
    serial: true,
    async run(input, context) {
      const command = options.background.get(input.id);
      if (command === undefined) return unknownCommand(input.id, options.background);
      const wait = Math.min(Math.max(0, input.wait ?? 0), MAX_WAIT_MS);
      const output = await command.readNew(wait, context.signal);
      const details = {
        handle: command.id,
        command: command.command,
        running: command.exit === undefined,
        ...(command.exit === undefined ? {} : { exit_code: command.exit.code ?? -1 }),
        stdout: output.stdout,
        stderr: output.stderr,
        truncated: output.cut,
        elapsed_ms: Math.round(command.elapsedMs()),
      };
      const state = `[${command.id} ${stateOf(command)}]`;
      if (output.text === "") return empty(`no new output\n${state}`, details);
      return found(`${output.text}\n${state}`, details);
    },
  };
}
