import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { MemoryScope } from "../../core/memory/scope.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { StatefulStore } from "../../core/ports/engine-state.ts";
import { fileError } from "./file-error.ts";
import { MarkdownStore } from "./markdown-store.ts";

export interface MarkdownStoreOptions {
  /** Made when missing, readable by the user only. */
  readonly folder: string;
  readonly clock: Clock;
  /** Where notes hold that do not say it themselves: those that people wrote. */
  readonly scope: MemoryScope;
  readonly newId?: () => string;
}

/** Opens a folder of Markdown notes as a store. Rejects with a StoreError. */
export async function openMarkdownStore(options: MarkdownStoreOptions): Promise<StatefulStore> {
  const { folder, clock, scope } = options;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const newId = options.newId ?? orderedIds(() => clock.now());
    return await MarkdownStore.open({ folder, scope, newId, now: () => clock.now() });
  } catch (error) {
    throw fileError(error);
  }
}

/** Ids in the order they were given, as far as one program goes: notes of one moment keep it when they are read again. */
function orderedIds(now: () => number): () => string {
  let count = 0;
  return () => {
    const time = Math.trunc(now()).toString(36).padStart(9, "0");
    return `m${time}${(count++).toString(36).padStart(5, "0")}${randomBytes(4).toString("hex")}`;
  };
}
