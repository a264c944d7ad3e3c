import type { CommandBlock } from "../../contract/command.ts";
import type { JsonObject } from "../../contract/json.ts";
import { age, oneLine } from "../slash/shared/format.ts";
import type { SessionRow } from "./sessions-ports.ts";

const MOST_TITLE = 60;
const MOST_FOLDER = 40;

/** Sessions as a table; `folders`: with the project of each. */
export function sessionTable(sessions: readonly SessionRow[], now: number, folders: boolean): CommandBlock {
  return {
    kind: "table",
    head: ["id", "updated", "title", "model", ...(folders ? ["project"] : [])],
    rows: sessions.map((session) => [
      session.id,
      age(session.updated, now),
      titleOf(session),
      session.model,
      ...(folders ? [tail(session.cwd)] : []),
    ]),
  };
}

/** A session's title on one line, with the program that it belongs to or the session that it was a subagent of. */
export function titleOf({ title, foreign, parentSession }: SessionRow): string {
  const words = title === undefined ? "(no title)" : oneLine(title, MOST_TITLE);
  if (parentSession !== undefined) return `${words} (subagent of ${parentSession})`;
  return foreign === undefined ? words : `${words} (of ${foreign})`;
}

/** A session as `--json` gives it; times are ISO 8601. */
export function sessionData(session: SessionRow): JsonObject {
  const { id, title, cwd, created, updated, mode, model, provider, foreign, parentSession } = session;
  return {
    id,
    title: title ?? null,
    cwd,
    created: isoTime(created),
    updated: isoTime(updated),
    mode,
    model,
    provider,
    ...(foreign === undefined ? {} : { foreign }),
    ...(parentSession === undefined ? {} : { parent_session: parentSession }),
  };
}

/** A time as ISO 8601; null for one that is not known. */
export function isoTime(time: number | null): string | null {
  return time === null || !Number.isFinite(time) ? null : new Date(time).toISOString();
}

/** The end of a path says more than its beginning. */
function tail(path: string): string {
  return path.length <= MOST_FOLDER ? path : `…${path.slice(1 - MOST_FOLDER)}`;
}
