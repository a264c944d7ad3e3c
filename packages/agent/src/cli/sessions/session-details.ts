import type { SessionDetails } from "../../commands/sessions/sessions-ports.ts";
import { addUsage, noUsage, textOf } from "../../contract/messages.ts";
import type { SessionTranscript } from "../../contract/transcript.ts";
import { createRedactor } from "../../platform/redact.ts";
import { folderSize } from "../../session/folder-size.ts";
import { rowOf } from "./session-row.ts";

/** Of a prompt so much is looked at. */
const MOST_PROMPT = 2_000;

/** What there is to say of a session, counted over its current branch. */
export function detailsOf(transcript: SessionTranscript, folder: string): SessionDetails {
  const { meta, entries, branch, others } = transcript;
  const redactor = createRedactor();
  const messages = { user: 0, assistant: 0, results: 0 };
  const prompts: { time: number | null; text: string }[] = [];
  let usage = noUsage();
  for (const { message, time } of entries)
    if (message.role === "assistant") {
      messages.assistant++;
      usage = addUsage(usage, message.usage);
    } else if (message.role === "tool") messages.results++;
    else if (message.origin === "user" || message.origin === "steering") {
      messages.user++;
      prompts.push({ time, text: redactor.text(textOf(message.parts).slice(0, MOST_PROMPT)) });
    }
  return {
    ...rowOf(meta),
    folder,
    bytes: folderSize(folder),
    branch,
    branches: [
      { name: branch, messages: entries.length },
      ...others.map(({ name, shared, entries: own }) => ({ name, messages: shared + own.length })),
    ],
    messages,
    tokens: usage.total,
    prompts,
    ...(usage.cost_usd === undefined ? {} : { costUsd: usage.cost_usd }),
    ...(meta.imported === undefined ? {} : { imported: meta.imported }),
  };
}
