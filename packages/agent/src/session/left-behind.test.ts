import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { countLeftBehind, leftBehind } from "./left-behind.ts";
import { memorySession } from "./memory-session.ts";
import { assistant, storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

/** Common ground on main, and a branch `idea` that was gone on with. */
function forked(session = memorySession({ cwd: "/p", ...NEW }, Date.now)) {
  session.append(user("common"));
  session.createBranch("idea");
  session.switchBranch("idea");
  session.append(user("idea 1"));
  session.append(assistant("answer 1"));
  const main = () => session.branchEnd("main").to;
  return { session, main };
}

test("what is left is what was said since the two ways parted [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { session, main } = forked(storeOf(ws.path).store.create({ cwd: ws.path, ...NEW }));
  expect(texts(leftBehind(session, main()))).toEqual(["idea 1", "answer 1"]);
  expect(countLeftBehind(session, main())).toBe(2);
  session.switchBranch("main");
  expect(leftBehind(session, session.branchEnd("idea").to)).toEqual([]);
  expect(countLeftBehind(session, session.branchEnd("idea").to)).toBe(0);
  session.close();
});

test("going back on the same way leaves what came after that place, and the very beginning leaves all [A-SESS-02]", () => {
  const { session } = forked();
  const [first] = [...session.tree.nodes.values()].filter(({ type }) => type === "message");
  expect(texts(leftBehind(session, first!))).toEqual(["idea 1", "answer 1"]);
  expect(texts(leftBehind(session, null))).toEqual(["common", "idea 1", "answer 1"]);
});

test("what a compaction stands for is told as it was said, with the newest summary before it; an undone one is none", () => {
  const { session, main } = forked();
  session.append(user("idea 2"));
  session.compact("summary", [{ ...user("SUMMARY"), origin: "summary" }, user("idea 2")], 4);
  session.append(assistant("answer 2"));
  expect(texts(leftBehind(session, main()))).toEqual(["SUMMARY", "idea 1", "answer 1", "idea 2", "answer 2"]);
  session.undoCompaction();
  expect(texts(leftBehind(session, main()))).toEqual(["idea 1", "answer 1", "idea 2", "answer 2"]);
});

test("a way on which only the program left notes is nothing to be summarised", () => {
  const session = memorySession({ cwd: "/p", ...NEW }, Date.now);
  session.append(user("common"));
  session.createBranch("idea");
  session.switchBranch("idea");
  session.append({ ...user("notes of main"), origin: "branch_summary" });
  session.append({ ...user("the date"), origin: "reminder" });
  const { to } = session.branchEnd("main");
  expect([countLeftBehind(session, to), leftBehind(session, to)]).toEqual([0, []]);
});
