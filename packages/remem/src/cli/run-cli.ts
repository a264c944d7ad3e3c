import { nearestName } from "../runtime/config/nearest-name.ts";
import { EXIT, usageError } from "./cli-error.ts";
import type { CliMemory } from "./cli-memory.ts";
import type { CliWorld } from "./cli-world.ts";
import type { CommandCall, CommandDefinition, CommandOutcome } from "./command.ts";
import { COMMANDS, WAYS_TO_ASK } from "./command-table.ts";
import { describeFailure } from "./describe-failure.ts";
import { render } from "./output/render.ts";
import { safeJson, safeLine, safeText } from "./output/safe-text.ts";
import { type ParsedLine, parseLine } from "./parse-line.ts";

/** Runs one command line and gives the exit code. What fails is told on the world's output; nothing is thrown. */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<number> {
  const json = wantsJson(argv);
  const [name] = argv;
  try {
    if (name === undefined || WAYS_TO_ASK.has(name)) return await answerAbout(argv, world);
    if (!Object.hasOwn(COMMANDS, name)) throw unknownCommand(name, world.program);
    const command = await COMMANDS[name]!();
    const parsed = parseLine(argv.slice(1), command, world.program);
    if (parsed.options["help"] === true) return await help(name, world);
    return await runCommand(command, parsed, world);
  } catch (error) {
    const { code, message, hint, exitCode } = describeFailure(error);
    await world.output.err(`error: ${safeText(message)}\n  ${safeText(hint)}\n`);
    if (json)
      await world.output.out(
        `${safeJson({ command: name ?? null, ok: false, error: { code, message, hint }, notices: [] }, 2)}\n`,
      );
    return exitCode;
  }
}

async function runCommand(command: CommandDefinition, parsed: ParsedLine, world: CliWorld): Promise<number> {
  const { CliMemory } = await import("./cli-memory.ts");
  await using memory = new CliMemory(world);
  const call = callOf(parsed, world, memory);
  const outcome = await runNoting(command, call);
  const notices = [...new Set(memory.notices)];
  const exitCode = outcome.exitCode ?? EXIT.done;
  if (call.json)
    await world.output.out(
      `${safeJson({ command: command.name, ok: exitCode !== EXIT.failed, data: outcome.data, notices }, 2)}\n`,
    );
  else await world.output.out(render(outcome.blocks, world.output));
  return exitCode;
}

/** Tells what a person should know also when the command fails. */
async function runNoting(command: CommandDefinition, call: CommandCall): Promise<CommandOutcome> {
  try {
    return await command.run(call);
  } finally {
    for (const notice of new Set(call.memory.notices))
      await call.world.output.err(`note: ${safeLine(notice)}\n`);
  }
}

function callOf({ words, options }: ParsedLine, world: CliWorld, memory: CliMemory): CommandCall {
  return {
    words,
    world,
    memory,
    json: options["json"] === true,
    flag: (name) => options[name] === true,
    value: (name) => {
      const value = options[name];
      return typeof value === "string" ? value : undefined;
    },
    values: (name) => {
      const value = options[name];
      const list = Array.isArray(value) ? value : [];
      return list.flatMap((one) => String(one).split(",")).filter((one) => one !== "");
    },
  };
}

async function answerAbout([first, second]: readonly string[], world: CliWorld): Promise<number> {
  if (first === "--version" || first === "-V") {
    await world.output.out(`${world.version}\n`);
    return EXIT.done;
  }
  return help(second, world);
}

async function help(name: string | undefined, world: CliWorld): Promise<number> {
  const { overview, commandHelp } = await import("./help.ts");
  if (name !== undefined && !Object.hasOwn(COMMANDS, name)) throw unknownCommand(name, world.program);
  const blocks =
    name === undefined ? await overview(world.program) : commandHelp(await COMMANDS[name]!(), world.program);
  await world.output.out(render(blocks, world.output));
  return EXIT.done;
}

function unknownCommand(name: string, program: string): Error {
  const near = nearestName(name, Object.keys(COMMANDS));
  return usageError(
    `${program} has no command ${JSON.stringify(name)}`,
    near === undefined ? `${program} help lists the commands` : `did you mean ${program} ${near}?`,
  );
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}
