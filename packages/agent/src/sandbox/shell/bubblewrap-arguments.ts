import type { SandboxPlan } from "./sandbox-plan.ts";

/** Capabilities that root keeps: those of everyday file and process work. All others could undo a mount. */
const ROOT_CAPABILITIES = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_KILL",
  "CAP_NET_BIND_SERVICE",
  "CAP_SETGID",
  "CAP_SETUID",
];

/** Folders of ours that the sandbox gets in place of the machine's. */
export interface SandboxFolders {
  /** Becomes `/tmp`. */
  temporary: string;
  /** Becomes `/var/tmp`. */
  longTemporary: string;
  /** Becomes {@link CHANNEL_FOLDER}. */
  channels: string;
}

/** Where the pipes to the commands lie inside: in the private `/dev`, where nobody trips over them. */
export const CHANNEL_FOLDER = "/dev/pi-channels";

/**
 * Arguments for bubblewrap (0.4 or later) up to the program to run. Later mounts cover earlier ones, so the order is the
 * policy: everything read-only, our own /tmp, what is hidden, what is writable, and what is read-only within it.
 */
export function bubblewrapArguments(
  plan: SandboxPlan,
  folders: SandboxFolders,
  facts: { isRoot: boolean; visibleTemporary: readonly string[] },
): string[] {
  const { root } = plan;
  const readOnly = (path: string) => ["--ro-bind", path, path];
  const writes = plan.tier === "workspace-write";
  const inProject = (path: string) => path.startsWith(root === "/" ? root : `${root}/`);
  const hide = (path: string) => ["--tmpfs", path];
  const wholeMachine = root === "/";
  const mounts = [
    [wholeMachine && writes ? "--bind" : "--ro-bind", "/", "/"],
    ["--dev", "/dev"],
    ["--proc", "/proc"],
    // The kernel asks for root there, not for a capability, and bubblewrap leaves it open: core_pattern is a command.
    facts.isRoot ? ["--ro-bind", "/proc/sys", "/proc/sys"] : [],
    ["--bind", folders.temporary, "/tmp"],
    ["--bind", folders.longTemporary, "/var/tmp"],
    ["--bind", folders.channels, CHANNEL_FOLDER],
    // Temporary files come and go: one that has just gone is no reason to fail.
    ...facts.visibleTemporary.map((path) => ["--ro-bind-try", path, path]),
    ...plan.writable.map((path) => ["--bind", path, path]),
    // The project may lie in a hidden folder (a worktree below our own state) or around one (the home folder).
    ...plan.hiddenFolders.filter((path) => !inProject(path)).map(hide),
    wholeMachine ? [] : [writes ? "--bind" : "--ro-bind", root, root],
    ...plan.fixed.map((path) => ["--bind", path, path]),
    ...plan.readOnly.map(readOnly),
    ...plan.hiddenFolders.filter((path) => inProject(path)).map(hide),
    ...plan.shown.map(readOnly),
    ...plan.hiddenFiles.map((path) => ["--ro-bind", "/dev/null", path]),
    ...plan.hiddenFolders.filter((path) => path !== root).map((path) => ["--remount-ro", path]),
  ];
  return [
    ...mounts.flat(),
    "--unshare-pid",
    "--unshare-ipc",
    ...(plan.network ? [] : ["--unshare-net"]),
    ...(facts.isRoot
      ? ["--cap-drop", "ALL", ...ROOT_CAPABILITIES.flatMap((name) => ["--cap-add", name])]
      : []),
    "--die-with-parent",
    "--chdir",
    plan.root,
  ];
}
