import { expect, test } from "bun:test";
import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import { KEY } from "../test-support/dialog-screen.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("issues");

/** Completes `#1` to issues, and leaves all else to the one within. */
const issues =
  (label = "a bug") =>
  (current: AutocompleteProvider): AutocompleteProvider => ({
    triggerCharacters: ["#"],
    getSuggestions: async (lines, line, column, options) => {
      const typed = /#\S*$/.exec((lines[line] ?? "").slice(0, column))?.[0];
      if (typed === undefined) return current.getSuggestions(lines, line, column, options);
      return { items: [{ value: "#123", label }], prefix: typed };
    },
    applyCompletion: (lines, line, column, item, prefix) => {
      if (!prefix.startsWith("#")) return current.applyCompletion(lines, line, column, item, prefix);
      const text = lines[line] ?? "";
      const done = text.slice(0, column - prefix.length) + item.value;
      const changed = [...lines];
      changed[line] = done + text.slice(column);
      return { lines: changed, cursorLine: line, cursorCol: done.length };
    },
  });

test("an extension completes in the prompt, and Enter takes what it offers", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.addAutocompleteProvider(source, issues());
  bench.type(..."fix #1");
  await bench.until("a bug");
  bench.type(KEY.enter);
  await bench.until("fix #123");
  expect(bench.host.sent).toEqual([]);
  bench.type(KEY.enter);
  expect(bench.host.sent.map(({ text }) => text)).toEqual(["fix #123"]);
});

test("the prompt's own completions still work within, and alone when the extension has gone", async () => {
  await using bench = await SurfaceBench.open();
  const remove = bench.ui.addAutocompleteProvider(source, issues());
  bench.type(..."see @mai");
  await bench.until("src/main.ts");
  bench.type(KEY.enter);
  await bench.until("see @src/main.ts");
  remove();
  bench.type("#");
  bench.type(KEY.enter);
  expect(bench.host.sent.map(({ text }) => text)).toEqual(["see @src/main.ts #"]);
});

test.each<[string, unknown, string]>([
  [
    "throws",
    () => {
      throw new Error("oh");
    },
    "oh",
  ],
  ["is no function", 7, "is needed"],
  ["offers no list", () => ({ getSuggestions: async () => ({ items: "x" }) }), "neither null nor"],
  ["rejects", () => ({ getSuggestions: () => Promise.reject(new Error("slow")) }), "slow"],
])("completions of an extension that %s leave the prompt's own", async (_what, wrap, message) => {
  await using bench = await SurfaceBench.open();
  bench.ui.addAutocompleteProvider(source, wrap);
  bench.type(..."@mai");
  await bench.until("src/main.ts");
  expect(bench.faults).toHaveLength(1);
  expect(bench.faults[0]).toContain(message);
});

test("what an extension offers is drawn safely", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.addAutocompleteProvider(source, issues("a\x1b[2J\u202eb"));
  bench.type("#");
  await bench.until("a\\x1b[2J\\u{202e}b");
});
