import type { MovedFile, MovePorts, PlaceView, TreeRow } from "../../../commands/slash/shared/move-port.ts";
import type { FileState } from "../../../contract/checkpoint.ts";
import { PiError } from "../../../contract/errors.ts";
import { type Message, textOf } from "../../../contract/messages.ts";
import { copyCheckpoints } from "../../../session/checkpoint/copy-checkpoints.ts";
import type { FileStates } from "../../../session/checkpoint/file-states.ts";
import type { FilePlan } from "../../../session/checkpoint/move-plan.ts";
import { type LastRewind, type Move, Rewinder } from "../../../session/checkpoint/rewinder.ts";
import { type Turn, type TurnTree, turnsUpTo } from "../../../session/checkpoint/tree-turns.ts";
import { countLeftBehind, leftBehind } from "../../../session/left-behind.ts";
import type { Session } from "../../../session/session.ts";
import { branchNotes } from "./branch-notes.ts";
import { type ConversationPortParts, storeOf } from "./conversation-ports.ts";
import { type FileSide, filesDiff } from "./file-diff.ts";

/** More of a file is not compared for a diff. Bytes. */
const MOST_DIFF_BYTES = 2 * 1024 * 1024;

interface Door {
  session: Session;
  states: FileStates;
  rewinder: Rewinder;
}

/** Going back and forth in the open conversation. */
export function movePort(parts: ConversationPortParts): MovePorts["moves"] {
  const { program, open, redraw } = parts;
  const door = async (): Promise<Door> => {
    const { app } = program;
    if (app === undefined)
      throw new PiError({
        code: "no_session",
        message: "there is no conversation yet",
        hint: "It begins when a model is chosen.",
      });
    const recorder = await app.checkpoints.recorder();
    await recorder.idle();
    const { states } = recorder;
    return { session: app.session, states, rewinder: new Rewinder(app.session, states) };
  };
  /** A view is looked at again when it is carried out: files may have changed meanwhile. */
  const moveOf = (
    { rewinder, session }: Door,
    view: PlaceView,
  ): Omit<Move, "conversation" | "restore"> & { plan: FilePlan[] } => {
    if (view.place === null) {
      const last = rewinder.last();
      if (last !== null) return { to: last.to, undoes: last.id, plan: last.plan, ...branchOf(last) };
      return { to: session.tree.head, plan: [] };
    }
    const { to, branch } = rewinder.find(view.place);
    return { to, plan: rewinder.plan(to), ...branchOf({ branch }) };
  };
  return {
    async prompts() {
      const { rewinder } = await door();
      return rewinder.prompts().map(({ turn, files }) => ({
        turn: turn.node.id,
        text: textOf(turn.message.parts),
        time: turn.time,
        files: files.length,
      }));
    },
    async tree() {
      const { rewinder, session } = await door();
      return rowsOf(rewinder.turns(), session);
    },
    async look(place) {
      const { rewinder, session } = await door();
      const { turn, to, branch } = rewinder.find(place);
      const moves = to !== session.tree.head;
      return {
        place,
        moves: moves || (branch !== undefined && branch !== session.branch),
        leaves: countLeftBehind(session, to),
        files: rewinder.plan(to).flatMap(fileOf),
        ...branchOf({ branch }),
        ...(turn !== null && "side" in place && place.side === "before" ? draftOf(turn.message) : {}),
      };
    },
    async lastRewind() {
      const { rewinder } = await door();
      const last = rewinder.last();
      if (last === null) return null;
      const { moved, since, plan } = last;
      return { place: null, moves: moved, leaves: 0, since, files: plan.flatMap(fileOf), ...branchOf(last) };
    },
    async summarise(view, focus, signal) {
      const it = await door();
      return branchNotes(parts, leftBehind(it.session, moveOf(it, view).to), focus, signal);
    },
    async diff(view, files) {
      const it = await door();
      const wanted = new Set(files.map(({ path }) => path));
      const plans = moveOf(it, view).plan.filter(({ path }) => wanted.has(path));
      return filesDiff(
        plans.map(({ path, now, wanted: to }) => ({
          path,
          from: presentSide(it.states, path, now),
          to: keptSide(it.states, to),
        })),
      );
    },
    async go(view, files, conversation, notes) {
      const it = await door();
      const { plan, ...move } = moveOf(it, view);
      const kinds = new Map(files.map(({ path, kind }) => [path, kind]));
      const restore = plan.filter(({ path, kind }) => kinds.get(path) === kind);
      const { restored, failed } = it.rewinder.go({
        ...move,
        conversation,
        restore,
        ...(notes === undefined ? {} : { notes }),
      });
      redraw("rewind");
      const moved = plan.filter(
        ({ path, kind }) => kinds.has(path) && kinds.get(path) !== kind && kind !== "same",
      );
      return {
        restored: restored.length,
        failed: [
          ...failed,
          ...moved.map(({ path }) => ({ path, why: "it was changed at this very moment" })),
        ],
      };
    },
    async label(turn, name) {
      (await door()).rewinder.label(turn, name);
    },
    async fork(place) {
      const { session, rewinder } = await door();
      if (session.folder === null || session.degraded)
        throw new PiError({
          code: "session_unsaved",
          message: "this conversation is not saved, and only a saved one can be forked",
          hint: "Start pi without --no-session; /branch works here as well.",
        });
      rewinder.find(place);
      session.sync();
      const fork = storeOf(program).fork(session.id, session.meta.mode);
      if (fork.folder !== null) copyCheckpoints(session.folder, fork.folder);
      try {
        await open(fork);
      } catch (thrown) {
        fork.close();
        throw thrown;
      }
      const there = await door();
      const { to, branch } = there.rewinder.find(place);
      there.rewinder.go({ to, ...branchOf({ branch }), conversation: true, restore: [] });
      redraw("fork");
      return fork.id;
    },
  };
}

function branchOf({ branch }: Pick<LastRewind, "branch"> | { branch: string | undefined }): {
  branch?: string;
} {
  return branch === undefined ? {} : { branch };
}

function fileOf({ path, kind, why }: FilePlan): MovedFile[] {
  return kind === "same" ? [] : [{ path, kind, ...(why === undefined ? {} : { why }) }];
}

function draftOf(message: Message): { draft: string; images: boolean } {
  const { parts } = message;
  return { draft: textOf(parts), images: parts.some(({ type }) => type === "image") };
}

function presentSide({ places }: FileStates, path: string, state: FileState): FileSide {
  return { state, bytes: state.kind === "file" ? places.read(path, MOST_DIFF_BYTES) : null };
}

function keptSide({ blobs }: FileStates, state: FileState): FileSide {
  const small = state.kind === "file" && state.size <= MOST_DIFF_BYTES;
  return { state, bytes: small ? blobs.get(state.hash) : null };
}

/** Turns in the order in which they are drawn: ways that lead away first, a step to the right, then the one that is gone on with. */
function rowsOf({ roots, labels, turnOf }: TurnTree, { tree }: Session): TreeRow[] {
  const here = turnOf(tree.head);
  const current = new Set(turnsUpTo(here));
  const branches = new Map<Turn, string[]>();
  for (const [name, head] of tree.branches) {
    const turn = turnOf(head);
    if (turn !== null) branches.set(turn, [...(branches.get(turn) ?? []), name]);
  }
  const rows: TreeRow[] = [];
  const waiting: { turn: Turn; depth: number }[] = [];
  const add = (turns: readonly Turn[], depth: number) => {
    const main = turns.find((turn) => current.has(turn)) ?? turns.at(-1);
    if (main !== undefined) waiting.push({ turn: main, depth });
    for (const turn of [...turns].reverse()) if (turn !== main) waiting.push({ turn, depth: depth + 1 });
  };
  add(roots, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { turn, depth } = next;
    const label = labels.get(turn.node.id);
    const ends = branches.get(turn) ?? [];
    rows.push({
      turn: turn.node.id,
      text: textOf(turn.message.parts),
      time: turn.time,
      depth,
      current: current.has(turn),
      here: turn === here,
      branches: ends,
      ...(label === undefined ? {} : { label }),
      compactions: turn.compactions,
      forks: turn.next.length > 1,
      left: turn.next.length === 0 && ends.length === 0,
      before: turn.clean,
    });
    add(turn.next, depth);
  }
  return rows;
}
