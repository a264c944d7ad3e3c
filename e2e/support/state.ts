/** Reads what `pi` keeps on disk, with nothing but the file formats. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";

/** A line of `events.jsonl`. */
export interface StoredRecord {
  id: string;
  parent: string | null;
  ts: string;
  type: string;
  message?: { role: string; origin?: string; parts: StoredPart[]; partial?: true };
  values?: Record<string, unknown>;
}

export interface StoredPart {
  type: string;
  id?: string;
  name?: string;
  text?: string;
  isError?: boolean;
  content?: { type: string; text?: string }[];
}

export interface StoredSession {
  id: string;
  folder: string;
  meta: Record<string, unknown>;
  records: StoredRecord[];
}

/** The state folder of a workspace's user. */
export function stateFolder(ws: Workspace): string {
  return join(ws.home, ".pi-go");
}

/** All sessions on disk, oldest first; throws for a line that is no record. */
export function sessionsOf(ws: Workspace): StoredSession[] {
  const root = join(stateFolder(ws), "sessions");
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort()
    .map((id) => {
      const folder = join(root, id);
      return {
        id,
        folder,
        meta: JSON.parse(readFileSync(join(folder, "meta.json"), "utf8")) as Record<string, unknown>,
        records: jsonLines(join(folder, "events.jsonl")) as StoredRecord[],
      };
    });
}

/** The only session; throws when there is not exactly one. */
export function onlySession(ws: Workspace): StoredSession {
  const [session, ...more] = sessionsOf(ws);
  if (session === undefined || more.length > 0)
    throw new Error(`there are ${session === undefined ? 0 : more.length + 1} sessions, not one`);
  return session;
}

/** The messages of a session in order. */
export function messagesOf(session: StoredSession) {
  return session.records.flatMap((record) => (record.message ? [record.message] : []));
}

/** The entries of all log files, oldest file first. */
export function logEntries(ws: Workspace): Record<string, unknown>[] {
  const started = (entries: Record<string, unknown>[]) => String(entries[0]?.["time"]);
  return filesBelow(join(stateFolder(ws), "log"))
    .map((file) => jsonLines(file) as Record<string, unknown>[])
    .sort((one, other) => (started(one) < started(other) ? -1 : 1))
    .flat();
}

/** All files below a folder, absolute, sorted; none when it does not exist. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function jsonLines(file: string): unknown[] {
  const lines = readFileSync(file, "utf8").split("\n");
  if (lines.pop() !== "") throw new Error(`${file} does not end with a newline`);
  return lines.map((line) => JSON.parse(line) as unknown);
}
