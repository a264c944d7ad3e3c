/** Going to another branch with its files and with notes of what is left, and taking that back. */
import { expect, test } from "bun:test";
import { texts, user } from "../test-support/sessions.ts";
import { Project } from "./test-support/project.ts";

const NOTES = { ...user("[notes of idea]"), origin: "branch_summary" as const };

/** On branch `idea`, which left main after "one" and made a.txt read "green". */
async function forked(): Promise<Project> {
  const project = await Project.open({ "a.txt": "grey" });
  project.say("one");
  project.answer("done: one");
  project.session.createBranch("idea");
  project.session.switchBranch("idea");
  await project.turn("two", "a.txt", "green");
  return project;
}

/** Goes to a branch with all files that are the agent's. */
function go(project: Project, name: string, notes?: typeof NOTES): void {
  const { to, branch } = project.rewinder.find({ branch: name });
  const restore = project.rewinder.plan(to).filter(({ kind }) => kind === "clean");
  project.rewinder.go({
    to,
    branch: branch!,
    conversation: true,
    restore,
    ...(notes === undefined ? {} : { notes }),
  });
}

test("a branch is gone to with its files and back again, and notes of what was left stand at its end, also after a reload [A-SESS-02]", async () => {
  await using project = await forked();
  go(project, "main", NOTES);
  expect(project.ws.read("a.txt")).toBe("grey");
  expect(texts(project.session.messages())).toEqual(["one", "done: one", "[notes of idea]"]);
  project.reopen();
  expect(texts(project.session.messages())).toEqual(["one", "done: one", "[notes of idea]"]);
  go(project, "idea");
  expect(project.ws.read("a.txt")).toBe("green");
  expect(texts(project.session.messages())).not.toContain("[notes of idea]");
});

test("taking it back at once takes the notes off the branch again [A-SESS-02]", async () => {
  await using project = await forked();
  const before = texts(project.session.messages());
  go(project, "main", NOTES);
  project.undo();
  expect([project.session.branch, project.ws.read("a.txt")]).toEqual(["idea", "green"]);
  expect(texts(project.session.messages())).toEqual(before);
  project.session.switchBranch("main");
  expect(texts(project.session.messages())).toEqual(["one", "done: one"]);
});

test("taking it back after something was said there leaves that and the notes on the branch [A-SESS-02]", async () => {
  await using project = await forked();
  go(project, "main", NOTES);
  project.say("three");
  project.undo();
  expect(project.session.branch).toBe("idea");
  project.session.switchBranch("main");
  expect(texts(project.session.messages())).toEqual(["one", "done: one", "[notes of idea]", "three"]);
});

test("a branch that is not there is refused with the names of those that are", async () => {
  await using project = await forked();
  expect(() => project.rewinder.find({ branch: "nowhere" })).toThrow(
    expect.objectContaining({ code: "branch_missing", hint: expect.stringContaining("main, idea") }),
  );
});
