import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../contract/json.ts";
import { textOf } from "../contract/messages.ts";
import type { SessionMeta, SessionRecord } from "../contract/session.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { readSmallFile } from "../platform/read-small-file.ts";
import { realFolder } from "../platform/real-folder.ts";
import { parseRecord } from "./log-line.ts";
import { newSessionId } from "./session-id.ts";
import { titleFrom } from "./session-title.ts";
import { storedMessage } from "./stored-message.ts";

export const META_FILE = "meta.json";
export const EVENTS_FILE = "events.jsonl";

const FIRST_LINE_BYTES = 64 * 1024;
const MOST_META_BYTES = 1024 * 1024;

export interface NewSession {
  cwd: string;
  mode: string;
  model: string;
  provider: string;
  title?: string;
}

/** `meta.json` of a session that begins now. */
export function newMeta(options: NewSession, now: number): SessionMeta {
  const { mode, model, provider, title } = options;
  const created = new Date(now).toISOString();
  return {
    id: newSessionId(now),
    app: "pi-ts",
    user: "local",
    cwd: realFolder(options.cwd),
    mode,
    model,
    provider,
    created,
    updated: created,
    ...(title !== undefined && { title: titleFrom(title) ?? title }),
  };
}

/** What a session's first record holds, so that a lost `meta.json` costs nothing. */
export function settingsOf({ cwd, mode, model, provider, title }: SessionMeta): JsonObject {
  return { cwd, mode, model, provider, ...(title === undefined ? {} : { title }) };
}

/** `meta.json` of a session folder; where that is missing or broken, what the first record says. Null: no session of ours. */
export function readMeta(folder: string, id: string): SessionMeta | null {
  let text: string;
  try {
    text = readSmallFile(join(folder, META_FILE), MOST_META_BYTES);
  } catch {
    // missing, unreadable or no file of ours: the log is the truth
    return metaFromLog(folder, id);
  }
  try {
    const meta = JSON.parse(text) as Partial<SessionMeta> | null;
    if (meta && typeof meta === "object" && !Array.isArray(meta)) {
      // pi-go's own sessions lie in the same folder and say `appName`.
      if (("app" in meta && meta.app !== "pi-ts") || "appName" in meta) return null;
      if (meta.app === "pi-ts" && typeof meta.cwd === "string" && typeof meta.updated === "string")
        return complete(meta, id);
    }
  } catch {
    // half written or edited by hand: the log is the truth
  }
  return metaFromLog(folder, id);
}

/** Writes `meta.json`; throws a PiError with a FileErrorCode. */
export function writeMeta(folder: string, meta: SessionMeta): void {
  writeFileAtomic(join(folder, META_FILE), `${JSON.stringify(meta, null, 2)}\n`, {
    mode: 0o600,
    durable: false,
  });
}

/** Every session begins with a `setting` record that holds what `meta.json` does. */
function metaFromLog(folder: string, id: string): SessionMeta | null {
  const buffer = Buffer.alloc(FIRST_LINE_BYTES);
  let length: number;
  let written: string;
  try {
    const fd = openSync(join(folder, EVENTS_FILE), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(fd);
      if (!stat.isFile()) return null;
      length = readSync(fd, buffer, 0, buffer.length, 0);
      written = stat.mtime.toISOString();
    } finally {
      closeSync(fd);
    }
  } catch {
    // no log either
    return null;
  }
  if (length === 0) return null;
  const [first, ...rest] = recordsIn(buffer.subarray(0, length));
  const values = first?.type === "setting" ? first.values : {};
  const title = titleIn([first ?? null, ...rest]);
  const meta = { ...pickTexts(values), ...(title === undefined ? {} : { title }) };
  return complete({ ...meta, created: first?.ts ?? written, updated: written }, id);
}

/** The records of whole lines; null for one that cannot be read. */
function recordsIn(bytes: Buffer): (SessionRecord | null)[] {
  const records: (SessionRecord | null)[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    records.push(parseRecord(bytes.subarray(start, end === -1 ? bytes.length : end)));
    start = end === -1 ? bytes.length : end + 1;
  }
  return records;
}

/** The title that a person gave, else what the first prompt makes of one. */
function titleIn(records: readonly (SessionRecord | null)[]): string | undefined {
  let said: string | undefined;
  let given: string | undefined;
  for (const record of records)
    if (record?.type === "message") {
      const message = storedMessage(record.message);
      if (message?.role === "user" && message.origin === "user") said ??= titleFrom(textOf(message.parts));
    } else if (record?.type === "setting") given = pickTexts(record.values ?? {}).title ?? given;
  return given ?? said;
}

function pickTexts(values: object): Partial<SessionMeta> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string"));
}

function complete(meta: Partial<SessionMeta>, id: string): SessionMeta {
  return {
    id,
    app: "pi-ts",
    user: meta.user ?? "local",
    cwd: meta.cwd ?? "",
    mode: meta.mode ?? "",
    model: meta.model ?? "",
    provider: meta.provider ?? "",
    created: meta.created ?? meta.updated ?? "",
    updated: meta.updated ?? "",
    ...(typeof meta.title === "string" && { title: meta.title }),
    ...(typeof meta.imported === "string" && { imported: meta.imported }),
    ...(typeof meta.parent_session === "string" && { parent_session: meta.parent_session }),
    ...(typeof meta.agent === "string" && { agent: meta.agent }),
  };
}
