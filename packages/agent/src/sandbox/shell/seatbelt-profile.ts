import type { SandboxPlan } from "./sandbox-plan.ts";

/** Devices and the like that every program writes to. */
const WRITABLE_DEVICES = [
  "/dev/null",
  "/dev/zero",
  "/dev/tty",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/dtracehelper",
];

/**
 * A profile for macOS `sandbox-exec`. The last rule that fits decides, so the order is that of the bubblewrap mounts:
 * nothing is written, then what is writable, then what is protected within it, then what is hidden.
 */
export function seatbeltProfile(plan: SandboxPlan, temporary: string): string {
  const writable = [...(plan.tier === "workspace-write" ? [plan.root] : []), temporary, ...plan.writable];
  const rules = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    rule("allow file-write*", [
      ...WRITABLE_DEVICES.map((path) => `literal ${quote(path)}`),
      'subpath "/dev/fd"',
      ...writable.map((path) => `subpath ${quote(path)}`),
    ]),
    rule(
      "deny file-write*",
      plan.readOnly.map((path) => `subpath ${quote(path)}`),
    ),
    rule(
      "deny file-write-unlink",
      plan.fixed.map((path) => `literal ${quote(path)}`),
    ),
    rule("deny file-read* file-write*", [
      ...plan.hiddenFolders
        .filter((path) => !within(plan.root, path))
        .map((path) => `subpath ${quote(path)}`),
      ...plan.hiddenFiles.map((path) => `literal ${quote(path)}`),
    ]),
    rule(
      "allow file-read*",
      plan.shown.map((path) => `subpath ${quote(path)}`),
    ),
    // The environment of the agent holds its keys.
    "(deny process-info* (target others))",
    ...(plan.network ? [] : ["(deny network*)"]),
  ];
  return `${rules.filter((text) => text !== "").join("\n")}\n`;
}

function rule(head: string, filters: readonly string[]): string {
  return filters.length === 0 ? "" : `(${head}\n${filters.map((filter) => `  (${filter})`).join("\n")})`;
}

/** True when hiding `folder` would hide the project itself. */
function within(project: string, folder: string): boolean {
  return project === folder || project.startsWith(`${folder}/`);
}

function quote(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
