import type { PiApi } from "./host-types.ts";
import { PiAdapter } from "./pi-adapter.ts";

/**
 * Memory in Pi: the function that Pi calls when it loads this extension. It only registers handlers, opens nothing, and never throws: Pi
 * ends when an extension fails to load. Other programs that load Pi's extensions and have this memory inside name themselves in `pi.host`,
 * and are left alone.
 */
export default function memory(pi: PiApi): void {
  try {
    if (pi.host === undefined || pi.host === "pi") new PiAdapter(pi).register();
  } catch {
    // An API of another shape: Pi goes on without memory.
  }
}
