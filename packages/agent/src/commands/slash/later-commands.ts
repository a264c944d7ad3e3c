import type { SlashCommand } from "../../contract/slash-command.ts";
import { refused } from "./shared/outcome.ts";
import { type SlashName, slashInfo } from "./slash-infos.ts";

/** What to do instead, for each command whose part does not exist yet. A line goes away with the command's own file. */
const INSTEAD = {
  plan: "ask for a plan in your prompt, and start pi with --sandbox read-only --tools read,grep,find,ls,tree to be sure that nothing is changed",
  run: "send the spec's text as a prompt",
  login:
    "set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment or in ~/.pi-go/.env, and start pi again",
} as const satisfies Partial<Record<SlashName, string>>;

/** Commands that are known by name and say that they are not there. */
export type LaterName = keyof typeof INSTEAD;

/** A command that says, in one sentence, that this version does not have it and what to do instead. */
export function notYet(name: LaterName): SlashCommand<object> {
  return {
    ...slashInfo(name),
    run: async () => refused(`/${name} is not part of this version: ${INSTEAD[name]}.`),
  };
}
