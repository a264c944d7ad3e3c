import type { CapturedEntry } from "../../core/capture/captured-entry.ts";
import type { SessionSummary } from "../../core/ports/memory-store.ts";
import type { FolderIdentity } from "../folder-identity.ts";
import type { FileOwner } from "./owner.ts";

/** The first line of an outbox: whose project its entries belong to, since the store may not have been there to say. */
export interface OutboxHeader {
  readonly outbox: 1;
  readonly identity: FolderIdentity;
}

export type OutboxLine =
  | OutboxHeader
  | { readonly entry: CapturedEntry }
  | { readonly summary: SessionSummary }
  | { readonly done: readonly string[] };

const NAME =
  /^(?<pid>\d+)-(?<started>\d+)-(?<machine>[A-Za-z0-9]+)-(?<token>[a-z0-9]+)(?<left>\.left)?\.jsonl$/u;

/** A file's name for an owner. `left`: its owner let go of it, and anybody may take it. */
export function outboxName(owner: FileOwner, token: string, left: boolean): string {
  return `${owner.pid}-${owner.started}-${owner.machine}-${token}${left ? ".left" : ""}.jsonl`;
}

/** The owner that a name tells; undefined for another file. */
export function parseOutboxName(name: string): (FileOwner & { readonly left: boolean }) | undefined {
  const groups = NAME.exec(name)?.groups;
  if (groups === undefined) return undefined;
  return {
    pid: Number(groups["pid"]),
    started: groups["started"]!,
    machine: groups["machine"]!,
    left: groups["left"] !== undefined,
  };
}

/** What an outbox holds that was not stored yet. */
export interface OutboxContent {
  readonly header: OutboxHeader;
  readonly entries: readonly CapturedEntry[];
  /** Of sessions that are over; their project is the header's. */
  readonly summaries: readonly SessionSummary[];
}

/** What an outbox holds that was not stored yet. A torn or damaged line costs that line. Undefined: the header cannot be read. */
export function readOutbox(text: string): OutboxContent | undefined {
  let header: OutboxHeader | undefined;
  const summaries: SessionSummary[] = [];
  const entries = new Map<string, CapturedEntry>();
  for (const line of text.split("\n")) {
    const parsed = parseLine(line);
    if (parsed === undefined) continue;
    if ("outbox" in parsed) header ??= parsed;
    else if ("summary" in parsed) summaries.push(parsed.summary);
    else if ("entry" in parsed) entries.set(parsed.entry.id, parsed.entry);
    else for (const id of parsed.done) entries.delete(id);
  }
  return header === undefined ? undefined : { header, entries: [...entries.values()], summaries };
}

function parseLine(line: string): OutboxLine | undefined {
  if (line === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Torn by a crash.
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { outbox, identity, entry, summary, done } = value as Record<string, unknown>;
  if (outbox === 1 && isIdentity(identity)) return { outbox, identity };
  if (isEntry(entry)) return { entry };
  if (isSummary(summary)) return { summary };
  if (Array.isArray(done)) return { done: done.filter((id) => typeof id === "string") };
  return undefined;
}

function isIdentity(value: unknown): value is FolderIdentity {
  if (typeof value !== "object" || value === null) return false;
  const { aliases, evidence } = value as Record<string, unknown>;
  return Array.isArray(aliases) && typeof evidence === "object" && evidence !== null;
}

function isSummary(value: unknown): value is SessionSummary {
  if (typeof value !== "object" || value === null) return false;
  const { at, ...texts } = value as Record<string, unknown>;
  const parts = ["sessionId", "request", "investigated", "learned", "completed", "nextSteps"];
  return typeof at === "number" && parts.every((part) => typeof texts[part] === "string");
}

function isEntry(value: unknown): value is CapturedEntry {
  if (typeof value !== "object" || value === null) return false;
  const { id, memory } = value as Partial<CapturedEntry>;
  return (
    typeof id === "string" &&
    typeof memory?.text === "string" &&
    typeof memory.kind === "string" &&
    typeof memory.scope?.kind === "string" &&
    typeof memory.provenance?.sessionId === "string"
  );
}
