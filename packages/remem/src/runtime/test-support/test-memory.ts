import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import type { Memory, MemoryNotice } from "../memory.ts";
import type { MemoryOptions } from "../memory-options.ts";
import { openMemory } from "../open-memory.ts";

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
  });
}

export const memoryFolder = (space: Workspace): string => join(space.home, ".pi-go/memory");
export const storePath = (space: Workspace): string => join(memoryFolder(space), "claude-mem.db");
