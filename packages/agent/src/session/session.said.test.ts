import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { assistant, storeOf, texts, user } from "./test-support/sessions.ts";

test("what was said is still there to be read after a compaction, also in another process [A-SESS-03]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const session = store.create({ cwd: ws.path, mode: "interactive", model: "m", provider: "p" });
  session.append(user("one"));
  session.append(assistant("first"));
  session.append(user("two"));
  session.compact("summary", [{ ...user("summary"), origin: "summary" }], 2);
  session.append(assistant("second"));
  const all = ["one", "first", "two", "second"];
  expect(texts(session.messages())).toEqual(["summary", "two", "second"]);
  expect(texts(session.said())).toEqual(all);
  session.close();
  const again = store.open(session.id);
  expect(texts(again.said())).toEqual(all);
  again.close();
});
