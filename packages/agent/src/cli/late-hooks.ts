import type { AskDoor } from "../contract/consent.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { ToolContext } from "../contract/tool.ts";
import type { Hooks } from "../extension/hooks/hooks.ts";
import type { Notices } from "./notices.ts";
import type { Settings } from "./run-setup.ts";

/** What hooks are made from. */
export interface HookParts {
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  notices: Notices;
  ask: AskDoor | null;
  doors: Pick<ToolContext, "cwd" | "sessionId" | "files">;
  processes: Pick<ProcessDoor, "run">;
}

const NONE: Hooks = {
  callbacks: [],
  begin: () => undefined,
  end: () => Promise.resolve(),
};

/** The hooks of the configuration. Nothing is loaded when there are none. */
export async function lateHooks(parts: HookParts): Promise<Hooks> {
  const { settings, environment, notices, ask, doors, processes } = parts;
  const { hooks } = settings.config;
  if (hooks.length === 0) return NONE;
  const { createHooks } = await import("../extension/hooks/hooks.ts");
  const { checkPathPattern, openPathPatterns } = await import("../permission/path-pattern.ts");
  const patterns = await openPathPatterns(doors.files);
  return createHooks({
    settings: hooks,
    processes,
    shell: await shellOf(environment),
    cwd: doors.cwd,
    sessionId: doors.sessionId,
    paths: { check: checkPathPattern, matches: (glob, path) => patterns.catches(glob, path) },
    ask,
    fingerprint: (path) => fingerprint(doors.files, path),
    onNotice: (message) => notices.warn(message),
  });
}

/** Bytes of a file that are compared; a larger one is no source text. */
const MOST_COMPARED = 8 * 1024 * 1024;

function fingerprint(files: ToolContext["files"], path: string): string | null {
  try {
    return String(Bun.hash(files.readAll(path, MOST_COMPARED)));
  } catch {
    // gone, or not ours to read
    return null;
  }
}

/** What runs a hook's command line: `sh`, as for pi-go; on Windows the bash that runs commands, too. */
async function shellOf(environment: HookParts["environment"]): Promise<string[]> {
  if (process.platform !== "win32") return ["/bin/sh", "-c"];
  const { findBash } = await import("../sandbox/shell/bash-program.ts");
  return [findBash(environment["PATH"] ?? ""), "-c"];
}
