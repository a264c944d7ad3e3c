import type { Conversation } from "../contract/session.ts";
import type { Session } from "../session/session.ts";

/** The conversation as the loop sees it: `before` is told of each message before it is stored, `after` after that. */
export function watched(
  session: Session,
  { before, after }: Record<"before" | "after", Conversation["append"]>,
): Conversation {
  const append: Conversation["append"] = (message) => {
    before(message);
    session.append(message);
    after(message);
  };
  return Object.create(session, { append: { value: append } }) as Conversation;
}
