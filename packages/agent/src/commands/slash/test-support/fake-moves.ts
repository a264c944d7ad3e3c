import type { MovePorts, PlaceView, PromptSummary, TreeRow } from "../shared/move-port.ts";

export const NOW = Date.UTC(2026, 6, 25, 12);

export interface FakeMoves {
  prompts?: readonly PromptSummary[];
  rows?: readonly TreeRow[];
  view?: Partial<PlaceView>;
  last?: (Partial<PlaceView> & { since: number }) | null;
  failed?: readonly { path: string; why: string }[];
}

/** Ports whose `done` tells what they were asked to do. */
export function fakeMoves({ prompts = [], rows = [], view = {}, last = null, failed = [] }: FakeMoves) {
  const done: string[] = [];
  const base: PlaceView = { place: null, moves: true, files: [] };
  const ports: MovePorts = {
    clock: { now: () => NOW },
    moves: {
      prompts: async () => prompts,
      tree: async () => rows,
      async look(place) {
        done.push(`look ${place.side} ${place.turn}`);
        return { ...base, place, ...view };
      },
      lastRewind: async () => (last === null ? null : { ...base, ...last }),
      async diff(_view, files) {
        return files.map(({ path }) => `--- a/${path}\n+++ b/${path}`).join("\n");
      },
      async go(_view, files, conversation) {
        done.push(
          `go ${conversation ? "conversation" : "stays"} [${files.map(({ path }) => path).join(" ")}]`,
        );
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
