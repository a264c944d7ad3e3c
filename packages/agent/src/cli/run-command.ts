import type { CommandBlock, CommandDefinition, CommandResult } from "../contract/command.ts";
import { isPiError, PiError } from "../contract/errors.ts";
import { exitCode, type Interruption } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { commandPorts } from "./command-ports.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import type { Place } from "./place.ts";
import type { FoundCommand } from "./sub-commands.ts";

/** Runs a sub-command and prints its result: text and tables, or its data with `--json`. Returns the exit code. */
export async function runCommand(
  found: FoundCommand,
  flags: Flags,
  place: Place,
  streams: Streams,
  interruptions: Interruptions,
): Promise<number> {
  const ports = commandPorts(flags, place, streams, interruptions);
  if (flags.timeoutSeconds !== null) interruptions.limit(flags.timeoutSeconds);
  try {
    const command = found.command as unknown as CommandDefinition<typeof ports>;
    const result = await command.run(found.parsed, ports, interruptions.signal);
    // A command without blocks and data has told all of it itself.
    const told = result.blocks.length === 0 && result.data === undefined;
    await streams.out(
      wantsJson(found, flags) && !told ? `${JSON.stringify(result.data ?? {}, null, 2)}\n` : render(result),
    );
    return wasStopped(interruptions) ? exitCode("aborted", "", interruptions.cause) : result.exitCode;
  } catch (failure) {
    // They may be why it failed: a file of keys that cannot be read, a configuration that is not used.
    for (const { message } of ports.untold()) await streams.err(`warning: ${visibleText(message)}\n`);
    throw wasStopped(interruptions) ? stopped(failure, interruptions.cause) : failure;
  } finally {
    await ports.close();
  }
}

function wasStopped({ signal, cause }: Interruptions): boolean {
  return signal.aborted && cause !== "stdout_closed";
}

/** What a command that was stopped ran into on its way out is no reason of its own. */
function stopped(failure: unknown, cause: Interruption): PiError {
  const told = isPiError(failure) && failure.code === "aborted" ? failure.message : "the command was stopped";
  return new PiError({
    code: "aborted",
    message: cause === "timeout" ? `${told}: the time of --timeout is over` : told,
    exitCode: exitCode("aborted", "", cause),
    cause: failure,
  });
}

function wantsJson(found: FoundCommand, flags: Flags): boolean {
  return found.parsed.options["json"] === true || flags.mode === "json";
}

function render(result: CommandResult): string {
  return result.blocks.map((block) => `${renderBlock(block)}\n`).join("");
}

function renderBlock(block: CommandBlock): string {
  if (block.kind !== "table") return visibleText(block.text);
  const rows = [block.head, ...block.rows].filter((row) => row.length > 0);
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
  return rows
    .map((row) =>
      row
        .map((cell, column) => visibleText(cell) + " ".repeat(widths[column]! - Bun.stringWidth(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
