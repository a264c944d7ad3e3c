import type { Message, UserOrigin } from "../contract/messages.ts";

const ORIGINS: Readonly<Record<UserOrigin, string>> = {
  user: "User",
  steering: "User",
  shell: "User's command",
  reminder: "Note of pi",
  memory: "Memory",
  summary: "Summary",
  branch_summary: "Summary of another branch",
  continue: "Note of pi",
};

/** Who said a message, for people. */
export function speakerOf(message: Message): string {
  if (message.role === "user") return ORIGINS[message.origin] ?? "Note of pi";
  return message.role === "assistant" ? "Assistant" : "Tool";
}

/** True for what pi itself put there. */
export function isNote(message: Message): boolean {
  return message.role === "user" && !["user", "steering", "shell"].includes(message.origin);
}
