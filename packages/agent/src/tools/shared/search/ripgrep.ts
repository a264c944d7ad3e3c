import type { OwnedProcess } from "../../../contract/process.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import { bytesOfShownName } from "../../../platform/utf8.ts";
import type { SearchRoot } from "./search-root.ts";

/** Where ripgrep is; null when this machine has none. */
export type FindRipgrep = () => Promise<string | null>;

/** ripgrep for a search there; null when the built-in engine must do it. We can only pass on names that are texts. */
export async function ripgrepFor(root: SearchRoot, findRipgrep: FindRipgrep): Promise<string | null> {
  return bytesOfShownName(root.path) === null ? await findRipgrep() : null;
}

/** The same files for both engines: hidden ones too, `.gitignore` obeyed also outside of a repository, no other ignore files. */
const WALK_FLAGS = [
  "--no-config",
  "--hidden",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-global",
  "--no-ignore-exclude",
] as const;

const MAX_STDERR = 64 * 1024;
const MAX_LISTED = 1_000;

/** Flags of a walk from `root`, with the globs in `globs`; `all` means ignored files too. */
export function walkFlags(root: SearchRoot, all: boolean, globs: readonly string[] = []): string[] {
  const rules = all ? ["--no-ignore"] : root.standsAlone ? ["--no-ignore-parent", ...ownRules(root)] : [];
  // The last glob that matches decides: none of the caller's may bring `.git` back.
  return [...WALK_FLAGS, ...rules, ...globs, "--glob=!.git"];
}

/** Without the folders above a search below the project would also lose the project's own rules. */
function ownRules(root: SearchRoot): string[] {
  return root.path === "." ? [] : ["--ignore-file=.gitignore"];
}

/** How a ripgrep run ended. `code` 0 found, 1 nothing, 2 error (perhaps beside results). */
export interface RipgrepEnd {
  code: number | null;
  stderr: string;
}

/** Runs ripgrep in the project folder and hands out its output in chunks. The signal ends it. */
export async function runRipgrep(
  program: string,
  words: readonly string[],
  context: ToolContext,
  onChunk: (bytes: Uint8Array) => void,
  onErrorLine?: (line: string) => void,
): Promise<RipgrepEnd> {
  const child = context.processes.start({
    argv: [program, ...words],
    cwd: context.cwd,
    env: { RIPGREP_CONFIG_PATH: "" },
    label: "ripgrep",
  });
  const stop = () => void child.end(100);
  context.signal.addEventListener("abort", stop, { once: true });
  if (context.signal.aborted) stop();
  let ended = false;
  try {
    const stderr = collect(child, onErrorLine);
    for await (const chunk of child.stdout) onChunk(chunk);
    const { code } = await child.exited;
    ended = true;
    return { code, stderr: await stderr };
  } finally {
    if (!ended) stop();
    context.signal.removeEventListener("abort", stop);
  }
}

async function collect(child: OwnedProcess, onLine?: (line: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let rest = "";
  for await (const chunk of child.stderr) {
    const piece = decoder.decode(chunk, { stream: true });
    if (text.length < MAX_STDERR) text += piece;
    if (onLine === undefined) continue;
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  }
  return text;
}

/** Asked only after an empty search: which places `.gitignore` kept out of it, and how many they are in all. */
export async function listIgnored(
  program: string,
  root: SearchRoot,
  context: ToolContext,
): Promise<{ ignored: string[]; ignoredCount: number }> {
  const ignored: string[] = [];
  let ignoredCount = 0;
  const words = [...walkFlags(root, false), "--debug", "--files", "--", root.path];
  const nothing = () => undefined;
  await runRipgrep(program, words, context, nothing, (line) => {
    const place = /: ignoring (?:\.\/)?(.+): Ignore\(IgnoreMatch\(Gitignore/.exec(line)?.[1];
    if (place === undefined) return;
    ignoredCount += 1;
    if (ignored.length < MAX_LISTED) ignored.push(place);
  });
  return { ignored: ignored.sort(), ignoredCount };
}

/** Lines of ripgrep's errors that name places it could not read. */
export function unreadablePlaces(stderr: string): string[] {
  return stderr
    .split("\n")
    .flatMap(
      (line) => /^rg: (?:\.\/)?(.+: (?:.*\(os error \d+\)|PCRE2: error matching: .*))$/.exec(line)?.[1] ?? [],
    )
    .slice(0, MAX_LISTED);
}
