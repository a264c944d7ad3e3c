import { textOf } from "../../../contract/messages.ts";
import type { BranchNotes, MovePorts, PlaceView, PromptSummary, TreeRow } from "../shared/move-port.ts";

export const NOW = Date.UTC(2026, 6, 25, 12);

export interface FakeMoves {
  prompts?: readonly PromptSummary[];
  rows?: readonly TreeRow[];
  view?: Partial<PlaceView>;
  last?: (Partial<PlaceView> & { since: number }) | null;
  failed?: readonly { path: string; why: string }[];
  notes?: BranchNotes;
}

/** The message of a summary that was written. */
export const NOTES: BranchNotes = {
  state: "done",
  message: { role: "user", origin: "branch_summary", parts: [{ type: "text", text: "the notes" }] },
};

/** Ports whose `done` tells what they were asked to do. */
export function fakeMoves(fake: FakeMoves) {
  const { prompts = [], rows = [], view = {}, last = null, failed = [], notes = NOTES } = fake;
  const done: string[] = [];
  const base: PlaceView = { place: null, moves: true, leaves: 0, files: [] };
  const ports: MovePorts = {
    clock: { now: () => NOW },
    moves: {
      prompts: async () => prompts,
      tree: async () => rows,
      async look(place) {
        done.push("branch" in place ? `look ${place.branch}` : `look ${place.side} ${place.turn}`);
        return { ...base, place, ...view };
      },
      lastRewind: async () => (last === null ? null : { ...base, ...last }),
      async diff(_view, files) {
        return files.map(({ path }) => `--- a/${path}\n+++ b/${path}`).join("\n");
      },
      async summarise(_view, focus) {
        done.push(`summarise ${focus ?? ""}`.trim());
        return notes;
      },
      async go(_view, files, conversation, message) {
        const what = conversation ? "conversation" : "stays";
        const along = message === undefined ? "" : ` with ${textOf(message.parts)}`;
        done.push(`go ${what} [${files.map(({ path }) => path).join(" ")}]${along}`);
        return { restored: files.length - failed.length, failed };
      },
      async label(turn, name) {
        done.push(`label ${turn} ${name}`);
      },
      async fork(place) {
        done.push(`fork ${place.side} ${place.turn}`);
        return "newid";
      },
    },
    prompts: { setDraft: (text) => void done.push(`draft ${text}`) },
  };
  return { ports, done };
}

export function row(turn: string, more: Partial<TreeRow> = {}): TreeRow {
  return {
    turn,
    text: `prompt ${turn}`,
    time: NOW - 3_600_000,
    depth: 0,
    current: true,
    here: false,
    branches: [],
    compactions: [],
    forks: false,
    left: false,
    before: true,
    ...more,
  };
}
