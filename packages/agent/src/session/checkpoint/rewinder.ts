import type { FileChange } from "../../contract/checkpoint.ts";
import { PiError } from "../../contract/errors.ts";
import type { UserMessage } from "../../contract/messages.ts";
import { isSaid } from "../left-behind.ts";
import type { Session } from "../session.ts";
import type { TreeNode } from "../session-tree.ts";
import { changesOf, filesOf, readChanges, stretch } from "./file-history.ts";
import { type FileStates, sameState } from "./file-states.ts";
import { type FilePlan, planFile, planMove } from "./move-plan.ts";
import { keepPresent, restoreFiles } from "./restore-files.ts";
import { readTurns, type Turn, type TurnTree, turnsUpTo } from "./tree-turns.ts";

/** Files that the model is told of by name. */
const MOST_NAMED = 50;

/** A place of the tree to go to: before a message of the person (its record), after all that came of it, or a branch's end. */
export type Destination = { turn: string; side: "before" | "after" } | { branch: string };

/** Where a {@link Destination} is. */
interface Found {
  /** The message that it was named by; null for a branch. */
  turn: Turn | null;
  /** The record that it ends with. */
  to: TreeNode | null;
  /** The branch that ends there. */
  branch?: string;
}

/** A message that one can go back to before. */
export interface PromptPoint {
  turn: Turn;
  /** Files that tools changed since, by path. */
  files: string[];
}

/** What going to a place means. */
export interface Move {
  to: TreeNode | null;
  /** The branch that ends there and is switched to; otherwise the current branch's end is moved. */
  branch?: string;
  /** False: the conversation stays, only files are brought back. */
  conversation: boolean;
  /** The files to bring back, out of what {@link Rewinder.plan} gave. */
  restore: readonly FilePlan[];
  /** The rewind that this one takes back. */
  undoes?: string;
  /** What is said of the way that is left, at the place that is gone to. */
  notes?: UserMessage;
}

export interface MoveResult {
  restored: string[];
  failed: { path: string; why: string }[];
}

/** The newest rewind that can be taken back. */
export interface LastRewind {
  id: string;
  to: TreeNode | null;
  branch?: string;
  /** It had moved the conversation. */
  moved: boolean;
  /** Messages of the person that came since. */
  since: number;
  plan: FilePlan[];
}

/** Goes back and forth in a session. Every step is a record or two in the log; nothing is ever removed from it. */
export class Rewinder {
  readonly #session: Session;
  readonly #states: FileStates;

  constructor(session: Session, states: FileStates) {
    this.#session = session;
    this.#states = states;
  }

  /** The whole session. Throws a PiError with a FileErrorCode when the log cannot be read. */
  turns(): TurnTree {
    return readTurns(this.#session);
  }

  /** The messages of the current branch that one can go back to, the latest first. Throws as {@link turns}. */
  prompts(): PromptPoint[] {
    const { tree } = this.#session;
    const { turnOf } = this.turns();
    const noted = stretch(null, tree.head).filter(({ type }) => type === "checkpoint" || type === "rewind");
    const records = this.#session.records(noted);
    const changes = noted.map((node, index) => ({ order: node.order, changes: changesOf(records[index]!) }));
    return turnsUpTo(turnOf(tree.head))
      .filter((turn) => turn.clean)
      .map((turn) => {
        const since = changes.filter(({ order }) => order > turn.node.order).flatMap((each) => each.changes);
        return { turn, files: [...filesOf(since).keys()] };
      })
      .reverse();
  }

  /** The record that a place ends with, and the branch that ends there. Throws PiError `record_missing` or `branch_missing`. */
  find(destination: Destination): Found {
    const { tree } = this.#session;
    if ("branch" in destination) return { turn: null, ...this.#session.branchEnd(destination.branch) };
    const { turn: id, side } = destination;
    const { turnOf } = this.turns();
    const node = tree.nodes.get(id) ?? null;
    const turn = turnOf(node);
    if (turn === null || turn.node !== node)
      throw new PiError({
        code: "record_missing",
        message: `there is no message "${id}" in this session`,
        hint: "/tree shows what is there.",
      });
    if (side === "before") return { turn, to: turn.node.parent };
    if (turnOf(tree.head) === turn) return { turn, to: tree.head };
    const branch = [...tree.branches].find(([, head]) => turnOf(head) === turn);
    return branch === undefined ? { turn, to: turn.end } : { turn, to: branch[1], branch: branch[0] };
  }

  /** What going there would do to files. Throws as {@link turns}. */
  plan(to: TreeNode | null): FilePlan[] {
    return planMove(this.#session, this.#states, this.#session.tree.head, to);
  }

  /** The newest rewind on the current branch that was not taken back; null when there is none. Throws as {@link turns}. */
  last(): LastRewind | null {
    const { tree } = this.#session;
    const rewinds = stretch(null, tree.head).filter(({ type }) => type === "rewind");
    const { turnOf } = this.turns();
    const undone = new Set<string>();
    for (const node of rewinds.reverse()) {
      const [record] = this.#session.records([node]);
      if (record?.type !== "rewind") continue;
      if (typeof record.undoes === "string") undone.add(record.undoes);
      if (typeof record.undoes === "string" || undone.has(node.id)) continue;
      const from = record.from ?? { branch: tree.active, head: null };
      const to = from.head === null ? null : (tree.nodes.get(from.head) ?? null);
      const moved = to !== node.parent || from.branch !== tree.active;
      const plan = readChanges(record.replaced).flatMap(({ path, before, after }) =>
        before ? [planFile(this.#states, path, { here: after, there: before, mixed: false })] : [],
      );
      const since = turnsUpTo(turnOf(tree.head)).filter((turn) => turn.node.order > node.order).length;
      const switched = from.branch !== tree.active && tree.branches.get(from.branch) === to;
      const place = moved ? to : tree.head;
      return { id: node.id, to: place, ...(switched ? { branch: from.branch } : {}), moved, since, plan };
    }
    return null;
  }

  /**
   * Goes there. What stands in the way of the files that are brought back is kept first. Throws a PiError with a FileErrorCode when the
   * log cannot be read; nothing has changed then.
   */
  go({ to, branch, conversation, restore, undoes, notes }: Move): MoveResult {
    const session = this.#session;
    const { tree } = session;
    const from = { branch: tree.active, head: tree.head?.id ?? null };
    const meant = conversation ? this.plan(to) : [];
    const { replaced, failed } = keepPresent(this.#states, restore);
    if (conversation) {
      if (undoes !== undefined && branch !== undefined) this.#takeBack(undoes);
      if (branch !== undefined) session.switchBranch(branch);
      else session.rewind(to?.id ?? null);
    }
    const files = conversation ? differences(meant, replaced) : replaced;
    if (conversation || replaced.length > 0)
      session.note({ type: "rewind", from, files, replaced, ...(undoes === undefined ? {} : { undoes }) });
    if (conversation && notes !== undefined) session.append(notes);
    session.sync();
    const done = restoreFiles(this.#states, replaced);
    if (!conversation && done.done.length > 0) session.append(filesNote(done.done));
    session.sync();
    return { restored: done.done, failed: [...failed, ...done.failed] };
  }

  /** The branch that a rewind led to ends again where it did before, if nothing was said on it since: notes taken along go with it. */
  #takeBack(rewind: string): void {
    const session = this.#session;
    const { tree } = session;
    const node = tree.nodes.get(rewind);
    if (node === undefined) return;
    const since = session.records(stretch(node, tree.head));
    const untouched = since.every((record) => record?.type !== "message" || !isSaid(record.message));
    if (untouched) session.rewind(node.parent?.id ?? null);
  }

  /** Names the place after a message and its answer; an empty name takes it away. */
  label(turn: string, name: string): void {
    this.#session.note({ type: "label", target: turn, name });
    this.#session.sync();
  }
}

/** Tells the model what it cannot know: it still remembers its changes. */
function filesNote(paths: readonly string[]): UserMessage {
  const named = paths.slice(0, MOST_NAMED).join(", ") + (paths.length > MOST_NAMED ? ", …" : "");
  const text = `[The user brought ${paths.length === 1 ? "a file" : `${paths.length} files`} back to an earlier state: ${named}. Read again what you need of that.]`;
  return { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
}

/** How files differ, after `replaced` was done, from what the records say of the place. */
function differences(meant: readonly FilePlan[], replaced: readonly FileChange[]): FileChange[] {
  const put = new Map(replaced.map(({ path, after }) => [path, after]));
  return meant.flatMap(({ path, now, wanted, left, kind }): FileChange[] => {
    const is = put.get(path) ?? now;
    if (sameState(is, wanted)) return [];
    // What somebody else made of it is not the agent's: it counts as not seen.
    const ours = !put.has(path) && kind === "clean" && left !== undefined;
    return [ours ? { path, before: wanted, after: left } : { path, before: wanted }];
  });
}
