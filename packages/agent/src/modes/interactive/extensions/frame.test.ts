import { expect, test } from "bun:test";
import { Text } from "@earendil-works/pi-tui";
import { drawing } from "../test-support/components.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("framer");
const danger = { active: false, tier: "off" } as unknown as NonNullable<
  SurfaceBench["host"]["facts"]["confinement"]
>;

test("words of extensions stand in the status line, each by its key, and change in place", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.setStatus(source, "a", "first");
  bench.ui.setStatus(source, "b", "\x1b[32msecond\x1b[39m line\nbreak");
  bench.ui.setStatus(extension("other"), "a", "of other");
  bench.ui.setStatus(source, "a", "changed");
  const rows = await bench.until("changed");
  expect(rows.at(-1)).toContain("changed  second line break  of other");
  bench.ui.setStatus(source, "a", undefined);
  expect((await bench.without("changed")).at(-1)).toContain("of other");
});

test("a word is cut, and cannot do more than look", async () => {
  await using bench = await SurfaceBench.open(200, 20);
  bench.ui.setStatus(source, "a", `\x1b[2J${"w".repeat(100)}`);
  const rows = await bench.until("www");
  expect(rows.at(-1)).toContain("\\x1b[2J");
  expect(/w+/.exec(rows.at(-1) ?? "")![0].length).toBeLessThan(40);
});

test("a footer stands for the facts but not for warnings, and gives the line back", async () => {
  await using bench = await SurfaceBench.open();
  bench.host.facts = { ...bench.host.facts, confinement: danger, gitBranch: "topic" };
  bench.host.tell({ type: "status" });
  await bench.until("sandbox off");
  bench.ui.setStatus(source, "k", "a word");
  bench.ui.setFooter(
    source,
    (
      _tui: unknown,
      _theme: unknown,
      data: { getGitBranch(): string | null; getExtensionStatuses(): ReadonlyMap<string, string> },
    ) => new Text(`my footer on ${data.getGitBranch()} with ${data.getExtensionStatuses().get("k")}`, 0, 0),
  );
  const rows = await bench.until("my footer on topic with a word");
  expect(rows.at(-1)).toBe("sandbox off");
  bench.ui.setFooter(source, undefined);
  const [last] = (await bench.without("my footer")).slice(-1);
  expect(last).toContain("Model");
});

test("a footer that fails gives the facts back and says so", async () => {
  await using bench = await SurfaceBench.open();
  let fails = false;
  bench.ui.setFooter(
    source,
    () =>
      drawing(() => {
        if (fails) throw new Error("no footer");
        return ["fine footer"];
      }).component,
  );
  await bench.until("fine footer");
  fails = true;
  bench.type("x");
  await bench.until("no footer");
  bench.type("y");
  expect((await bench.until("Model")).join("\n")).toContain("no footer");
});

test("of two footers the latest is seen, and the other when that has gone", async () => {
  await using bench = await SurfaceBench.open();
  const other = extension("other");
  bench.ui.setFooter(source, () => new Text("one", 0, 0));
  bench.ui.setFooter(other, () => new Text("two", 0, 0));
  await bench.until("two");
  bench.ui.release(other);
  await bench.until(/^one/m);
});

test("a header stands above the start panel of an empty conversation", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.setHeader(source, () => new Text("my header", 0, 0));
  const rows = await bench.until("my header");
  expect(rows[0]).toStartWith("my header");
  bench.ui.setHeader(source, undefined);
  await bench.without("my header");
});

test("the window's title and the word beside the spinner can be set and given back", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.setTitle(source, "mine\x07\nall");
  expect(bench.terminal.title).toBe("mine\\x07 all");
  bench.host.tell({ type: "busy", busy: true });
  expect(bench.terminal.title).toBe("● mine\\x07 all");
  bench.ui.setWorkingMessage(source, "Counting sheep");
  await bench.until("Counting sheep");
  bench.ui.release(source);
  await bench.until("Waiting for the model");
  expect(bench.terminal.title).toStartWith("● pi");
});

test("the prompt can be read, set, and pasted into", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.setEditorText("set by me");
  await bench.until("set by me");
  expect(bench.ui.editorText()).toBe("set by me");
  bench.ui.pasteToEditor(" and\x1b[201~ pasted");
  await bench.until("set by me and pasted");
  const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
  bench.ui.setEditorText("");
  bench.ui.pasteToEditor(long);
  expect(bench.ui.editorText()).toBe(long);
  expect((await bench.without("set by me")).join("\n")).not.toContain("line 20");
});

test("a notice is shown with the name, without what it would have written past it", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.notify(source, "\x1b[31mred\x1b[0m news\x1b]0;t\x07", "warning");
  expect((await bench.until("framer: red news"))[0]).toBe("! framer: red news");
});

test("messages of extensions fit a window of any width [T01]", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.setFooter(source, () => drawing((width) => ["f".repeat(width + 5)]).component);
  bench.ui.setStatus(source, "k", "日本語".repeat(30));
  for (const columns of [20, 39, 60, 61, 140]) {
    bench.resize(columns, 20);
    await bench.until((rows) => rows.includes("f".repeat(columns)));
  }
});
