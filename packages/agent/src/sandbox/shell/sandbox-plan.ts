import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SandboxTier } from "../../contract/process.ts";
import { type GitProtection, gitProtection } from "./git-protection.ts";
import { ESCAPE_SOCKETS, PACKAGE_CACHES, PRIVATE_FILES, PRIVATE_FOLDERS } from "./private-places.ts";
import { realPathOf } from "./real-path.ts";

/** What to confine to. All paths absolute. */
export interface SandboxPolicy {
  tier: Exclude<SandboxTier, "off">;
  network: boolean;
  /** The project: a real path. */
  root: string;
  /** The user's home, and where our own state lies (`~/.pi-go` or `PI_HOME`). */
  home: { user: string; root: string };
  /** Package caches of the user's config: writable besides the usual ones. */
  caches?: readonly string[];
  /** Parts of our own state that commands may read: cut output of this session. */
  readable?: readonly string[];
}

/** A policy applied to this machine: only what exists, links resolved. Both makers of sandboxes read it. */
export interface SandboxPlan {
  tier: Exclude<SandboxTier, "off">;
  network: boolean;
  root: string;
  writable: string[];
  readOnly: string[];
  /** Writable, but cannot be renamed or removed. */
  fixed: string[];
  /** Seen empty. */
  hiddenFolders: string[];
  /** Cannot be read. */
  hiddenFiles: string[];
  /** Readable although they lie in a hidden folder. */
  shown: string[];
  /** Variables that send package managers without a cache to the temporary folder. */
  environment: Record<string, string>;
  /** The git folder in which commands may write, if there is one. */
  gitFolder?: string;
}

/** Looks at the machine and settles what a sandbox is made of. `secrets` are the real paths of secret files in the project. */
export function planSandbox(
  policy: SandboxPolicy,
  secrets: readonly string[],
  temporary: string,
): SandboxPlan {
  const { tier, network, root, home } = policy;
  const inHome = (names: readonly string[]) => names.map((name) => join(home.user, name));
  const writes = tier === "workspace-write";
  const git: GitProtection = writes ? gitProtection(root, true) : { writable: [], fixed: [], readOnly: [] };
  const state = [home.root, join(home.user, ".pi-go")];
  const caches = writes ? packageCaches(policy, temporary) : { writable: [], environment: {} };
  const hidden = existing([...state, ...inHome(PRIVATE_FOLDERS), ...ESCAPE_SOCKETS]);
  const folders = hidden.filter(isFolder);
  return {
    tier,
    network,
    root,
    writable: writes ? [...caches.writable, ...git.writable] : [],
    readOnly: [...git.readOnly, ...existing([join(root, ".pi-go")])].filter(
      (path) => !folders.includes(path),
    ),
    fixed: git.fixed,
    hiddenFolders: folders,
    hiddenFiles: [
      ...hidden.filter((path) => !isFolder(path)),
      ...existing(inHome(PRIVATE_FILES)),
      ...secrets,
    ].filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`))),
    shown: existing([...state.map((folder) => join(folder, "skills")), ...(policy.readable ?? [])]),
    environment: caches.environment,
    ...(git.gitFolder === undefined ? {} : { gitFolder: git.gitFolder }),
  };
}

function packageCaches(policy: SandboxPolicy, temporary: string) {
  const writable = existing(policy.caches ?? []);
  const environment: Record<string, string> = {};
  for (const { folder, variable } of PACKAGE_CACHES) {
    const real = realPathOf(join(policy.home.user, folder));
    if (real !== undefined) writable.push(real);
    else if (variable !== undefined) environment[variable] = join(temporary, "caches", folder);
  }
  return { writable, environment };
}

/** The real paths of those that exist, each once. */
function existing(paths: readonly string[]): string[] {
  const real = paths.map(realPathOf).filter((path) => path !== undefined);
  return [...new Set(real)];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Folders and plain files of the machine's temporary folder that commands go on seeing (read-only): what people put there
 * to be looked at. Left out: sockets' folders (a terminal multiplexer would run commands outside), other users' entries.
 */
export function visibleTemporaryEntries(folder: string, needed: readonly string[]): string[] {
  const shown: string[] = [];
  const user = process.getuid?.();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isNeeded = needed.some((each) => each === path || each.startsWith(`${path}/`));
    if (
      !isNeeded &&
      (shown.length >= MAX_VISIBLE ||
        /^[.]|^(tmux|ssh|systemd|dbus|screen|snap|pi-sandbox|pi-session)\b/.test(entry.name))
    )
      continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!entry.isSymbolicLink() && (stat?.isFile() || stat?.isDirectory()) && (isNeeded || stat.uid === user))
      shown.push(path);
  }
  return shown;
}

const MAX_VISIBLE = 100;
