import type { ListedExtension } from "../../commands/slash/extensions.ts";
import type { LoadedExtension } from "../../extension/pi/host/loaded-extension.ts";

/** Extensions as lists show them; `shown` makes a path fit to be shown. */
export function listedExtensions(
  extensions: readonly LoadedExtension[],
  shown: (path: string) => string,
): ListedExtension[] {
  return extensions.map(({ entry, state, idle, error, loadMs, tools, commands, faults }) => ({
    name: entry.name,
    file: shown(entry.file),
    state: state === "failed" ? "failed" : idle ? "idle" : "ready",
    ...(error === undefined ? {} : { error }),
    loadMs,
    tools: [...tools.keys()],
    commands: [...commands.keys()],
    faults,
  }));
}
