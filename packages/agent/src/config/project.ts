import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { gitTop } from "../platform/git-top.ts";
import { realFolder } from "../platform/real-folder.ts";

/** The project of a folder: the real path of its root, and its `.pi-go` folder if it has one of its own. */
export interface Project {
  root: string;
  /** `<root>/.pi-go`; null when there is none, or when it is the user's own state folder (the home folder as a project). */
  folder: string | null;
}

/** Folders with skills that other agents share, beside `.pi-go`. */
const SHARED_SKILLS = [".agents/skills", ".claude/skills"] as const;

/** The same for files that tell of agents. */
const SHARED_AGENTS = ".claude/agents";

/** What acts like a part of `.pi-go` and lies beside it. */
const BESIDE: readonly string[] = [".mcp.json", ...SHARED_SKILLS, SHARED_AGENTS];

/**
 * The project that `cwd` belongs to: the nearest folder upwards with a `.pi-go`, else with what acts {@link BESIDE} one, but not above
 * the top of its git work tree; outside of git only `cwd` itself. Without any the root is `cwd`. Only looks, never throws for a missing
 * folder.
 */
export function findProject(cwd: string, stateFolder: string): Project {
  const start = realFolder(cwd);
  const state = realFolder(stateFolder);
  const top = gitTop(start) ?? start;
  let nearest: string | undefined;
  for (let root = start; ; root = dirname(root)) {
    const folder = join(root, ".pi-go");
    const isUsers = realFolder(folder) === state;
    if (isFolder(folder) && !isUsers) return { root, folder };
    if (!isUsers && BESIDE.some((name) => existsSync(join(root, name)))) nearest ??= root;
    if (root === top || root === dirname(root)) return { root: nearest ?? start, folder: null };
  }
}

/**
 * The folders that a project's skills lie in, weakest first, whether they exist or not. In the user's home folder there are none: what
 * lies there is the user's own.
 */
export function projectSkillFolders({ root, folder }: Project): string[] {
  if (folder === null && isFolder(join(root, ".pi-go"))) return [];
  const shared = [...SHARED_SKILLS].reverse().map((name) => join(root, name));
  return folder === null ? shared : [...shared, join(folder, "skills")];
}

/** The folders with a project's agent files, weakest first, as {@link projectSkillFolders}. */
export function projectAgentFolders({ root, folder }: Project): string[] {
  if (folder === null && isFolder(join(root, ".pi-go"))) return [];
  return [join(root, SHARED_AGENTS), ...(folder === null ? [] : [join(folder, "agents")])];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // a link that leads round in a circle, or a folder that is not ours to enter: nothing in it acts
    return false;
  }
}
