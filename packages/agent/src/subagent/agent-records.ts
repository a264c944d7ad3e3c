import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { AgentChange } from "../contract/subagents.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { readSmallFile } from "../platform/read-small-file.ts";

/** What another process of the same session needs to go on with a subagent. */
export interface AgentRecord {
  id: string;
  type: string;
  session: string;
  change: AgentChange | null;
}

const ID = /^[A-Za-z][A-Za-z0-9_-]{0,100}$/;

/** Keeps an ended subagent in the session's folder. A disk that refuses costs only the going on after a restart. */
export function keepRecord(team: string, record: AgentRecord): void {
  try {
    mkdirSync(join(team, "ended"), { recursive: true, mode: 0o700 });
    writeFileAtomic(fileOf(team, record.id), JSON.stringify(record), { mode: 0o600, durable: false });
  } catch {
    // its session and its branch are kept all the same
  }
}

/** The record of an id; null when there is none that can be read. */
export function readRecord(team: string, id: string): AgentRecord | null {
  if (!ID.test(id)) return null;
  try {
    const record = JSON.parse(readSmallFile(fileOf(team, id))) as Partial<AgentRecord>;
    if (typeof record.type !== "string" || typeof record.session !== "string") return null;
    return { id, type: record.type, session: record.session, change: record.change ?? null };
  } catch {
    // no such subagent, or half a file
    return null;
  }
}

function fileOf(team: string, id: string): string {
  return join(team, "ended", `${id}.json`);
}
