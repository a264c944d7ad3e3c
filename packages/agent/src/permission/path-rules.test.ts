import { expect, test } from "bun:test";
import { link, workspace } from "@pi-ts/testkit";
import { createFileDoor } from "../sandbox/files/file-door.ts";
import { pendingCall, permissions } from "./test-support/bench.ts";

async function kind(
  rules: Parameters<typeof permissions>[0],
  tool: string,
  path: string,
  files?: Parameters<typeof permissions>[1],
): Promise<string> {
  const field = tool === "grep" || tool === "ls" ? "path" : tool === "git-hunk" ? "file" : "file_path";
  return (await permissions(rules, files).verdict(pendingCall(tool, { [field]: path }))).kind;
}

const rows: [glob: string, path: string, caught: boolean][] = [
  ["src/**", "src/a.ts", true],
  ["src/**", "src/deep/a.ts", true],
  ["src/**", "lib/src/a.ts", false],
  ["src/**", "srcs/a.ts", false],
  ["src", "src/a.ts", true],
  ["src/", "src/a.ts", true],
  ["*.md", "README.md", true],
  ["*.md", "docs/x/README.md", true],
  ["/*.md", "docs/README.md", false],
  ["/*.md", "README.md", true],
  ["./docs/*.md", "docs/README.md", true],
  ["docs/**/x.md", "docs/a/b/x.md", true],
  ["docs/?.md", "docs/a.md", true],
  ["docs/[ab].md", "docs/c.md", false],
  ["src/**", "./lib/../src/a.ts", true],
  ["src/**", "/project/src/a.ts", true],
  ["src/**", "SRC/A.ts", true],
  ["//etc/**", "/etc/passwd", true],
  ["//etc/**", "etc/passwd", false],
  ["//project/src/**", "src/a.ts", true],
  ["**", "any/thing", true],
  ["*", "any/thing", true],
  ["a b/c", "a b/c", true],
  ["#x", "#x", true],
];
for (const [glob, path, caught] of rows)
  test(`edit(${glob}) ${caught ? "catches" : "leaves"} ${path}`, async () => {
    expect(await kind({ deny: [`edit(${glob})`] }, "edit", path)).toBe(caught ? "deny" : "run");
  });

test("a deny rule on edit holds for write too, and the other way round, not for read", async () => {
  expect(await kind({ deny: ["edit(src/**)"] }, "write", "src/a.ts")).toBe("deny");
  expect(await kind({ deny: ["write(src/**)"] }, "edit", "src/a.ts")).toBe("deny");
  expect(await kind({ deny: ["edit(src/**)"] }, "read", "src/a.ts")).toBe("run");
});

test("a deny rule on read holds for every tool that shows the file", async () => {
  for (const tool of ["read", "grep", "git-hunk", "ls"])
    expect(await kind({ deny: ["read(private/**)"] }, tool, "private/a")).toBe("deny");
  expect(await kind({ deny: ["read(private/**)"] }, "edit", "private/a")).toBe("run");
});

test("what rules say of reading a file holds where a call names its folder only, until it is allowed", async () => {
  const rules = {
    deny: ["read(private/**)"],
    ask: ["read(team/**)", "read"],
    allow: ["grep(team/open/notes/**)"],
  };
  const mayShow = await permissions(rules).mayShow();
  expect(
    ["private/a", "./x/../PRIVATE/a", "team/a", "team/open/notes/a", "src/a"].map((path) => mayShow!(path)),
  ).toEqual([false, false, false, true, true]);
  expect(await permissions({ deny: ["edit(src/**)"], ask: ["read"] }).mayShow()).toBeUndefined();
});

test("an allow rule holds for its own tool, with the case of letters", async () => {
  const rules = { ask: ["edit", "write"], allow: ["edit(src/**)"] };
  expect(await kind(rules, "edit", "src/a.ts")).toBe("run");
  expect(await kind(rules, "write", "src/a.ts")).toBe("ask");
  expect(await kind(rules, "edit", "SRC/a.ts")).toBe("ask");
  expect(await kind(rules, "edit", "src/../lib/a.ts")).toBe("ask");
});

test("links are followed: neither a denied folder nor an allowed one is reached by another name", async () => {
  await using ws = await workspace({
    "private/a.ts": "a",
    "src/b.ts": "b",
    door: link("private"),
    "src/in": link("../private"),
  });
  const files = createFileDoor({ root: ws.path });
  expect(await kind({ deny: ["edit(private/**)"] }, "edit", "door/a.ts", { files })).toBe("deny");
  expect(await kind({ deny: ["edit(door/**)"] }, "edit", "door/a.ts", { files })).toBe("deny");
  const allowed = { ask: ["edit"], allow: ["edit(src/**)"] };
  expect(await kind(allowed, "edit", "src/b.ts", { files })).toBe("run");
  expect(await kind(allowed, "edit", "src/in/a.ts", { files })).toBe("ask");
  expect(await kind(allowed, "edit", "src/new/c.ts", { files })).toBe("run");
});
