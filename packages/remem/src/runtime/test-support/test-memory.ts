import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { SYSTEM_SCHEDULER } from "../../core/ports/scheduler.ts";
import type { Memory, MemoryNotice } from "../memory.ts";
import type { MemoryOptions } from "../memory-options.ts";
import { openMemory } from "../open-memory.ts";

/** So much longer everything may take than in life: tests are about what comes of it, on machines of any speed. */
const PATIENCE = 20;
/** Below this it is a pause, not a limit. Milliseconds. */
const SHORTEST_LIMIT = 100;

const begun = Date.now();
const PATIENT = {
  clock: { now: () => begun + (Date.now() - begun) / PATIENCE },
  scheduler: {
    ...SYSTEM_SCHEDULER,
    after: (milliseconds: number, task: () => void) =>
      SYSTEM_SCHEDULER.after(milliseconds < SHORTEST_LIMIT ? milliseconds : milliseconds * PATIENCE, task),
  },
};

/** Memory of a workspace with capture on. Notices are collected. */
export function memoryOf(
  space: Workspace,
  more: Partial<MemoryOptions> = {},
  notices: MemoryNotice[] = [],
): Memory {
  return openMemory({
    host: "test",
    cwd: space.path,
    home: space.home,
    environment: space.env(),
    settings: { capture: { enabled: true } },
    onNotice: (notice) => notices.push(notice),
    ...more,
    parts: { ...PATIENT, ...more.parts },
  });
}

export const memoryFolder = (space: Workspace): string => join(space.home, ".pi-go/memory");
export const storePath = (space: Workspace): string => join(memoryFolder(space), "claude-mem.db");
