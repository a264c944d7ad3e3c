import { expect, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { workspace } from "@pi-ts/testkit";
import { canConfine, shellBench } from "./test-support/shell-bench.ts";

const confined = test.if(await canConfine());

/** As editors and git do it. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

confined("a secret file that somebody saves anew stays hidden from the next command [X04]", async () => {
  await using ws = await workspace({ ".env": "CANARY-1", "sub/.env": "CANARY-2" });
  await Bun.write(`${ws.home}/.netrc`, "CANARY-3");
  await using bench = shellBench(ws);
  const look = "cat .env sub/.env ~/.netrc";
  expect((await bench.run(look)).all).not.toContain("CANARY");
  for (const path of [`${ws.path}/.env`, `${ws.path}/sub/.env`, `${ws.home}/.netrc`]) {
    replace(path, "CANARY-4");
    expect((await bench.run(look)).all).not.toContain("CANARY");
  }
});

confined("a secret file that appears in a folder without one is hidden, too [X04]", async () => {
  await using ws = await workspace({ "sub/deep/a.txt": "" });
  await using bench = shellBench(ws);
  expect((await bench.run("ls")).code).toBe(0);
  ws.write("sub/deep/.env", "CANARY");
  expect((await bench.run("cat sub/deep/.env")).all).not.toContain("CANARY");
});

confined("git's settings stay protected when the user changes them meanwhile [G03]", async () => {
  await using ws = await workspace({}, { git: true });
  await using bench = shellBench(ws);
  await bench.run("true");
  ws.git("config", "user.nickname", "ann");
  await bench.run("git config core.fsmonitor evil; echo evil >> .git/config");
  expect(ws.read(".git/config")).toContain("ann");
  expect(ws.read(".git/config")).not.toContain("evil");
});

confined("a command cannot send git to other settings than the repository's [G03]", async () => {
  await using ws = await workspace({ "a.txt": "" }, { git: true });
  ws.git("worktree", "add", "-q", `${ws.outside}/tree`);
  await using bench = shellBench(ws);
  const redirect = "mkdir evil; echo ../evil > .git/commondir; echo /evil > .git/worktrees/tree/commondir";
  expect((await bench.run(redirect)).code).toBe(0);
  expect(ws.exists(".git/commondir")).toBe(false);
  expect(ws.read(".git/worktrees/tree/commondir")).toBe("../..\n");
});

confined("a submodule's settings and hooks are the repository's, too [G03][G04]", async () => {
  await using ws = await workspace({ "a.txt": "" }, { git: true });
  await using library = await workspace({ "b.txt": "" }, { git: true });
  ws.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "deps/lib");
  await using bench = shellBench(ws);
  const { all } = await bench.run(
    "echo evil >> .git/modules/deps/lib/config; echo evil > .git/modules/deps/lib/hooks/post-checkout; cd deps/lib && echo x > b.txt && git commit -qam inside && git log --format=%s -1",
  );
  expect(all).toContain("inside");
  expect(readFileSync(`${ws.path}/.git/modules/deps/lib/config`, "utf8")).not.toContain("evil");
  expect(ws.exists(".git/modules/deps/lib/hooks/post-checkout")).toBe(false);
});

confined("the settings of one worktree cannot be made where the repository asks for them [G03]", async () => {
  await using ws = await workspace({}, { git: true });
  ws.git("config", "extensions.worktreeConfig", "true");
  await using bench = shellBench(ws);
  await bench.run("echo '[core] fsmonitor = evil' > .git/config.worktree");
  expect(ws.read(".git/config.worktree")).toBe("");
});

test.if(process.getuid?.() === 0 && (await canConfine()))(
  "a command of root changes nothing of the running kernel [X04]",
  async () => {
    await using ws = await workspace({});
    await using bench = shellBench(ws);
    // The present value: nothing is changed where this fails.
    const name = "/proc/sys/kernel/domainname";
    const { code, stderr } = await bench.run(`value=$(cat ${name}); echo "$value" > ${name}`);
    expect([code, stderr.includes("Read-only file system")]).toEqual([1, true]);
  },
);
