import type { Memory } from "./memory.ts";
import type { MemoryOptions } from "./memory-options.ts";
import { MemoryRuntime } from "./memory-runtime.ts";

/**
 * Memory for one host in one folder. Returns at once: settings, project and store follow in the background, and a store that is
 * missing is made when something is to be stored. Never throws; a memory that cannot be opened stays silent and says so in one
 * notice. Close it: what waits is stored, or left to the next process.
 */
export function openMemory(options: MemoryOptions): Memory {
  return new MemoryRuntime(options);
}
