import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, workspace } from "@pi-ts/testkit";
import { createFileDoor } from "../../sandbox/files/file-door.ts";
import { createPlaceDoor } from "../../sandbox/files/place-door.ts";
import { SessionStore } from "../session-store.ts";
import { CheckpointRecorder } from "./recorder.ts";
import { Rewinder } from "./rewinder.ts";
import { Project } from "./test-support/project.ts";

const AGENT = join(import.meta.dir, "__fixtures__", "doomed-agent.ts");

test.each([
  ["before the edit", {}],
  ["after the edit", { "a.txt": "outside" }],
  ["after the result", { "a.txt": "clean" }],
  ["before the command", { "a.txt": "clean" }],
  ["in the command", { "a.txt": "outside", "b.txt": "outside" }],
  ["after the command", { "a.txt": "clean", "b.txt": "clean" }],
])(
  "an agent killed %s leaves what is needed to go back; what nobody saw the end of has to be confirmed [C02]",
  async (point, expected) => {
    await using ws = await workspace({ "a.txt": "one", "b.txt": "one" });
    const sessions = join(ws.home, "sessions");
    const { signal } = await runProcess([process.execPath, AGENT, ws.path, sessions, point], {
      cwd: ws.path,
      env: ws.env(),
    });
    expect(signal).toBe("SIGKILL");
    const notices: string[] = [];
    const store = new SessionStore({
      root: sessions,
      now: Date.now,
      onNotice: (message) => notices.push(message),
    });
    const session = store.open(store.list()[0]!.id);
    const files = createFileDoor({ root: ws.path });
    const onProblem = (message: string) => void notices.push(message);
    const places = createPlaceDoor(files.root);
    const { states } = new CheckpointRecorder({ session, files, places, project: null, onProblem });
    const rewinder = new Rewinder(session, states);
    const to = rewinder.prompts()[0]!.turn.node.parent;
    const plan = rewinder.plan(to).filter(({ kind }) => kind !== "same");
    expect(Object.fromEntries(plan.map(({ path, kind }) => [path, kind as string]))).toEqual(expected);
    rewinder.go({ to, conversation: true, restore: plan });
    expect([ws.read("a.txt"), ws.read("b.txt")]).toEqual(["one", "one"]);
    expect(session.messages()).toEqual([]);
    expect(notices).toEqual([]);
    session.close();
  },
);

test("a log that is cut at any byte still goes back to a state that was [C02]", async () => {
  await using project = await Project.open({ "a.txt": "0" });
  await project.turn("first", "a.txt", "1");
  await project.turn("second", "a.txt", "2");
  project.rewind("second");
  await project.turn("third", "a.txt", "3");
  project.rewind("third", { conversation: false });
  project.undo();
  const path = join(project.session.folder!, "events.jsonl");
  project.session.close();
  const bytes = readFileSync(path);
  for (let cut = bytes.length; cut > 0; cut -= 37) {
    writeFileSync(path, bytes.subarray(0, cut));
    project.ws.write("a.txt", "mine");
    project.reopen();
    for (const { turn } of project.rewinder.prompts()) {
      const plan = project.rewinder.plan(turn.node.parent);
      expect(plan.map(({ kind }) => kind)).toEqual(plan.map(() => "outside"));
    }
    const [oldest] = project.rewinder.prompts().slice(-1);
    if (oldest === undefined) continue;
    project.rewinder.go({
      to: oldest.turn.node.parent,
      conversation: true,
      restore: project.rewinder.plan(oldest.turn.node.parent),
    });
    expect(["0", "mine"]).toContain(project.ws.read("a.txt"));
  }
});

test("a rewind that was killed before all files were restored can be taken back, or done again", async () => {
  await using project = await Project.open({ "a.txt": "one", "b.txt": "one" });
  project.say("go");
  await project.write("a.txt", "two");
  await project.write("b.txt", "two");
  project.rewind("go");
  // As if only the first file had been reached.
  project.ws.write("b.txt", "two");
  project.reopen();
  const last = project.rewinder.last()!;
  expect(last.plan.map(({ path, kind }) => [path, kind])).toEqual([
    ["a.txt", "clean"],
    ["b.txt", "same"],
  ]);
  project.undo();
  expect([project.ws.read("a.txt"), project.ws.read("b.txt")]).toEqual(["two", "two"]);
  expect(project.plan("go")).toEqual({ "a.txt": "clean", "b.txt": "clean" });
});

test("after a restart the turns of before are there, and undo still works", async () => {
  await using project = await Project.open({ "a.txt": "one" });
  await project.turn("first", "a.txt", "two");
  project.reopen();
  await project.turn("second", "a.txt", "three");
  expect(project.rewinder.prompts().map(({ files }) => files)).toEqual([["a.txt"], ["a.txt"]]);
  project.rewind("first");
  expect(project.ws.read("a.txt")).toBe("one");
  project.reopen();
  project.undo();
  expect(project.ws.read("a.txt")).toBe("three");
});
