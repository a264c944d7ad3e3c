import type { Usage } from "../../contract/messages.ts";
import type { SlashCommand, SlashOutcome } from "../../contract/slash-command.ts";
import { type ResumePorts, resumeSession } from "./resume.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { count, dollars, moment, oneLine } from "./shared/format.ts";
import { refused, said, table } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface SessionPorts extends ResumePorts {
  session: {
    facts(): SessionFacts;
    /** Keeps a title of the user's; returns it as it was kept (bounded, without secrets). */
    rename(title: string): Promise<string>;
  };
}

/** What there is to say of the session that is open. */
export interface SessionFacts {
  id: string;
  /** The session's folder, fit to be shown; absent when nothing is saved. */
  folder?: string;
  title?: string;
  branch: string;
  branches: number;
  /** Milliseconds since 1970. */
  started: number;
  model?: string;
  cwd: string;
  /** Messages on the current branch, by who wrote them; `results` are those of tools. */
  messages: { user: number; assistant: number; results: number };
  /** All answers on the current branch; `cost_usd` is absent when a price is not known. */
  usage: Usage;
}

/** `/session`: what this session is; `name TITLE` gives it a title, `list` is `/resume`. */
export const sessionCommand: SlashCommand<SessionPorts> = {
  ...slashInfo("session"),
  complete: async (argument) =>
    completeWords(argument, [
      ["name", "give it a title"],
      ["list", "choose another session"],
    ]),
  async run(argument, context) {
    const [word, rest] = firstWord(argument);
    const { session } = context.ports;
    if (word === "") return describe(session.facts());
    if (word === "list") return resumeSession(rest, context);
    if (word !== "name")
      return refused(
        `/session does not know "${word}".`,
        "/session name TITLE names it; /session list lists all.",
      );
    if (rest === "") return refused("A title is missing.", "/session name TITLE");
    return said(`This session is called "${await session.rename(rest)}" now.`);
  },
};

function describe(facts: SessionFacts): SlashOutcome {
  const { messages, usage } = facts;
  const all = messages.user + messages.assistant + messages.results;
  const cached = usage.cache_read + usage.cache_write;
  return {
    blocks: [
      table(
        [],
        [
          ["id", facts.id],
          ["saved in", facts.folder ?? "nothing is saved"],
          ["title", facts.title === undefined ? "none yet: /session name TITLE" : oneLine(facts.title, 200)],
          [
            "branch",
            facts.branches > 1 ? `${facts.branch} (of ${facts.branches}: /branch list)` : facts.branch,
          ],
          ["project", facts.cwd],
          ["started", moment(facts.started)],
          ...(facts.model === undefined ? [] : [["model", facts.model]]),
          [
            "messages",
            `${count(all)}: ${count(messages.user)} yours, ${count(messages.assistant)} of the model, ${count(messages.results)} of tools`,
          ],
          [
            "tokens",
            `${count(usage.total)}: ${count(usage.input + cached)} in (${count(usage.cache_read)} from the cache), ${count(usage.output)} out`,
          ],
          ["cost", costOf(usage)],
        ],
      ),
    ],
  };
}

function costOf(usage: Usage): string {
  if (usage.cost_usd !== undefined) return dollars(usage.cost_usd);
  return usage.total === 0 ? dollars(0) : "not known: the model has no price";
}
