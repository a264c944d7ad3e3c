import { expect, test } from "bun:test";
import { rewindCommand } from "./rewind.ts";
import type { MovedFile } from "./shared/move-port.ts";
import { type FakeMoves, fakeMoves, NOW } from "./test-support/fake-moves.ts";
import { type RunOptions, run } from "./test-support/run-command.ts";

const PROMPTS = [
  { turn: "p2", text: "make it\nblue", time: NOW - 60_000, files: 2 },
  { turn: "p1", text: "begin", time: NOW - 3_600_000, files: 0 },
];
const CLEAN: MovedFile[] = [
  { path: "a.txt", kind: "clean" },
  { path: "b.txt", kind: "clean" },
];
const MIXED: MovedFile[] = [
  { path: "a.txt", kind: "clean" },
  { path: "mine.txt", kind: "outside" },
  { path: "big.bin", kind: "lost", why: "it has 9 bytes, too many to be kept" },
];

function send(argument: string, fake: FakeMoves, options?: RunOptions) {
  const { ports, done } = fakeMoves({ prompts: PROMPTS, ...fake });
  return run(rewindCommand, argument, ports, options).then((result) => ({ ...result, done }));
}

test("/rewind lists the messages with age and changed files, the latest first [A-TUI-02]", async () => {
  const { dialogs, said, done } = await send("", {}, { answers: [null] });
  expect(dialogs.choices[0]!.choices.map(({ label, description }) => [label, description])).toEqual([
    ["make it blue", "1 min ago · 2 files changed since"],
    ["begin", "1 h ago · no file changed since"],
  ]);
  expect(said).toBe("Nothing was changed.");
  expect(done).toEqual([]);
});

test("without changed files only the conversation goes back, and the message is the draft again", async () => {
  const { done, said } = await send("", { view: { draft: "begin" } }, { answers: ["begin"] });
  expect(done).toEqual(["look before p1", "go conversation []", "draft begin"]);
  expect(said).toContain('You are before "begin".');
  expect(said).toContain("/rewind undo");
});

test("conversation and files go back after the diff was shown", async () => {
  const options = { answers: ["make it", "Conversation and files", true] };
  const { dialogs, done } = await send("", { view: { files: CLEAN, draft: "d" } }, options);
  expect(dialogs.confirms[0]!.title).toBe("Change 2 files like this?");
  expect(dialogs.confirms[0]!.detail).toEqual([
    { kind: "diff", text: "--- a/a.txt\n+++ b/a.txt\n--- a/b.txt\n+++ b/b.txt" },
  ]);
  expect(done.slice(1)).toEqual(["go conversation [a.txt b.txt]", "draft d"]);
});

test("files only leaves the conversation and makes no draft", async () => {
  const options = { answers: ["make it", "Files only", true] };
  const { done, said } = await send("", { view: { files: CLEAN, draft: "d" } }, options);
  expect(done.slice(1)).toEqual(["go stays [a.txt b.txt]"]);
  expect(said).toContain("2 files changed; the conversation stays.");
});

test("the conversation only leaves the files, and says so", async () => {
  const options = { answers: ["make it", "Conversation only"] };
  const { done, said, dialogs } = await send("", { view: { files: CLEAN } }, options);
  expect(done.slice(1)).toEqual(["go conversation []"]);
  expect(said).toContain("Files were not touched.");
  expect(dialogs.confirms).toEqual([]);
});

test("what something else changed is named, and left unless it is to be overwritten", async () => {
  const left = await send(
    "",
    { view: { files: MIXED } },
    { answers: ["make it", "and files", "Leave", true] },
  );
  expect(left.dialogs.choices[2]!.title).toBe("1 file changed since by something else than pi");
  expect(left.dialogs.choices[2]!.detail).toBe("mine.txt");
  expect(left.done.slice(1)).toEqual(["go conversation [a.txt]"]);
  expect(left.said).toContain("big.bin: it has 9 bytes, too many to be kept");
  const over = await send(
    "",
    { view: { files: MIXED } },
    { answers: ["make it", "and files", "Overwrite", true] },
  );
  expect(over.done.slice(1)).toEqual(["go conversation [a.txt mine.txt]"]);
});

test.each([
  [["make it", null]],
  [["make it", "and files", null]],
  [["make it", "and files", "Leave", false]],
])("a question that is dismissed changes nothing (%p)", async (answers) => {
  const { done, said } = await send("", { view: { files: MIXED } }, { answers });
  expect(done).toEqual(["look before p2"]);
  expect(said).toBe("Nothing was changed.");
});

test("a file that could not be changed makes the command fail, with the reason", async () => {
  const failed = [{ path: "a.txt", why: "no space left on the disk" }];
  const answers = ["make it", "and files", true];
  const result = await send("", { view: { files: CLEAN }, failed }, { answers });
  expect(result.failed).toBe(true);
  expect(result.said).toContain("a.txt was not changed: no space left on the disk");
});

test("/rewind undo asks before it leaves what was said since, and shows the diff", async () => {
  const last = { since: 2, files: CLEAN };
  const { dialogs, done } = await send("undo", { last }, { answers: [true, "and files", true] });
  expect(dialogs.confirms[0]!.title).toBe("Leave the 2 messages of yours since the last rewind?");
  expect(done).toEqual(["go conversation [a.txt b.txt]"]);
  const kept = await send("undo", { last }, { answers: [false] });
  expect(kept.done).toEqual([]);
});

test("/rewind undo without a rewind, and unknown words, are refused", async () => {
  expect((await send("undo", {})).failed).toBe(true);
  expect((await send("sideways", {})).said).toContain('/rewind does not know "sideways"');
});

test("/rewind says so when there is nothing to go back to", async () => {
  expect((await send("", { prompts: [] })).said).toBe("There is no message yet that one could go back to.");
});
