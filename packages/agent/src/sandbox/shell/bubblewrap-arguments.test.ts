import { expect, test } from "bun:test";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import type { SandboxPlan } from "./sandbox-plan.ts";

const PLAN: SandboxPlan = {
  tier: "workspace-write",
  network: true,
  root: "/home/ann/p",
  writable: ["/home/ann/.npm"],
  readOnly: ["/home/ann/p/.git/hooks"],
  fixed: ["/home/ann/p/.git"],
  hiddenFolders: ["/home/ann/.ssh"],
  hiddenFiles: ["/home/ann/p/.env"],
  shown: [],
  environment: {},
};
const FOLDERS = { temporary: "/t/tmp", longTemporary: "/t/var", channels: "/t/c" };
const FACTS = { isRoot: false, visibleTemporary: [] };

function words(plan: Partial<SandboxPlan>, facts = FACTS): string {
  return bubblewrapArguments({ ...PLAN, ...plan }, FOLDERS, facts).join(" ");
}

test("what is protected is mounted after what it lies in, so that it covers it", () => {
  const all = words({});
  const order = [
    "--ro-bind / /",
    "--bind /t/tmp /tmp",
    "--tmpfs /home/ann/.ssh",
    "--bind /home/ann/p /home/ann/p",
    "--bind /home/ann/p/.git /home/ann/p/.git",
    "--ro-bind /home/ann/p/.git/hooks",
    "--ro-bind /dev/null /home/ann/p/.env",
    "--die-with-parent",
  ];
  const places = order.map((part) => all.indexOf(part));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("folders to hide that lie in the project are hidden after the project is mounted", () => {
  const all = words({ root: "/home/ann", readOnly: [], fixed: [] });
  expect(all.indexOf("--tmpfs /home/ann/.ssh")).toBeGreaterThan(all.indexOf("--bind /home/ann /home/ann"));
});

test("a project that is the whole machine does not undo what was mounted before", () => {
  const all = words({ root: "/", readOnly: [], fixed: [] });
  expect(all).toStartWith("--bind / / --dev /dev --proc /proc");
  expect(all.match(/bind \/ \//g)?.length).toBe(1);
});

test("root loses the rights to undo mounts and keeps those of everyday work", () => {
  expect(words({})).not.toContain("--cap-drop");
  const root = words({}, { ...FACTS, isRoot: true });
  expect(root).toContain("--cap-drop ALL");
  expect(root).toContain("--cap-add CAP_DAC_OVERRIDE");
  expect(root).not.toMatch(/CAP_(SYS_ADMIN|SYS_PTRACE|MKNOD|SYS_MODULE)/);
});

test("in the read-only tier nothing of the project is writable, and the network goes when it is turned off", () => {
  const all = words({ tier: "read-only", network: false, writable: [], fixed: [] });
  expect(all).toContain("--ro-bind /home/ann/p /home/ann/p");
  expect(all).not.toContain(" --bind /home");
  expect(all).toContain("--unshare-net");
});

test("root cannot set the machine's kernel settings, of which some are commands [X04]", () => {
  expect(words({}, { ...FACTS, isRoot: true })).toContain("--proc /proc --ro-bind /proc/sys /proc/sys");
});
