import { missingCompiled } from "../../extension/pi/compiled/open-compiled.ts";
import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import { systemClock } from "../../platform/clock.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { newId } from "../../platform/ids.ts";
import { createProcessRegistry } from "../../platform/processes/registry.ts";
import { ownProgram } from "../own-program.ts";

/** After this the start is over, and a person reads or writes. */
const WAIT_MS = 3_000;

/** Once in a process: what failed would fail again. What was ended with its conversation may begin anew with the next. */
let begun = false;

/**
 * Has a helper process compile the installed extensions for the next start, a while after this one, when they are not compiled as they
 * are now. Returns what ends that, at the end of the program.
 */
export function compileAhead(
  host: ExtensionHost,
  { home, environment }: { home: HomeFolders; environment: Readonly<Record<string, string | undefined>> },
): () => Promise<void> {
  const files = missingCompiled().map(({ file }) => file);
  // One that does not load as it is must not seem to load another time.
  const failed = host.extensions.some(({ entry, state }) => state === "failed" && files.includes(entry.file));
  if (begun || files.length === 0 || failed) return () => Promise.resolve();
  begun = true;
  let ended = false;
  const over = new AbortController();
  const processes = createProcessRegistry({ environment, ownerId: newId(), clock: systemClock });
  void systemClock
    .sleep(WAIT_MS, over.signal)
    .then(() => {
      if (over.signal.aborted) return;
      const { exited, detachStreams } = processes.start({
        argv: [...ownProgram(), "--compile-extensions", "--", ...files],
        cwd: home.root,
        env: { PI_HOME: home.root },
        label: "compile extensions",
      });
      detachStreams();
      return exited.then(() => {
        ended = true;
      });
    })
    .catch(() => undefined);
  return async () => {
    over.abort();
    if (!ended) begun = false;
    await processes.endAll();
  };
}
