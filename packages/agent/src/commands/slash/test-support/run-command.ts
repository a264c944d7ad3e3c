import type { SlashCommand } from "../../../contract/slash-command.ts";
import { type ScriptedAnswer, ScriptedDialogs, wordsOf } from "./scripted-dialogs.ts";

/** How a command is run: the answers to its questions, and Esc. */
export interface RunOptions {
  answers?: readonly ScriptedAnswer[];
  controller?: AbortController;
  onQuestion?: () => void;
}

/** Runs a command with in-memory ports: what it said, whether it failed, and what it asked. */
export async function run<Ports>(
  command: SlashCommand<Ports>,
  argument: string,
  ports: Ports,
  { answers = [], controller = new AbortController(), onQuestion }: RunOptions = {},
) {
  const dialogs = new ScriptedDialogs(answers, onQuestion);
  const { blocks, failed = false } = await command.run(argument, {
    ports,
    dialogs,
    signal: controller.signal,
  });
  return { blocks, failed: failed as boolean, said: wordsOf(blocks), dialogs };
}

/** The values that completing an argument offers. */
export async function completed<Ports>(
  command: SlashCommand<Ports>,
  argument: string,
  ports: Ports,
): Promise<string[]> {
  const found = await command.complete!(argument, ports, new AbortController().signal);
  return found.map((entry) => entry.value);
}
