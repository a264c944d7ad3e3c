import { expect, test } from "bun:test";
import { lstatSync, readdirSync, readlinkSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { executable, link } from "@pi-ts/testkit";
import { Project } from "./test-support/project.ts";

test("files of the commit that a command changes, deletes, moves and makes come back as they were", async () => {
  await using project = await Project.open(
    {
      "a.txt": "one\n",
      "gone.txt": "gone\n",
      "old.txt": "moved\n",
      "run.sh": executable("#!/bin/sh\n"),
      "to-a": link("a.txt"),
      "sub/b.txt": "b\n",
    },
    { git: true },
  );
  const before = project.ws.snapshot();
  project.say("go");
  await project.bash(
    "sed -i s/one/two/ a.txt && rm gone.txt && mv old.txt new.txt && echo x >> run.sh && chmod 644 run.sh && rm to-a && ln -s sub to-a && mkdir made && echo y > made/y.txt && rm -r sub",
  );
  expect(Object.values(project.plan("go")).every((kind) => kind === "clean")).toBe(true);
  const after = project.ws.snapshot();
  expect(project.rewind("go").failed).toEqual([]);
  expect(project.ws.snapshot()).toEqual(before);
  expect(statSync(project.ws.at("run.sh")).mode & 0o111).toBe(0o111);
  expect(readlinkSync(project.ws.at("to-a"))).toBe("a.txt");
  project.undo();
  expect(project.ws.snapshot()).toEqual(after);
});

test("what was not committed yet is kept before a command, tracked or not", async () => {
  await using project = await Project.open({ "a.txt": "one\n" }, { git: true });
  project.ws.write("a.txt", "work\n");
  project.ws.write("untracked.txt", "work\n");
  project.say("go");
  await project.bash("git checkout --quiet a.txt && rm untracked.txt");
  project.rewind("go");
  expect([project.ws.read("a.txt"), project.ws.read("untracked.txt")]).toEqual(["work\n", "work\n"]);
});

test("an ignored file is covered once the agent has touched it", async () => {
  await using project = await Project.open(
    { ".gitignore": "*.log\n", "seen.log": "one", "unseen.log": "one" },
    { git: true },
  );
  project.recorder.noteSeen("seen.log");
  project.say("go");
  await project.bash("echo two > seen.log; echo two > unseen.log");
  expect(project.plan("go")).toEqual({ "seen.log": "clean" });
});

test("files that only stopped being ignored are not taken for new ones", async () => {
  await using project = await Project.open(
    { ".gitignore": "*.log\n", "keep.log": "precious" },
    { git: true },
  );
  project.say("go");
  await project.bash("echo > .gitignore");
  project.rewind("go");
  expect(project.ws.read("keep.log")).toBe("precious");
  expect(project.ws.read(".gitignore")).toBe("*.log\n");
});

test("a command that goes to another commit is covered, and git's own files are not touched", async () => {
  await using project = await Project.open({ "a.txt": "one\n" }, { git: true });
  project.say("go");
  await project.bash("echo two > a.txt && git commit --quiet --all --message second");
  const head = project.ws.git("rev-parse", "HEAD");
  expect(project.plan("go")).toEqual({ "a.txt": "clean" });
  project.rewind("go");
  expect(project.ws.read("a.txt")).toBe("one\n");
  expect(project.ws.git("rev-parse", "HEAD")).toBe(head);
});

test("in a repository without a commit every file is kept before a command", async () => {
  await using project = await Project.open({ "a.txt": "one\n" });
  project.ws.git("init", "--quiet");
  project.say("go");
  await project.bash("echo two > a.txt; echo new > b.txt");
  project.rewind("go");
  expect(project.ws.read("a.txt")).toBe("one\n");
  expect(project.ws.exists("b.txt")).toBe(false);
});

test("in a folder inside of a repository its own files are covered, and those beside it are left alone", async () => {
  await using project = await Project.open({ "a.txt": "one\n" });
  await project.shell(
    "cd .. && git init --quiet && echo one > beside.txt && git add project beside.txt && git commit --quiet --message first",
  );
  project.say("go");
  await project.bash("echo two > a.txt; echo two > ../beside.txt");
  expect(project.plan("go")).toEqual({ "a.txt": "clean" });
  project.rewind("go");
  expect(project.ws.read("a.txt")).toBe("one\n");
});

test("outside of git all files of a small project are covered", async () => {
  await using project = await Project.open({ "a.txt": "one", "sub/b.txt": "two" });
  const before = project.ws.snapshot();
  project.say("go");
  await project.bash("rm -r sub; echo x > a.txt; echo y > c.txt");
  project.rewind("go");
  expect(project.ws.snapshot()).toEqual(before);
});

test("a secret file is neither copied nor brought back, and that is said", async () => {
  await using project = await Project.open({ ".env": "KEY=1" });
  project.say("go");
  await project.bash("rm .env");
  expect(project.plan("go")[".env"]).toBe("it is on the list of secret files");
  expect(project.rewind("go", { overwrite: true }).restored).toEqual([]);
});

test.if(process.platform === "linux")("a name that is no UTF-8 is left alone", async () => {
  await using project = await Project.open({ "a.txt": "one\n" }, { git: true });
  await project.shell("echo one > $'caf\\xe9.txt' && git add . && git commit --quiet --message second");
  project.say("go");
  await project.bash("rm caf*.txt; echo two > a.txt");
  expect(project.plan("go")).toEqual({ "a.txt": "clean" });
});

test("when the commit cannot be read nothing counts as new, so that nothing is deleted", async () => {
  await using project = await Project.open({ "a.txt": "one\n" }, { git: true });
  project.say("go");
  const end = await project.begin("bash", { command: "" });
  await project.shell("echo two > a.txt && rm -rf .git/objects/??");
  await end();
  expect(project.plan("go")).toEqual({});
});

test("contents that a command left alone are forgotten at the end, those that it changed are not", async () => {
  await using project = await Project.open({ "same.txt": "same", "other.txt": "one" });
  project.say("go");
  await project.bash("echo two > other.txt");
  const kept = () => readdirSync(join(project.session.folder!, "checkpoints"));
  expect(kept()).toHaveLength(2);
  await project.recorder.close();
  expect(kept()).toHaveLength(1);
  project.rewind("go");
  expect(project.ws.read("other.txt")).toBe("one");
});

test("a secret file is not copied out of a commit either", async () => {
  await using project = await Project.open({ ".env": "KEY=canary-4711" }, { git: true });
  project.say("go");
  await project.bash("rm .env");
  expect(project.plan("go")[".env"]).toBe("it is on the list of secret files");
  await project.shell(`! grep -r canary-4711 "${project.session.folder}"`);
});

test("a file that an edit and then a command change in one turn is as before both", async () => {
  await using project = await Project.open({ "a.txt": "one" }, { git: true });
  project.say("go");
  await project.write("a.txt", "two");
  await project.bash("echo three > a.txt");
  expect(project.plan("go")).toEqual({ "a.txt": "clean" });
  project.rewind("go");
  expect(project.ws.read("a.txt")).toBe("one");
});

test("a command that replaces a folder by a file is undone", async () => {
  await using project = await Project.open({ "d/a.txt": "one" });
  const before = project.ws.snapshot();
  project.say("go");
  await project.bash("rm -r d && echo file > d");
  expect(lstatSync(project.ws.at("d")).isFile()).toBe(true);
  project.rewind("go");
  expect(project.ws.snapshot()).toEqual(before);
});

test("a large file that a command leaves alone is no change, and one that it changes is told of", async () => {
  await using project = await Project.open({ "still.bin": "x", "grows.bin": "x" });
  for (const name of ["still.bin", "grows.bin"]) truncateSync(project.ws.at(name), 2 * 1024 * 1024);
  project.say("go");
  await project.bash("echo more >> grows.bin");
  expect(project.plan("go")).toEqual({ "grows.bin": "it has 2097152 bytes, too many to be kept" });
  await project.bash("true");
  expect(Object.keys(project.plan("go"))).toEqual(["grows.bin"]);
});
