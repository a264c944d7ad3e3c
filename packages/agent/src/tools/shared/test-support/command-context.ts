import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import type { ToolContext } from "../../../contract/tool.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createProcessRegistry, type ProcessRegistry } from "../../../platform/processes/registry.ts";
import { createFileDoor } from "../../../sandbox/files/file-door.ts";
import { createShell } from "../../../sandbox/shell/shell.ts";
import { createSpillDoor } from "../../../sandbox/spill.ts";

/** The doors of a tool call that runs commands, on a workspace; all processes end at disposal. */
export interface CommandContext extends AsyncDisposable {
  context: ToolContext;
  processes: ProcessRegistry;
  /** What was shown while commands ran. */
  live(): string;
}

let owners = 0;

/** `parts` replaces doors. The shell is not confined: that has tests of its own. */
export function commandContext(ws: Workspace, parts: Partial<ToolContext> = {}): CommandContext {
  const processes = createProcessRegistry({
    environment: ws.env(),
    ownerId: `tool-${process.pid}-${++owners}`,
    clock: systemClock,
  });
  const home = { user: ws.home, root: join(ws.home, ".pi-go") };
  let shown = "";
  const doors = {
    cwd: ws.path,
    callId: "call",
    sessionId: "session",
    processes,
    files: createFileDoor({ root: ws.path }),
    shell: createShell({ tier: "off", network: true, root: ws.path, home, processes }),
    spill: createSpillDoor(join(ws.home, "output")),
    signal: new AbortController().signal,
    progress(delta: string) {
      shown += delta;
    },
    ...parts,
  };
  return {
    // Commands need neither ledger nor model: those doors are left out on purpose.
    context: doors as unknown as ToolContext,
    processes,
    live: () => shown,
    [Symbol.asyncDispose]: () => processes.endAll(),
  };
}
