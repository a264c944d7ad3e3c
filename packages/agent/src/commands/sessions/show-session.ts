import type { CommandResult } from "../../contract/command.ts";
import { count, counted, dollars, moment, oneLine } from "../slash/shared/format.ts";
import { text } from "./options.ts";
import { isoTime, sessionData } from "./session-rows.ts";
import type { SessionDetails, SessionsPorts } from "./sessions-ports.ts";

const MOST_PROMPTS = 30;

/** `pi sessions show ID`: what a session is, and what the person said in it. */
export async function showSession(id: string, { sessions }: SessionsPorts): Promise<CommandResult> {
  const found = await sessions.show(id);
  const { prompts } = found;
  const shown = prompts.slice(-MOST_PROMPTS);
  const earlier = prompts.length - shown.length;
  return {
    exitCode: 0,
    blocks: [
      { kind: "table", head: [], rows: rowsOf(found) },
      ...(prompts.length === 0
        ? []
        : [
            text(`\nWhat you said${earlier > 0 ? ` (after ${counted(earlier, "earlier prompt")})` : ""}:`),
            {
              kind: "table" as const,
              head: [],
              rows: shown.map(({ time, text: words }) => [
                time === null ? "" : moment(time),
                oneLine(words, 100),
              ]),
            },
          ]),
      text(
        `\nGo on: pi --session ${found.id}    As a page: pi sessions export ${found.id} --output session.html`,
      ),
    ],
    data: {
      ...sessionData(found),
      folder: found.folder,
      bytes: found.bytes,
      branch: found.branch,
      branches: found.branches.map((branch) => ({ ...branch })),
      messages: { ...found.messages },
      tokens: found.tokens,
      cost_usd: found.costUsd ?? null,
      imported: found.imported ?? null,
      prompts: prompts.map(({ time, text: words }) => ({ time: isoTime(time), text: words })),
    },
  };
}

function rowsOf(found: SessionDetails): string[][] {
  const { messages, branches } = found;
  const all = messages.user + messages.assistant + messages.results;
  const others = branches.filter(({ name }) => name !== found.branch);
  return [
    ["id", found.id],
    ["title", found.title === undefined ? "none" : oneLine(found.title, 200)],
    ["project", found.cwd],
    ["saved in", `${found.folder} (${size(found.bytes)})`],
    ["begun", moment(found.created)],
    ["last used", moment(found.updated)],
    ["mode", found.mode],
    ["model", found.model === "" ? "not known" : `${found.provider}/${found.model}`],
    [
      "messages",
      `${count(all)}: ${count(messages.user)} yours, ${count(messages.assistant)} of the model, ${count(messages.results)} of tools`,
    ],
    ["tokens", count(found.tokens)],
    ["cost", found.costUsd === undefined ? "not known" : dollars(found.costUsd)],
    ["branch", found.branch],
    ...(others.length === 0
      ? []
      : [["other branches", others.map(({ name, messages: own }) => `${name} (${count(own)})`).join(", ")]]),
    ...(found.imported === undefined ? [] : [["imported from", found.imported]]),
  ];
}

/** Bytes for people. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}
