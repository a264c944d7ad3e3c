import { expect, test } from "bun:test";
import type { SandboxPlan } from "./sandbox-plan.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

const PLAN: SandboxPlan = {
  tier: "workspace-write",
  network: true,
  root: "/Users/ann/project",
  writable: ["/Users/ann/.npm"],
  readOnly: ["/Users/ann/project/.git/hooks", "/Users/ann/project/.pi-go"],
  fixed: ["/Users/ann/project/.git"],
  hiddenFolders: ["/Users/ann/.ssh", "/Users/ann/.pi-go"],
  hiddenFiles: ['/Users/ann/project/a "b"/.env'],
  shown: ["/Users/ann/.pi-go/skills"],
  environment: {},
};

test("the macOS profile is one well-formed list of rules in the order of the policy", () => {
  expect(seatbeltProfile(PLAN, "/private/tmp/x")).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write*
  (literal "/dev/null")
  (literal "/dev/zero")
  (literal "/dev/tty")
  (literal "/dev/stdout")
  (literal "/dev/stderr")
  (literal "/dev/dtracehelper")
  (subpath "/dev/fd")
  (subpath "/Users/ann/project")
  (subpath "/private/tmp/x")
  (subpath "/Users/ann/.npm"))
(deny file-write*
  (subpath "/Users/ann/project/.git/hooks")
  (subpath "/Users/ann/project/.pi-go"))
(deny file-write-unlink
  (literal "/Users/ann/project/.git"))
(deny file-read* file-write*
  (subpath "/Users/ann/.ssh")
  (subpath "/Users/ann/.pi-go")
  (literal "/Users/ann/project/a \\"b\\"/.env"))
(allow file-read*
  (subpath "/Users/ann/.pi-go/skills"))
(deny process-info* (target others))
`);
});

test("the read-only profile makes the temporary folder alone writable, and the network can be turned off", () => {
  const plan: SandboxPlan = {
    ...PLAN,
    tier: "read-only",
    network: false,
    writable: [],
    readOnly: [],
    fixed: [],
  };
  const profile = seatbeltProfile(plan, "/private/tmp/x");
  expect(profile).not.toContain('(subpath "/Users/ann/project")');
  expect(profile).toContain('(subpath "/private/tmp/x")');
  expect(profile).toEndWith("(deny network*)\n");
});

test("a project that lies in a hidden folder is not hidden itself", () => {
  const profile = seatbeltProfile({ ...PLAN, root: "/Users/ann/.pi-go/worktrees/a" }, "/private/tmp/x");
  expect(profile).not.toContain('(deny file-read* file-write*\n  (subpath "/Users/ann/.pi-go")');
});
