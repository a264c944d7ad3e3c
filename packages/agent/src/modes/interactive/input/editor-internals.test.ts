import { expect, test } from "bun:test";
import type { Editor } from "@earendil-works/pi-tui";
import { internalsOf, snapshotOf } from "./editor-internals.ts";
import { PromptBench } from "./test-support/prompt-bench.ts";

test("a version of the library without a member that we use is named at once", () => {
  using bench = new PromptBench();
  const changed = Object.create(bench.editor, { handleBackspace: { value: undefined } }) as Editor;
  expect(() => internalsOf(changed)).toThrow("This version of pi-tui has no Editor.handleBackspace");
});

test("a snapshot for undo is apart from the text and shares the pastes", () => {
  using bench = new PromptBench();
  bench.type("a").paste("x\n".repeat(20));
  const inner = internalsOf(bench.editor);
  const snapshot = snapshotOf(inner);
  bench.type("b");
  expect(snapshot.state.lines).toEqual(["a[paste #1 +21 lines]"]);
  expect(snapshot.pastes).toEqual(inner.pastes);
  expect(snapshot.pastes).not.toBe(inner.pastes);
});
