import type { SessionRow } from "../../commands/sessions/sessions-ports.ts";
import type { ListedSession } from "../../session/listed-session.ts";

/** A session as the commands show it. */
export function rowOf(session: ListedSession): SessionRow {
  const { id, title, cwd, created, updated, mode, model, provider, foreign } = session;
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
  };
}
