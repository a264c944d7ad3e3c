import { expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { executable, link } from "@pi-ts/testkit";
import { texts } from "../test-support/sessions.ts";
import { Project } from "./test-support/project.ts";

test("going back gives files as they were before the turn, deletes those that were made, and shows the conversation up to there [A-SESS-02]", async () => {
  await using project = await Project.open({ "a.txt": "one\n" });
  await project.turn("first", "a.txt", "two\n");
  project.say("second");
  await project.write("a.txt", "three\n");
  await project.write("deep/er/new.txt", "new\n");
  const { restored, failed } = project.rewind("second");
  expect({ restored: restored.sort(), failed }).toEqual({
    restored: ["a.txt", "deep/er/new.txt"],
    failed: [],
  });
  expect(project.ws.read("a.txt")).toBe("two\n");
  expect(project.ws.exists("deep")).toBe(false);
  expect(texts(project.session.messages())).toEqual(["first", "", "", "done: first"]);
  project.rewind("first");
  expect(project.ws.read("a.txt")).toBe("one\n");
  expect(project.session.messages()).toEqual([]);
});

test("a folder that was there, or that holds something else, stays when a new file in it goes", async () => {
  await using project = await Project.open({ "there/old.txt": "old" });
  project.say("go");
  await project.write("there/new.txt", "x");
  await project.write("made/by/us.txt", "x");
  project.ws.write("made/by-hand.txt", "mine");
  project.rewind("go");
  expect(Object.keys(project.ws.snapshot()).sort()).toEqual([
    "made",
    "made/by-hand.txt",
    "there",
    "there/old.txt",
  ]);
});

test("undo brings back the files and the conversation, and the undo of an earlier rewind follows [A-SESS-02]", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  await project.turn("first", "a.txt", "two");
  await project.turn("second", "a.txt", "three");
  const whole = texts(project.session.messages());
  project.rewind("second");
  project.rewind("first");
  expect(project.ws.read("a.txt")).toBe("one");
  project.undo();
  expect(project.ws.read("a.txt")).toBe("two");
  project.undo();
  expect(project.ws.read("a.txt")).toBe("three");
  expect(texts(project.session.messages())).toEqual(whole);
  expect(project.rewinder.last()).toBeNull();
});

test("a mode comes back, and a program stays one", async () => {
  await using project = await Project.open({ "run.sh": executable("#!/bin/sh\n"), "secret.txt": "x" });
  chmodSync(project.ws.at("secret.txt"), 0o600);
  project.say("go");
  await project.write("run.sh", "#!/bin/sh\nexit 1\n");
  await project.write("secret.txt", "y");
  await project.bash("chmod 644 run.sh secret.txt");
  project.rewind("go");
  expect(statSync(project.ws.at("run.sh")).mode & 0o777).toBe(0o755);
  expect(statSync(project.ws.at("secret.txt")).mode & 0o777).toBe(0o600);
});

test("a file that somebody else changed since is told of and left, unless it is to be overwritten", async () => {
  await using project = await Project.open({ "a.txt": "one", "b.txt": "one" });
  project.say("go");
  await project.write("a.txt", "two");
  await project.write("b.txt", "two");
  project.ws.write("a.txt", "mine");
  expect(project.plan("go")).toEqual({ "a.txt": "outside", "b.txt": "clean" });
  project.rewind("go");
  expect([project.ws.read("a.txt"), project.ws.read("b.txt")]).toEqual(["mine", "one"]);
  project.undo();
  project.rewind("go", { overwrite: true });
  expect(project.ws.read("a.txt")).toBe("one");
  project.undo();
  expect(project.ws.read("a.txt")).toBe("mine");
});

test("what somebody else wrote between two turns is not lost silently, though the agent wrote over it", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  await project.turn("first", "a.txt", "two");
  project.ws.write("a.txt", "mine");
  await project.turn("second", "a.txt", "three");
  expect(project.plan("second")).toEqual({ "a.txt": "clean" });
  expect(project.plan("first")).toEqual({ "a.txt": "outside" });
});

test("a file that ends as it began is no change", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  project.say("go");
  await project.write("a.txt", "two");
  await project.write("a.txt", "one");
  expect(project.rewinder.prompts()[0]!.files).toEqual([]);
  project.ws.write("a.txt", "mine");
  expect(project.plan("go")).toEqual({});
});

test("only the conversation goes back, and later the files still can [A-SESS-02]", async () => {
  await using project = await Project.open({ "a.txt": "one", "b.txt": "one" });
  await project.turn("first", "b.txt", "two");
  await project.turn("second", "a.txt", "two");
  project.rewind("second", { files: false });
  expect(project.ws.read("a.txt")).toBe("two");
  await project.turn("other", "b.txt", "three");
  project.rewind("first");
  expect([project.ws.read("a.txt"), project.ws.read("b.txt")]).toEqual(["one", "one"]);
});

test("only the files go back: the conversation stays, the model is told, and undo gives them again", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  await project.turn("first", "a.txt", "two");
  const before = texts(project.session.messages());
  project.rewind("first", { conversation: false });
  expect(project.ws.read("a.txt")).toBe("one");
  expect(texts(project.session.messages())).toEqual([...before, expect.stringContaining("a.txt")]);
  expect(project.plan("first")).toEqual({});
  project.undo();
  expect(project.ws.read("a.txt")).toBe("two");
});

test("going forth again to a place that was left brings its files, too [A-SESS-02]", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  await project.turn("first", "a.txt", "two");
  project.session.createBranch("kept");
  await project.turn("second", "a.txt", "three");
  await project.write("new.txt", "new");
  const end = project.session.tree.head!;
  project.rewind("second");
  await project.turn("other", "a.txt", "four");
  const plan = project.rewinder.plan(end);
  project.rewinder.go({ to: end, conversation: true, restore: plan });
  expect([project.ws.read("a.txt"), project.ws.read("new.txt")]).toEqual(["three", "new"]);
});

test("a link in the project stays one: the file behind it is kept and brought back", async () => {
  await using project = await Project.open({ "real.txt": "one", "alias.txt": link("real.txt") });
  project.say("go");
  await project.write("alias.txt", "two");
  expect(project.plan("go")).toEqual({ "real.txt": "clean" });
  project.rewind("go");
  expect(project.ws.read("real.txt")).toBe("one");
  expect(readlinkSync(project.ws.at("alias.txt"))).toBe("real.txt");
});

test("a folder that became a link out of the project is not written through [F16]", async () => {
  await using project = await Project.open({ "dir/a.txt": "one" });
  project.say("go");
  await project.write("dir/a.txt", "two");
  await project.shell(`mv dir away && ln -s "${project.ws.outside}" dir`);
  project.ws.write(join(project.ws.outside, "a.txt"), "not ours");
  expect(project.plan("go")["dir/a.txt"]).toContain("leads out of the project");
  project.rewind("go", { overwrite: true });
  expect(project.ws.read(join(project.ws.outside, "a.txt"))).toBe("not ours");
});

test("a file that became a link out of the project is replaced itself, never what the link leads to [F16]", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  project.say("go");
  await project.write("a.txt", "two");
  const target = join(project.ws.outside, "target.txt");
  project.ws.write(target, "not ours");
  await project.shell("rm a.txt");
  symlinkSync(target, project.ws.at("a.txt"));
  project.rewind("go", { overwrite: true });
  expect(lstatSync(project.ws.at("a.txt")).isFile()).toBe(true);
  expect([project.ws.read("a.txt"), project.ws.read(target)]).toEqual(["one", "not ours"]);
  project.undo();
  expect(readlinkSync(project.ws.at("a.txt"))).toBe(target);
});

test("a file too large to be kept is told of and left", async () => {
  await using project = await Project.open({ "big.bin": "x" });
  truncateSync(project.ws.at("big.bin"), 17 * 1024 * 1024);
  project.say("go");
  await project.write("big.bin", "small");
  expect(project.plan("go")["big.bin"]).toContain("17825792 bytes, too many to be kept");
  project.rewind("go", { overwrite: true });
  expect(project.ws.read("big.bin")).toBe("small");
});

test("contents are kept once each, in private files in the session's folder", async () => {
  await using project = await Project.open({ "a.txt": "same", "b.txt": "same" });
  project.say("go");
  await project.write("a.txt", "x");
  await project.write("b.txt", "x");
  const folder = join(project.session.folder!, "checkpoints");
  const names = readdirSync(folder);
  expect(names).toHaveLength(1);
  if (process.platform !== "win32") {
    expect(statSync(join(folder, names[0]!)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
});

test("a kept content that is damaged is not put into a file", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  project.say("go");
  await project.write("a.txt", "two");
  const folder = join(project.session.folder!, "checkpoints");
  project.ws.write(join(folder, readdirSync(folder)[0]!), "evil");
  const { failed } = project.rewind("go");
  expect(failed).toEqual([{ path: "a.txt", why: "its kept content is damaged" }]);
  expect(project.ws.read("a.txt")).toBe("two");
});

test("the user's git sees nothing of checkpoints", async () => {
  await using project = await Project.open({ "a.txt": "one" }, { git: true });
  const before = project.ws.git("for-each-ref");
  await project.turn("go", "a.txt", "two");
  project.rewind("go");
  expect(project.ws.git("for-each-ref")).toBe(before);
  expect(project.ws.git("status", "--porcelain")).toBe("");
  expect(project.ws.git("stash", "list")).toBe("");
});

test("a session that leaves nothing on disk can go back as well", async () => {
  await using project = await Project.open({ "a.txt": "one" }, { onDisk: false });
  await project.turn("go", "a.txt", "two");
  project.rewind("go");
  expect(project.ws.read("a.txt")).toBe("one");
  project.undo();
  expect(project.ws.read("a.txt")).toBe("two");
  expect(readdirSync(project.ws.home)).toEqual([]);
});
