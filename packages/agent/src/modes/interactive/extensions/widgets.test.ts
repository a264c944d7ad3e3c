import { expect, test } from "bun:test";
import { Text } from "@earendil-works/pi-tui";
import { drawing } from "../test-support/components.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";
import { AWKWARD } from "../test-support/widths.ts";
import { Faults } from "./faults.ts";
import { GuardedComponent, type GuardParts } from "./guarded-component.ts";

const indexOf = (rows: readonly string[], text: string) => rows.findIndex((row) => row.includes(text));
const plain = { error: (text: string) => text, note: (text: string) => text };

test("widgets of two extensions stand above and below the editor, and a key is one widget", async () => {
  await using bench = await SurfaceBench.open();
  const [one, two] = [extension("one"), extension("two")];
  bench.ui.setWidget(one, "list", ["first of one"], "aboveEditor");
  bench.ui.setWidget(two, "list", () => new Text("made by two", 0, 0), "aboveEditor");
  bench.ui.setWidget(two, "low", ["below by two"], "belowEditor");
  bench.ui.setWidget(one, "list", ["second of one"], "aboveEditor");
  const rows = await bench.until("below by two");
  expect(rows.join("\n")).not.toContain("first of one");
  const rule = rows.findIndex((row) => row.startsWith("────"));
  expect(indexOf(rows, "made by two")).toBeLessThan(rule);
  expect(indexOf(rows, "second of one")).toBeLessThan(rule);
  expect(indexOf(rows, "below by two")).toBeGreaterThan(rule + 1);
  bench.ui.setWidget(one, "list", undefined, "aboveEditor");
  expect((await bench.without("second of one")).join("\n")).toContain("made by two");
});

test("a widget that is renewed keeps its place among the others", async () => {
  await using bench = await SurfaceBench.open();
  const [one, two] = [extension("one"), extension("two")];
  bench.ui.setWidget(one, "w", ["one at first"], "aboveEditor");
  bench.ui.setWidget(two, "w", ["two"], "aboveEditor");
  bench.ui.setWidget(one, "w", ["one again"], "aboveEditor");
  const rows = await bench.until("one again");
  expect(indexOf(rows, "one again")).toBe(indexOf(rows, "two") - 1);
});

test("a component that asks for a frame whenever it draws does not keep the program busy", async () => {
  await using bench = await SurfaceBench.open();
  const view = { drawn: 0 };
  bench.ui.setWidget(
    extension(),
    "w",
    (tui: { requestRender(): void }) =>
      drawing(() => {
        tui.requestRender();
        return [`frame ${++view.drawn}`];
      }).component,
    "aboveEditor",
  );
  await bench.until("frame 1");
  const { drawn } = view;
  bench.timers.advance(99);
  bench.ui.notify(extension(), "something else", "info");
  await bench.until("something else");
  expect(view.drawn).toBeLessThanOrEqual(drawn + 1);
  bench.timers.advance(1);
  await bench.until(`frame ${view.drawn + 1}`);
});

test("a list of lines is cut at ten and says how many more there are", async () => {
  await using bench = await SurfaceBench.open(80, 60);
  const lines = Array.from({ length: 15 }, (_, index) => `line ${index}.`);
  bench.ui.setWidget(extension(), "list", lines, "aboveEditor");
  const rows = await bench.until("… 5 more lines");
  expect(indexOf(rows, "line 9.")).toBeGreaterThan(0);
  expect(indexOf(rows, "line 10.")).toBe(-1);
});

test("widgets of 100,000 rows leave the editor and most of the screen", async () => {
  await using bench = await SurfaceBench.open(80, 30);
  const rows = Array.from({ length: 100_000 }, (_, index) => `row ${index}`);
  bench.ui.setWidget(extension("a"), "big", () => drawing(() => rows).component, "aboveEditor");
  bench.ui.setWidget(extension("b"), "big", () => drawing(() => rows).component, "belowEditor");
  bench.type("x");
  const screen = await bench.until(/^x/m);
  expect(screen.filter((row) => row.startsWith("row ")).length).toBeLessThanOrEqual(20);
  expect(screen.join("\n")).toContain("more rows");
});

test("a widget that throws says so in its place, is told once with the name, and disturbs nobody", async () => {
  await using bench = await SurfaceBench.open();
  const broken = drawing(() => {
    throw new Error("no luck");
  });
  bench.ui.setWidget(extension("bad"), "w", () => broken.component, "aboveEditor");
  bench.ui.setWidget(extension("good"), "w", ["still here"], "aboveEditor");
  await bench.until(/bad: its widget "w" could not be drawn: no luck/);
  bench.type("t", "y", "p", "e", "d");
  await bench.until("typed");
  await bench.until("still here");
  expect(broken.drawn).toBeGreaterThan(1);
  expect(bench.faults).toEqual(['bad: drawing its widget "w": no luck']);
});

test.each([
  [
    "throws",
    () => {
      throw new Error("factory");
    },
    "factory",
  ],
  ["gives no component", () => 42, "no component"],
])("a factory that %s is told and puts up nothing", async (_what, factory, message) => {
  await using bench = await SurfaceBench.open();
  bench.ui.setWidget(extension(), "w", factory, "aboveEditor");
  expect(bench.faults[0]).toContain(message);
  bench.ui.setWidget(extension(), "v", "a text", "aboveEditor");
  expect(bench.faults[1]).toContain("takes lines, a factory");
});

test("what a widget draws too wide is cut, and control sequences are shown [T03]", async () => {
  await using bench = await SurfaceBench.open(40, 20);
  bench.ui.setWidget(
    extension(),
    "w",
    () => drawing(() => ["w".repeat(100), "\x1b[2Jcleared"]).component,
    "aboveEditor",
  );
  const rows = await bench.until("cleared");
  expect(rows).toContain("w".repeat(40));
  expect(rows).toContain("\\x1b[2Jcleared");
  expect(bench.faults).toEqual([
    'todo: drawing its widget "w": it is wider than the screen; its rows are cut',
  ]);
});

test("widgets fit a window of any width [T01, T04]", async () => {
  await using bench = await SurfaceBench.open(100, 24);
  bench.ui.setWidget(extension("a"), "w", [AWKWARD, "end"], "aboveEditor");
  bench.ui.setWidget(extension("b"), "w", () => drawing(() => [AWKWARD, "below"]).component, "belowEditor");
  for (const columns of [20, 21, 33, 60, 81, 140]) {
    bench.resize(columns, 24);
    const rows = await bench.until((shown) => shown.some((row) => row === "─".repeat(columns)));
    expect(rows).toContain(" end");
    expect(rows).toContain("below");
  }
});

test("the rows of a component keep their identity while its own do", () => {
  const rows = ["a\x1b[2J", "b"];
  const guard = guarded(drawing(() => rows).component);
  expect(guard.render(20)).toBe(guard.render(20));
  expect(guard.render(19)).not.toBe(guard.render(20));
});

test("a component that is slow to draw is drawn less often, until a key is for it", () => {
  let now = 0;
  let later: (() => void) | undefined;
  let asked = 0;
  const slow = drawing(() => {
    now += 100;
    return [`at ${now}`];
  });
  const faults: string[] = [];
  const guard = guarded(slow.component, {
    timers: {
      now: () => now,
      every: () => () => undefined,
      after: (_ms, run) => {
        later = run;
        return () => undefined;
      },
    },
    requestRender: () => asked++,
    faults: heard(faults),
  });
  expect(guard.render(20)).toEqual(["at 100"]);
  for (let frame = 0; frame < 10; frame++) expect(guard.render(20)).toEqual(["at 100"]);
  expect(slow.drawn).toBe(1);
  expect(faults).toEqual([]);
  guard.handleInput("x");
  expect(guard.render(20)).toEqual(["at 200"]);
  guard.render(20);
  now += 600;
  later?.();
  expect(asked).toBe(1);
  expect(guard.render(20)).toEqual(["at 900"]);
  // The first drawing of anything may be slow; what goes on being slow is told.
  expect(faults).toEqual(["drawing its part"]);
});

test("what an extension put up goes when it is unloaded, and its components are ended", async () => {
  await using bench = await SurfaceBench.open();
  const source = extension();
  const widget = drawing(() => ["a widget"]);
  bench.ui.setWidget(source, "w", () => widget.component, "aboveEditor");
  bench.ui.setStatus(source, "s", "a word");
  await bench.until("a word");
  await bench.until("a widget");
  bench.ui.release(source);
  await bench.without("a word");
  await bench.without("a widget");
  expect(widget.disposed).toBe(1);
});

function heard(into: string[]): Faults {
  const faults = new Faults();
  faults.listen((_source, what) => into.push(what));
  return faults;
}

function guarded(
  component: ConstructorParameters<typeof GuardedComponent>[0],
  parts: Partial<GuardParts> = {},
): GuardedComponent {
  return new GuardedComponent(component, {
    source: extension(),
    what: "its part",
    faults: new Faults(),
    drawing: { now: false },
    timers: { now: () => 0, every: () => () => undefined, after: () => () => undefined },
    requestRender: () => undefined,
    rows: () => 10,
    paint: plain,
    ...parts,
  });
}
