import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { HubSession } from "../../contract/session-hub.ts";

/** A command that is carried out here instead of being sent to the model. */
interface OwnCommand {
  description: string;
  hint: string;
  /** Gives what the person is told. */
  run(session: HubSession, argument: string): Promise<string>;
}

const OWN: Readonly<Record<string, OwnCommand>> = {
  compact: {
    description: "replace the older part of the conversation by a summary",
    hint: "what to keep above all",
    async run(session, argument) {
      await session.compact(argument === "" ? undefined : argument);
      return "The older part of the conversation is now a summary.";
    },
  },
};

/** All commands of a session: ours, its skills and templates, and the prompts of its tool servers. */
export function availableCommands(session: HubSession): AvailableCommand[] {
  const own = Object.entries(OWN).map(([name, { description, hint }]) => ({
    name,
    description,
    input: { hint },
  }));
  const others = session
    .commands()
    .filter(({ name }) => !Object.hasOwn(OWN, name))
    .map(({ name, summary, argumentHint }) => ({
      name,
      description: summary,
      ...(argumentHint === "" ? {} : { input: { hint: argumentHint } }),
    }));
  return [...own, ...others];
}

/** The command of ours that a prompt is; null for anything else. */
export function ownCommand(text: string): ((session: HubSession) => Promise<string>) | null {
  const [, name = "", argument = ""] = /^\s*\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  const command = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  return command === undefined ? null : (session) => command.run(session, argument.trim());
}
