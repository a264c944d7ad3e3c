import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { removeLeftovers, removeSession } from "./session-removal.ts";
import { storeOf, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

test("a deleted session is gone with everything in its folder, and links in it are not followed [C13]", async () => {
  await using ws = await workspace({ "precious.txt": "keep" });
  const { store } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("hello"));
  session.close();
  mkdirSync(join(session.folder!, "output"));
  writeFileSync(join(session.folder!, "output", "1.txt"), "long");
  symlinkSync(ws.path, join(session.folder!, "output", "link"));
  expect(store.remove(session.id.slice(0, 9)).id).toBe(session.id);
  expect(readdirSync(ws.at("sessions"))).toEqual([]);
  expect(ws.read("precious.txt")).toBe("keep");
  expect(() => store.remove(session.id)).toThrow("there is no session");
});

test("a session that is in use is not deleted [C03]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("hello"));
  session.sync();
  expect(() => store.remove(session.id)).toThrow(`is in use by process ${process.pid}`);
  session.append(user("more"));
  session.close();
  expect(store.read(session.id).messages).toHaveLength(2);
});

test("a link in a session's place is left alone, and so is what it points to", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.outside);
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("hello"));
  session.close();
  mkdirSync(ws.at("sessions"));
  symlinkSync(session.folder!, ws.at("sessions/linked"));
  expect(() => removeSession(ws.at("sessions"), "linked")).toThrow("is a link, so it was not deleted");
  expect(existsSync(join(session.folder!, "events.jsonl"))).toBe(true);
});

test.each(["..", ".", "a/b", "", "../sessions"])(
  "no name leads out of the folder of sessions: %p",
  async (name) => {
    await using ws = await workspace({ "sessions/x/events.jsonl": "{}\n", "a/b/file": "keep" });
    expect(() => removeSession(ws.at("sessions"), name)).toThrow("was not deleted");
    expect(ws.read("sessions/x/events.jsonl")).toBe("{}\n");
  },
);

test("what a deletion that was cut short left behind is in no list and goes with the next one", async () => {
  await using ws = await workspace({ "sessions/.deleted-abc-1234/events.jsonl": "{}\n" });
  const { store } = storeOf(ws.at("sessions"));
  expect(store.list()).toEqual([]);
  removeLeftovers(ws.at("sessions"));
  expect(readdirSync(ws.at("sessions"))).toEqual([]);
});
