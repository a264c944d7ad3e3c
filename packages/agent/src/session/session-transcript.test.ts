import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import type { SessionTranscript } from "../contract/transcript.ts";
import { memorySession } from "./memory-session.ts";
import { assistant, storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

function shape({ branch, entries, others }: SessionTranscript) {
  const said = (list: SessionTranscript["entries"]) => texts(list.map(({ message }) => message));
  return {
    branch,
    said: said(entries),
    others: others.map(({ name, shared, entries: own }) => [name, shared, said(own)]),
  };
}

test("a transcript has all that was said on every branch, also behind a compaction, and what is shared once [A-SESS-02][A-SESS-03]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("one"));
  session.append(assistant("first"));
  session.createBranch("try");
  session.append(user("two"));
  session.compact("summary", [{ ...user("short"), origin: "summary" }], 2);
  session.append(assistant("second"));
  session.switchBranch("try");
  session.append(user("other"));
  const expected = {
    branch: "try",
    said: ["one", "first", "other"],
    others: [["main", 2, ["two", "second"]]],
  };
  expect(shape(session.transcript())).toEqual(expected as never);
  // Read while another process has it, and again after a reload.
  expect(shape(store.transcript(session.id))).toEqual(expected as never);
  expect(session.transcript().entries[0]?.time).toBeGreaterThan(Date.UTC(2025, 0));
  session.close();
});

test("a session that is on no disk has its transcript too", () => {
  const session = memorySession({ cwd: "/", ...NEW }, () => Date.UTC(2026, 0, 1));
  session.append(user("one"));
  expect(shape(session.transcript())).toEqual({ branch: "main", said: ["one"], others: [] });
});
