import { isPiError } from "../../contract/errors.ts";
import type {
  ArgumentCompletion,
  SlashCommand,
  SlashContext,
  SlashOutcome,
} from "../../contract/slash-command.ts";
import { refused, said } from "./shared/outcome.ts";
import { loadSlashCommand } from "./slash-list.ts";
import type { SlashPorts } from "./slash-ports.ts";
import { unknownCommand } from "./unknown-command.ts";

/** A line that began with a slash. */
export interface SlashLine {
  /** Without the slash. */
  name: string;
  /** What follows the name. */
  argument: string;
  /** Waits until no run is in progress; false when the person stopped that. */
  idle(): Promise<boolean>;
}

/**
 * Runs a command, one that would disturb the run in progress after it. An unknown name, a PiError and an abort all become outcomes;
 * anything else that is thrown is a defect and is thrown on.
 */
export async function runSlashCommand(
  { name, argument, idle }: SlashLine,
  context: SlashContext<SlashPorts>,
): Promise<SlashOutcome> {
  const { ports, signal } = context;
  const command = (await loadSlashCommand(name)) ?? (await extensionCommand(name, ports));
  if (command === null) return unknownCommand(name, ports.help.commands(), ports);
  if (command.during === "idle" && !(await idle())) return { blocks: [] };
  try {
    return await command.run(argument.trim(), context);
  } catch (error) {
    if (signal.aborted) return said(`/${command.name} was stopped.`);
    if (isPiError(error)) return refused(error.message, error.hint ?? "");
    throw error;
  }
}

/** The command of an extension; null when none has it. */
async function extensionCommand(name: string, ports: SlashPorts): Promise<SlashCommand<SlashPorts> | null> {
  if (!ports.extensions.has(name)) return null;
  const { commandOfExtension } = await import("./extensions.ts");
  return commandOfExtension(name);
}

/** Completions for a command's argument as typed so far; empty when it has none or they cannot be had now. */
export async function completeSlashArgument(
  name: string,
  argument: string,
  ports: SlashPorts,
  signal: AbortSignal,
): Promise<readonly ArgumentCompletion[]> {
  const command = (await loadSlashCommand(name)) ?? (await extensionCommand(name, ports));
  if (command === null) return ports.mcp.completePrompt(name, argument.trimStart(), signal);
  try {
    return (await command.complete?.(argument.trimStart(), ports, signal)) ?? [];
  } catch (error) {
    if (isPiError(error) || signal.aborted) return [];
    throw error;
  }
}
