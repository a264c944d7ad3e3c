import { release } from "node:os";
import type { UserMessage } from "../contract/messages.ts";
import { textOf } from "../contract/messages.ts";
import type { Session } from "../session/session.ts";
import { environmentNote } from "./system-prompt.ts";

/** Tells the model where it works, before the first message, and again when it changed (another day, another folder). */
export function noteEnvironment(session: Session, cwd: string, sandbox: string): void {
  const text = environmentNote({
    cwd,
    platform: `${process.platform} ${release()}`,
    date: new Date().toISOString().slice(0, 10),
    sandbox,
  });
  const last = session
    .messages()
    .findLast((message) => message.role === "user" && isEnvironmentNote(message));
  if (last && textOf(last.parts) === text) return;
  const reminder: UserMessage = { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
  session.append(reminder);
}

/** Hooks and skills leave reminders of their own. */
function isEnvironmentNote({ origin, parts }: UserMessage): boolean {
  return origin === "reminder" && textOf(parts).startsWith("<environment>");
}
