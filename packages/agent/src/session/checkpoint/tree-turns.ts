import type { Message, UserMessage } from "../../contract/messages.ts";
import type { SessionRecord } from "../../contract/session.ts";
import type { SessionRecords } from "../session-records.ts";
import type { TreeNode } from "../session-tree.ts";

/** A message of the person and what came of it, up to the next one. */
export interface Turn {
  /** The record of the message. */
  node: TreeNode;
  message: UserMessage;
  /** When it was written, in milliseconds since 1970. */
  time: number;
  /** The turn that it follows; null for a first one. */
  parent: Turn | null;
  /** Its last record, on the way that was gone on with (a place that was only gone back to is none). */
  end: TreeNode;
  /** Turns that follow it, in the order of writing; more than one: the conversation forks here. */
  next: Turn[];
  /** Compactions in it that were not undone. */
  compactions: ("shed" | "summary")[];
  /** No call before its message is without its result: one can go back to before it. */
  clean: boolean;
}

export interface TurnTree {
  /** First messages; more than one where somebody went back to the very beginning. */
  roots: Turn[];
  /** The turn that a record belongs to; none for what was written before the first message. */
  turnOf(node: TreeNode | null): Turn | null;
  /** Names given to places, by the id of their turn's message. */
  labels: ReadonlyMap<string, string>;
}

/** What is known of a place while the tree is walked. */
interface Place {
  turn: Turn | null;
  /** Calls that have no result yet. */
  open: ReadonlySet<string>;
  /** It hangs on a place that was gone back to, and nobody went on from it. */
  aside: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Reads the whole session as turns. Throws a PiError with a FileErrorCode when the log cannot be read. */
export function readTurns(log: SessionRecords): TurnTree {
  const nodes = [...log.tree.nodes.values()];
  const records = log.records(nodes);
  const places = new Map<TreeNode, Place>();
  const roots: Turn[] = [];
  const labels = new Map<string, string>();
  const compactions = new Map<string, { turn: Turn; kind: "shed" | "summary" }>();
  const turnOf = (node: TreeNode | null): Turn | null => (node && places.get(node)?.turn) ?? null;
  for (const [index, node] of nodes.entries()) {
    const record = records[index] ?? null;
    const before: Place = (node.parent && places.get(node.parent)) ?? {
      turn: null,
      open: NOTHING,
      aside: false,
    };
    const prompt = promptIn(record);
    if (prompt === null) {
      const place = {
        ...before,
        open: stillOpen(before.open, record),
        aside: before.aside || node.type === "rewind",
      };
      if (place.turn && !place.aside) place.turn.end = node;
      if (record?.type === "label")
        nameTurn(record, turnOf(log.tree.nodes.get(record.target) ?? null), labels);
      else noteCompaction(record, place.turn, compactions);
      places.set(node, place);
      continue;
    }
    const turn: Turn = {
      node,
      message: prompt,
      time: Date.parse(record!.ts),
      parent: before.turn,
      end: node,
      next: [],
      compactions: [],
      clean: before.open.size === 0,
    };
    (before.turn?.next ?? roots).push(turn);
    places.set(node, { turn, open: NOTHING, aside: false });
  }
  for (const { turn, kind } of compactions.values()) turn.compactions.push(kind);
  return { roots, labels, turnOf };
}

/** The turns from the first one to this one. */
export function turnsUpTo(turn: Turn | null): Turn[] {
  const turns: Turn[] = [];
  for (let each = turn; each !== null; each = each.parent) turns.push(each);
  return turns.reverse();
}

/** The message of a person that a record holds. What steers a run in progress belongs to the turn, not to a new one. */
function promptIn(record: SessionRecord | null): UserMessage | null {
  if (record?.type !== "message") return null;
  const { message } = record;
  return message?.role === "user" && message.origin === "user" && Array.isArray(message.parts)
    ? message
    : null;
}

function stillOpen(open: ReadonlySet<string>, record: SessionRecord | null): ReadonlySet<string> {
  if (record?.type !== "message" || !Array.isArray(record.message?.parts)) return open;
  const message: Message = record.message;
  if (message.role === "user") return open;
  const left = new Set(open);
  for (const part of message.parts) {
    if (part.type === "tool_call") left.add(part.id);
    if (part.type === "tool_result") left.delete(part.id);
  }
  return left;
}

/** A name may have been given to any record of a turn. */
function nameTurn(
  { name }: Extract<SessionRecord, { type: "label" }>,
  turn: Turn | null,
  labels: Map<string, string>,
): void {
  if (turn === null) return;
  const given = typeof name === "string" ? name.trim() : "";
  if (given === "") labels.delete(turn.node.id);
  else labels.set(turn.node.id, given);
}

function noteCompaction(
  record: SessionRecord | null,
  turn: Turn | null,
  compactions: Map<string, { turn: Turn; kind: "shed" | "summary" }>,
): void {
  if (record?.type === "compaction" && turn)
    compactions.set(record.id, { turn, kind: record.kind === "shed" ? "shed" : "summary" });
  else if (record?.type === "undo") compactions.delete(String(record.target));
}
