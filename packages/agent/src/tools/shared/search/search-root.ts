import { PiError } from "../../../contract/errors.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import { gitTop } from "../../../platform/git-top.ts";
import { hasGitignoreAbove } from "../../../platform/outer-gitignore.ts";
import { printableName } from "../printable-name.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** Where a search starts. */
export interface SearchRoot {
  /** Project-relative real path, "." for the project. */
  path: string;
  kind: "file" | "folder";
  /** The place itself is ignored by .gitignore: whoever names it wants it searched, with all that is in it. */
  ignored: boolean;
  /** `.gitignore` files above the project say nothing about it: no repository joins them, or theirs ignores all of it. */
  standsAlone: boolean;
}

const GIT_TIMEOUT_MS = 5_000;

/** Resolves a search's `path`; throws what the file door throws (outside, missing, special, …). */
export async function openSearchRoot(given: string | undefined, context: ToolContext): Promise<SearchRoot> {
  const real = context.files.real(given ?? ".");
  const path = context.files.display(real);
  const { kind } = context.files.stat(real);
  // Opening a FIFO waits for its writer, and a device may have no end.
  if (kind !== "folder" && kind !== "file")
    throw new PiError({
      code: "file_special",
      message: `${printableName(path)} is a device, socket or FIFO: it is not searched`,
    });
  const standsAlone = await isAlone(context);
  if (path === ".") return { path, kind, ignored: false, standsAlone };
  const rules = await IgnoreRules.open(context);
  return { path, kind, ignored: rules.ignoresAnyParent(path, kind === "folder"), standsAlone };
}

async function isAlone(context: ToolContext): Promise<boolean> {
  const { root } = context.files;
  const top = gitTop(root);
  if (top === root || !hasGitignoreAbove(root, top)) return false;
  if (top === null) return true;
  try {
    const words = [
      "--no-optional-locks",
      "-c",
      "core.fsmonitor=false",
      "check-ignore",
      "-q",
      "--no-index",
      ".",
    ];
    const asked = await context.processes.run(
      { argv: ["git", ...words], cwd: root, label: "git check-ignore" },
      { timeoutMs: GIT_TIMEOUT_MS, signal: context.signal },
    );
    return asked.code === 0;
  } catch {
    // no git on this machine: ripgrep reads the files above as git would
    return false;
  }
}
