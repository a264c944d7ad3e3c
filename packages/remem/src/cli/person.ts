import { userInfo } from "node:os";
import type { Actor } from "../core/manager/actor.ts";
import { agentVariable as agentVariableOf } from "../hosts/shared/agent-variables.ts";
import { CliError } from "./cli-error.ts";
import type { CliWorld } from "./cli-world.ts";

/** The variable that says that this shell is an agent's; undefined when none does. */
export function agentVariable({ environment }: Pick<CliWorld, "environment">): string | undefined {
  return agentVariableOf(environment);
}

/**
 * Whether a person sits before this command: it reads from a terminal and writes to one, and no agent says that the shell is its own.
 * An agent has a shell, too, so that being able to run a command is nobody's approval.
 */
export function isPerson(world: CliWorld): boolean {
  return world.input.isTerminal && world.output.isTerminal && agentVariable(world) === undefined;
}

/** Who asks. Only a person at a terminal is `interactive`. */
export function actorOf(world: CliWorld): Actor {
  return { name: userName(world), interactive: isPerson(world) };
}

/** Throws when no person is there to answer for what is asked. */
export function needPerson(world: CliWorld, what: string): void {
  const variable = agentVariable(world);
  if (variable !== undefined) throw notInAgent(variable, what);
  if (!isPerson(world))
    throw new CliError(
      "person_needed",
      `only a person at a terminal may ${what}`,
      "run it in a terminal, with neither its input nor its output piped",
    );
}

/** Throws in a shell that an agent says is its own. */
export function refuseAgent(world: CliWorld, what: string): void {
  const variable = agentVariable(world);
  if (variable !== undefined) throw notInAgent(variable, what);
}

function notInAgent(variable: string, what: string): CliError {
  return new CliError(
    "person_needed",
    `only a person may ${what}, and ${variable} says that this shell is an agent's`,
    "run it in a terminal of your own",
  );
}

/** Asks on the terminal; only `yes` is a yes. */
export async function confirmed(world: CliWorld, question: string): Promise<boolean> {
  await world.output.err(`${question} Type yes to go on: `);
  const answer = await world.input.line();
  return answer?.trim().toLowerCase() === "yes";
}

function userName({ environment }: CliWorld): string {
  const named = environment["USER"] ?? environment["LOGNAME"] ?? environment["USERNAME"];
  if (named !== undefined && named !== "") return named;
  try {
    return userInfo().username;
  } catch {
    // a user without an entry in the system's list
    return "";
  }
}
