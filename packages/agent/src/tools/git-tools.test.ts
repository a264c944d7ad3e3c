import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { gitFileDiffTool } from "./git-file-diff/git-file-diff.ts";
import { gitHunkTool } from "./git-hunk/git-hunk.ts";
import { gitOverviewTool } from "./git-overview/git-overview.ts";
import { runTool } from "./shared/test-support/file-tool-context.ts";
import { processToolContext } from "./shared/test-support/search-context.ts";

test("nothing that the repository configures is run, and its index is left alone [G03][X01]", async () => {
  await using ws = await workspace(
    { "a.txt": "one\n", ".gitattributes": "*.txt filter=evil diff=evil\n" },
    { git: true },
  );
  const trap = (n: number) => `touch ${join(ws.outside, `pwned-${n}`)}; cat`;
  const settings: [string, string][] = [
    ["core.fsmonitor", trap(1)],
    ["core.pager", trap(2)],
    ["diff.external", trap(3)],
    ["diff.evil.textconv", trap(4)],
    ["diff.evil.command", trap(5)],
    ["filter.evil.clean", trap(6)],
    ["filter.evil.smudge", trap(7)],
    ["filter.evil.process", trap(8)],
    ["core.sshCommand", trap(9)],
    ["alias.status", `!${trap(10)}`],
    ["gpg.program", trap(11)],
    ["log.showSignature", "true"],
    ["core.hooksPath", ws.path],
  ];
  for (const [key, value] of settings) ws.git("config", "--local", key, value);
  ws.write("post-index-change", `#!/bin/sh\n${trap(12)}\n`);
  ws.write("a.txt", "two\n");
  const before = statSync(join(ws.path, ".git", "index"));
  const outside = ws.snapshotOf("outside");
  await using context = processToolContext(ws.path, ws.env());
  const outcome = await runTool(gitOverviewTool, context, {});
  expect(outcome.text).toContain("M a.txt");
  expect((await runTool(gitFileDiffTool, context, { file: "a.txt" })).text).toContain("+two");
  expect((await runTool(gitHunkTool, context, { file: "a.txt" })).text).toContain("+two");
  expect(ws.snapshotOf("outside")).toEqual(outside);
  expect(statSync(join(ws.path, ".git", "index")).mtimeMs).toBe(before.mtimeMs);
});

test("variables that git refuses beside ours, or that fill its words with traces, keep nothing from being shown [G04]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  for (const name of ["GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"]) {
    await using context = processToolContext(ws.path, ws.env({ [name]: "1", GIT_TRACE: "1" }));
    expect((await runTool(gitOverviewTool, context, {})).text).toContain("M a.txt");
    const missing = await runTool(gitFileDiffTool, context, { file: "none" });
    expect(missing.text).toStartWith("none does not exist");
  }
});
