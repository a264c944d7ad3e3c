import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

function begun(root: string) {
  const { store } = storeOf(root);
  const session = store.create({ cwd: root, ...NEW });
  for (const text of ["a", "b"]) session.append(user(text));
  return { store, session };
}

test("a branch begins where the current one stands, and each goes its own way [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { session } = begun(ws.path);
  const live = session.messages();
  session.createBranch("try");
  session.append(user("on main"));
  session.switchBranch("try");
  expect(texts(live)).toEqual(["a", "b"]);
  session.append(user("on try"));
  expect(texts(live)).toEqual(["a", "b", "on try"]);
  session.switchBranch("main");
  expect(texts(live)).toEqual(["a", "b", "on main"]);
  expect(session.branches().map(({ name, current }) => [name, current])).toEqual([
    ["main", true],
    ["try", false],
  ]);
  session.close();
});

test("the branch in use is remembered, and what was said on it [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { store, session } = begun(ws.path);
  session.createBranch("try");
  session.switchBranch("try");
  session.append(user("on try"));
  session.close();
  const again = store.open(session.id);
  expect(again.branch).toBe("try");
  expect(texts(again.messages())).toEqual(["a", "b", "on try"]);
  again.append(user("more"));
  again.switchBranch("main");
  expect(texts(again.messages())).toEqual(["a", "b"]);
  again.close();
  expect(JSON.parse(ws.read(`${session.id}/branches.json`))).toEqual({
    active: "main",
    branches: Object.fromEntries(again.branches().map(({ name, head }) => [name, { head }])),
  });
});

test("a branch is renamed, also the one in use, and deleted, but not the one in use [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { store, session } = begun(ws.path);
  session.createBranch("try");
  session.renameBranch("main", "trunk");
  expect(session.branch).toBe("trunk");
  expect(() => session.deleteBranch("trunk")).toThrow(expect.objectContaining({ code: "branch_current" }));
  session.deleteBranch("try");
  session.append(user("c"));
  session.close();
  expect(store.read(session.id)).toMatchObject({ branch: "trunk", branches: ["trunk"] });
  expect(texts(store.read(session.id).messages)).toEqual(["a", "b", "c"]);
});

test("a name that is taken, missing or unfit is refused, and nothing is written [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { session } = begun(ws.path);
  session.createBranch("try/2");
  const before = ws.read(`${session.id}/events.jsonl`);
  const code = (name: string) => expect.objectContaining({ code: name });
  expect(() => session.createBranch("try/2")).toThrow(code("branch_exists"));
  expect(() => session.renameBranch("main", "try/2")).toThrow(code("branch_exists"));
  expect(() => session.switchBranch("nowhere")).toThrow(code("branch_missing"));
  expect(() => session.deleteBranch("nowhere")).toThrow(code("branch_missing"));
  for (const name of ["", "  ", "two words", "-x", "../up", "a\u001b[31m", "x".repeat(61), "a\nb"])
    expect(() => session.createBranch(name)).toThrow(code("branch_name"));
  session.switchBranch("main");
  session.renameBranch("try/2", " try/2 ");
  expect(ws.read(`${session.id}/events.jsonl`)).toBe(before);
  session.close();
});

test("names in any script are names, in one spelling [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { session } = begun(ws.path);
  session.createBranch("versuch-ü");
  expect(() => session.createBranch("versuch-u\u0308")).toThrow(/already/);
  session.createBranch("試し");
  expect(session.branches()).toHaveLength(3);
  session.close();
});
