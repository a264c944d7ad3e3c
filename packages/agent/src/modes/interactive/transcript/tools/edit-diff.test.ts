import { expect, test } from "bun:test";
import type { JsonObject } from "../../../../contract/json.ts";
import { changesOf } from "./edit-diff.ts";

function changes(input: JsonObject, content: string, details: JsonObject) {
  const result = { content, isError: false, details };
  return changesOf({ id: "1", name: "edit", input, live: "", result })?.map(
    ({ kind, text, oldLine, newLine }) =>
      `${oldLine ?? ""}:${newLine ?? ""}${{ added: "+", removed: "-", context: " ", note: "~" }[kind]}${text}`,
  );
}

test("lines added within a text are numbered from where the edit stands", () => {
  const content = "Edited a: 1 replacement.\n9\tbefore\n10\ta\n11\tnew\n12\tb\n13\tafter";
  expect(
    changes({ old_string: "a\nb", new_string: "a\nnew\nb" }, content, { replacements: 1, lines: [10] }),
  ).toEqual(["9:9 before", "10:10 a", ":11+new", "11:12 b", "12:13 after"]);
});

test("a text that occurs twice in its line is shown without a guess about the rest of the line", () => {
  const content = "Edited a: 1 replacement.\n3\tx + x";
  expect(changes({ old_string: "y", new_string: "x" }, content, { replacements: 1, lines: [3] })).toEqual([
    "3:-y",
    ":3+x",
  ]);
});

test("a deletion of a whole line is one", () => {
  const content = "Edited a: 1 replacement.\n1\tone\n2\tthree";
  expect(
    changes({ old_string: "two\n", new_string: "" }, content, { replacements: 1, lines: [2] }),
  ).toContain("2:-two");
});

test("several edits are shown one after the other, without numbers that could be wrong", () => {
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "d" },
  ];
  expect(changes({ edits }, "Edited", { replacements: 2, lines: [5, 9] })).toEqual([
    ":-a",
    ":+b",
    ":~",
    ":-c",
    ":+d",
  ]);
});

test("an edit that replaced all says in how many places", () => {
  const input = { old_string: "a", new_string: "b", replace_all: true };
  expect(changes(input, "Edited", { replacements: 3, lines: [1, 2, 3] })).toEqual([
    ":-a",
    ":+b",
    ":~in 3 places",
  ]);
});

test("a diff that the tool itself gives is taken", () => {
  expect(changes({}, "", { diff: "@@ -1 +1 @@\n-a\n+b\n" })).toEqual([":~@@ -1 +1 @@", "1:-a", ":1+b"]);
});

test("nothing is claimed of an edit that failed", () => {
  const result = { content: "no", isError: true, details: {} };
  expect(
    changesOf({ id: "1", name: "edit", input: { old_string: "a", new_string: "b" }, live: "", result }),
  ).toBeUndefined();
});
