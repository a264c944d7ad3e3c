import type { ToolResultPart } from "../contract/messages.ts";
import type { TranscriptEntry } from "../contract/transcript.ts";

/** The result of each call in a list of messages, by the call's id; the first one counts. */
export function resultsOf(entries: readonly TranscriptEntry[]): Map<string, ToolResultPart> {
  const results = new Map<string, ToolResultPart>();
  for (const { message } of entries)
    for (const part of message.role === "tool" ? message.parts : [])
      if (!results.has(part.id)) results.set(part.id, part);
  return results;
}

/** Ids of all calls in a list of messages: a result without one is shown by itself. */
export function callsOf(entries: readonly TranscriptEntry[]): Set<string> {
  const calls = new Set<string>();
  for (const { message } of entries)
    for (const part of message.role === "assistant" ? message.parts : [])
      if (part.type === "tool_call") calls.add(part.id);
  return calls;
}
