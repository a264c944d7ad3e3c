import type { SessionRow } from "../../commands/sessions/sessions-ports.ts";
import type { ListedSession } from "../../session/listed-session.ts";

/** A session as the commands show it. */
export function rowOf(session: ListedSession): SessionRow {
  const {
    id,
    title,
    cwd,
    created,
    updated,
    mode,
    model,
    provider,
    foreign,
    parent_session: parentSession,
  } = session;
  return {
    id,
    cwd,
    created: Date.parse(created) || 0,
    updated: Date.parse(updated) || 0,
    mode,
    model,
    provider,
    ...(title === undefined ? {} : { title }),
    ...(foreign === undefined ? {} : { foreign }),
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}
