import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Compactor, CompactorOptions } from "../compactor/compactor.ts";

/** Shorter results are left as they are by the compactor, so it is not loaded for them. Characters. */
const LEAST_CHARACTERS = 2_000;
const MOST_SPILLED_BYTES = 8 * 1024 * 1024;

/** The compactor, loaded when the first result comes that is long enough for it. */
export function lateCompactor(options: CompactorOptions): Compactor {
  let loaded: Compactor | undefined;
  return {
    name: "compactor",
    statistics: () => loaded?.statistics() ?? { tools: [] },
    reset: () => loaded?.reset(),
    async afterTool(call, outcome, signal) {
      if (outcome.text.length < LEAST_CHARACTERS || !options.enabled()) return undefined;
      if (loaded === undefined) {
        const { createCompactor } = await import("../compactor/compactor.ts");
        loaded ??= createCompactor(options);
      }
      return loaded.afterTool(call, outcome, signal);
    },
  };
}

/** Output that was kept in the session's own folder for it, whole; null for any other path, and for what is too large to be looked through. */
export function readSpilled(path: string, folder: string): string | null {
  if (dirname(path) !== folder) return null;
  try {
    const stat = statSync(path);
    return stat.isFile() && stat.size <= MOST_SPILLED_BYTES ? readFileSync(path, "utf8") : null;
  } catch {
    return null; // it was deleted meanwhile; the shortened text still names it
  }
}
