import type { CommandResult, ParsedArguments } from "../../contract/command.ts";
import { age, counted, oneLine } from "../slash/shared/format.ts";
import { numberOption, text } from "./options.ts";
import { sessionData, titleOf } from "./session-rows.ts";
import type { SessionsPorts } from "./sessions-ports.ts";

const SHOWN = 20;

/** `pi sessions search WORDS [--limit N] [--full]`: sessions of every project that have these words. Exits with 1 when none has. */
export async function searchSessions(
  words: string,
  { options }: ParsedArguments,
  { sessions }: SessionsPorts,
  signal: AbortSignal,
): Promise<CommandResult> {
  const limit = numberOption(options, "limit") ?? SHOWN;
  const whole = options["full"] === true;
  const { hits, more, unread } = await sessions.search(words, { limit, whole }, signal);
  const now = sessions.clock.now();
  const notes = [
    ...(hits.length === 0 ? [`No session has "${oneLine(words, 80)}".`] : []),
    ...(more ? [`More sessions have these words: --limit ${limit * 5} shows them.`] : []),
    ...(unread > 0
      ? [
          `${counted(unread, "session")} not searched yet: the index takes in a part at each search; --full waits until it has all.`,
        ]
      : []),
  ];
  return {
    exitCode: hits.length === 0 ? 1 : 0,
    blocks: [
      ...hits.map((hit) =>
        text(
          `${hit.id}  ${titleOf(hit)}  (${age(hit.updated, now)}, ${hit.cwd})${hit.snippet === "" ? "" : `\n    ${hit.snippet}`}`,
        ),
      ),
      ...notes.map(text),
    ],
    data: {
      hits: hits.map((hit) => ({ ...sessionData(hit), snippet: hit.snippet, places: hit.places })),
      more,
      unread,
    },
  };
}
