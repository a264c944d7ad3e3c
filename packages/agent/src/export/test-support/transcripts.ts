import type { AssistantPart, ImagePart, Message, TextPart } from "../../contract/messages.ts";
import { noUsage } from "../../contract/messages.ts";
import type { SessionTranscript, TranscriptBranch } from "../../contract/transcript.ts";
import { type ExportOptions, exportSession } from "../export-session.ts";

export const NOW = Date.UTC(2026, 6, 1, 12);

export function user(text: string, ...images: ImagePart[]): Message {
  return { role: "user", origin: "user", parts: [{ type: "text", text }, ...images] };
}

export function answer(...parts: (string | AssistantPart)[]): Message {
  return {
    role: "assistant",
    parts: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
    source: { provider: "p", wire: "anthropic", model: "m" },
    usage: noUsage(),
    stop: "end",
  };
}

export function call(id: string, name: string, input: Record<string, string>): AssistantPart {
  return { type: "tool_call", id, name, arguments: input };
}

export function result(id: string, content: string | (TextPart | ImagePart)[], isError = false): Message {
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return { role: "tool", parts: [{ type: "tool_result", id, name: "bash", content: parts, isError }] };
}

export function transcript(
  messages: readonly Message[],
  more: { title?: string; cwd?: string; others?: [name: string, shared: number, messages: Message[]][] } = {},
): SessionTranscript {
  const timed = (list: readonly Message[]) =>
    list.map((message, index) => ({ message, time: NOW + index * 1_000 }));
  const others: TranscriptBranch[] = (more.others ?? []).map(([name, shared, own]) => ({
    name,
    shared,
    entries: timed(own),
  }));
  const time = new Date(NOW).toISOString();
  return {
    meta: {
      id: "abc123",
      app: "pi-ts",
      user: "local",
      cwd: more.cwd ?? "/home/me/project",
      mode: "interactive",
      model: "m",
      provider: "p",
      created: time,
      updated: time,
      title: more.title ?? "A session",
    },
    branch: "main",
    entries: timed(messages),
    others,
  };
}

/** The whole document. */
export function exported(session: SessionTranscript, options: Partial<ExportOptions> = {}): string {
  return [...exportSession(session, { format: "html", redact: { secrets: [] }, now: NOW, ...options })].join(
    "",
  );
}
