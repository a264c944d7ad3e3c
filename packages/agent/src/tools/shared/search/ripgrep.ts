import type { OwnedProcess } from "../../../contract/process.ts";
import type { ToolContext } from "../../../contract/tool.ts";

/** Where ripgrep is; null when this machine has none. */
export type FindRipgrep = () => Promise<string | null>;

/** The same files for both engines: hidden ones too, `.git` not, `.gitignore` obeyed also outside of a repository, no other ignore files. */
export const WALK_FLAGS = [
  "--no-config",
  "--hidden",
  "--glob=!.git",
  "--no-require-git",
  "--no-ignore-dot",
  "--no-ignore-global",
  "--no-ignore-exclude",
] as const;

const MAX_STDERR = 64 * 1024;

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
  onChunk: (bytes: Uint8Array) => boolean | undefined,
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
    const stderr = collect(child);
    for await (const chunk of child.stdout) if (onChunk(chunk) === false) stop();
    const { code } = await child.exited;
    ended = true;
    return { code, stderr: await stderr };
  } finally {
    if (!ended) stop();
    context.signal.removeEventListener("abort", stop);
  }
}

async function collect(child: OwnedProcess): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stderr)
    if (text.length < MAX_STDERR) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Lines of ripgrep's errors that name places it could not read. */
export function unreadablePlaces(stderr: string): string[] {
  return stderr
    .split("\n")
    .flatMap((line) => /^rg: (?:\.\/)?(.+: .*\(os error \d+\))$/.exec(line)?.[1] ?? [])
    .slice(0, 1_000);
}

/** The ignored files and folders that `--debug` tells of, project-relative. */
export function ignoredPlaces(stderr: string): string[] {
  return stderr
    .split("\n")
    .flatMap((line) => /: ignoring (?:\.\/)?(.+): Ignore\(IgnoreMatch\(Gitignore/.exec(line)?.[1] ?? []);
}
