import { expect, test } from "bun:test";
import { CURSOR_MARKER, type KeybindingsManager, SelectList, Text, type TUI } from "@earendil-works/pi-tui";
import { drawing } from "../test-support/components.ts";
import { KEY } from "../test-support/dialog-screen.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

type Done = (value: unknown) => void;
type Factory = (tui: TUI, theme: unknown, keybindings: KeybindingsManager, done: Done) => unknown;

const source = extension("shower");
const custom = (bench: SurfaceBench, factory: Factory, options = {}, from = source) =>
  bench.ui.custom(from, factory, options);
const KEYS_OUT: [string, string][] = [
  ["Esc", KEY.escape],
  ["Ctrl+C", KEY.controlC],
];

test("a component has the editor's place and the keys until it is done, and the draft is kept", async () => {
  await using bench = await SurfaceBench.open();
  bench.type(..."my draft");
  await bench.until("my draft");
  const items = [
    { value: "a", label: "alpha" },
    { value: "b", label: "beta" },
  ];
  const same = (text: string) => text;
  const look = {
    selectedPrefix: same,
    selectedText: same,
    description: same,
    scrollInfo: same,
    noMatch: same,
  };
  const answer = custom(bench, (_tui, _theme, _keybindings, done) => {
    const list = new SelectList(items, 5, look);
    list.onSelect = (item) => done(item.value);
    return list;
  });
  await bench.until("alpha");
  await bench.without("my draft");
  bench.timers.advance(400);
  bench.type(KEY.down, KEY.enter);
  expect(await answer).toBe("b");
  await bench.until("my draft");
  bench.type("!");
  await bench.until("my draft!");
});

test("a component draws again when it asks for it, and the program's theme and keys reach it", async () => {
  await using bench = await SurfaceBench.open();
  let count = 0;
  let screen: TUI | undefined;
  let matched = false;
  const done = custom(bench, (tui, theme, keybindings, close) => {
    screen = tui;
    const { fg } = theme as { fg(token: string, text: string): string };
    return drawing(
      () => [fg.call(theme, "accent", `count ${count} on ${tui.terminal.columns}x${tui.terminal.rows}`)],
      (data) => {
        matched = keybindings.matches(data, "tui.select.down");
        if (data === "q") close("left");
      },
    ).component;
  });
  await bench.until("count 0 on 80x24");
  count = 7;
  screen!.requestRender();
  await bench.until("count 7");
  bench.type(KEY.down);
  expect(matched).toBe(true);
  bench.resize(60, 20);
  await bench.until("count 7 on 60x20");
  bench.type("q");
  expect(await done).toBe("left");
});

test.each(KEYS_OUT)("%s twice closes a component that does nothing with it [T06]", async (name, key) => {
  await using bench = await SurfaceBench.open();
  const deaf = drawing(() => ["I stay"]);
  const answer = custom(bench, () => deaf.component);
  await bench.until("I stay");
  bench.type(key);
  await bench.until(`${name} again closes what shower shows`);
  expect(deaf.keys).toEqual([key]);
  bench.type(key);
  expect(await answer).toBeUndefined();
  await bench.without("I stay");
  expect(deaf.disposed).toBe(1);
  expect(bench.host.quits).toBe(0);
  expect(bench.host.interrupts).toBe(0);
});

test("Esc belongs to a component that goes back step by step; Ctrl+C twice leaves it at any step [T06]", async () => {
  await using bench = await SurfaceBench.open();
  let step = 5;
  const answer = custom(
    bench,
    () =>
      drawing(
        () => [`step ${step}`],
        (data) => {
          if (data === KEY.escape) step--;
        },
      ).component,
  );
  await bench.until("step 5");
  bench.type(KEY.escape, KEY.escape, KEY.escape);
  await bench.until("step 2");
  bench.type(KEY.controlC, KEY.controlC);
  expect(await answer).toBeUndefined();
});

test("two presses that lie further apart than two seconds close nothing", async () => {
  await using bench = await SurfaceBench.open();
  const answer = custom(bench, () => drawing(() => ["I stay"]).component);
  await bench.until("I stay");
  bench.type(KEY.controlC);
  bench.timers.advance(2_001);
  bench.type(KEY.controlC);
  await bench.until("I stay");
  bench.type(KEY.controlC);
  expect(await answer).toBeUndefined();
});

test.each(KEYS_OUT)(
  "%s closes a component that cannot be drawn, and the fault is told",
  async (_name, key) => {
    await using bench = await SurfaceBench.open();
    const answer = custom(
      bench,
      () =>
        drawing(() => {
          throw new Error("cannot draw");
        }).component,
    );
    await bench.until("shower: its dialog could not be drawn: cannot draw");
    bench.type(key);
    expect(await answer).toBeUndefined();
    expect(bench.faults).toEqual(["shower: drawing its dialog: cannot draw"]);
  },
);

test("a component that fails at a key goes on, and the fault is told", async () => {
  await using bench = await SurfaceBench.open();
  const answer = custom(
    bench,
    (_tui, _theme, _keys, done) =>
      drawing(
        () => ["here"],
        (data) => {
          if (data === "x") throw new Error("bad key");
          done(data);
        },
      ).component,
  );
  await bench.until("here");
  bench.type("x", "y");
  expect(await answer).toBe("y");
  expect(bench.faults).toEqual(["shower: a key for its dialog: bad key"]);
});

test.each(KEYS_OUT)(
  "%s gets a person out while a component is on its way that never comes [T06]",
  async (_name, key) => {
    await using bench = await SurfaceBench.open();
    const answer = custom(bench, () => new Promise(() => undefined), { overlay: true });
    await bench.until("shower is preparing what it shows");
    bench.type(key);
    expect(await answer).toBeUndefined();
    bench.type(..."typing");
    await bench.until("typing");
  },
);

test("a component that comes later is shown then, and one that comes too late is ended", async () => {
  await using bench = await SurfaceBench.open();
  const [soon, late] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
  const shown = custom(bench, (_tui, _theme, _keys, done) =>
    soon.promise.then(() => drawing(() => ["it came"], done).component),
  );
  await bench.until("is preparing");
  soon.resolve(undefined);
  await bench.until("it came");
  bench.type("k");
  expect(await shown).toBe("k");

  const view = drawing(() => ["too late"]);
  const closed = custom(bench, () => late.promise);
  await bench.until("is preparing");
  bench.type(KEY.escape);
  expect(await closed).toBeUndefined();
  late.resolve(view.component);
  await late.promise;
  await Promise.resolve();
  expect(view.disposed).toBe(1);
});

test.each<[string, unknown, string]>([
  [
    "throws",
    () => {
      throw new Error("no");
    },
    "no",
  ],
  ["rejects", () => Promise.reject(new Error("later no")), "later no"],
  ["gives no component", () => ({}), "no component"],
  ["is no function", "text", "takes a function"],
])("a factory that %s answers with undefined and is told", async (_what, factory, message) => {
  await using bench = await SurfaceBench.open();
  expect(await bench.ui.custom(source, factory, {})).toBeUndefined();
  expect(bench.faults).toHaveLength(1);
  expect(bench.faults[0]).toContain(message);
  bench.type("t");
  await bench.until(/^t/m);
});

test("a component of 100,000 rows keeps its cursor in sight and the status line on the screen", async () => {
  await using bench = await SurfaceBench.open(60, 20);
  const rows = Array.from({ length: 100_000 }, (_, at) =>
    at === 50_000 ? `${CURSOR_MARKER}here` : `row ${at}`,
  );
  const answer = custom(bench, () => drawing(() => rows).component);
  const screen = await bench.until("here");
  expect(screen.at(-1)).toContain("Model");
  bench.type(KEY.controlC, KEY.controlC);
  expect(await answer).toBeUndefined();
});

test("a question that a component asks stands before it, and then it goes on", async () => {
  await using bench = await SurfaceBench.open();
  let sure: Promise<boolean> | undefined;
  const answer = custom(
    bench,
    (_tui, _theme, _keys, done) =>
      drawing(
        () => ["the component"],
        (data) => {
          if (data !== "d") return;
          sure = bench.ui.confirm("Sure?", "", { source });
          void sure.then((yes) => done(yes ? "deleted" : "kept"));
        },
      ).component,
  );
  await bench.until("the component");
  bench.type("d");
  await bench.until("shower: Sure?");
  await bench.without("the component");
  bench.type(KEY.enter);
  expect(await answer).toBe("deleted");
});

test.each([
  ["in the editor's place", {}],
  ["over the transcript", { overlay: true, overlayOptions: { width: "100%", anchor: "bottom-center" } }],
])(
  "the program's question before a tool call is seen and answered while a component is %s",
  async (_where, options) => {
    await using bench = await SurfaceBench.open();
    const view = drawing(() => Array.from({ length: 20 }, () => "C".repeat(80)));
    const shown = custom(bench, () => view.component, options);
    await bench.until("CCCC");
    const decision = bench.control.consent.decide(
      {
        call: { id: "1", name: "bash", input: { command: "rm -rf build" } },
        rule: "ask bash",
        reason: "it deletes",
        suggestions: [],
        lasting: false,
      } as unknown as Parameters<typeof bench.control.consent.decide>[0],
      new AbortController().signal,
    );
    const rows = await bench.until("Run bash?");
    expect(rows.join("\n")).not.toContain("CCCC");
    bench.timers.advance(400);
    bench.type(KEY.enter);
    expect(await decision).toEqual({ answer: "once" });
    await bench.until("CCCC");
    // The keys are the component's again.
    const before = view.keys.length;
    bench.type("k");
    expect(view.keys.slice(before)).toEqual(["k"]);
    bench.type(KEY.controlC, KEY.controlC);
    expect(await shown).toBeUndefined();
  },
);

test("of two components the latest is seen, and the one before comes back", async () => {
  await using bench = await SurfaceBench.open();
  const first = custom(bench, (_tui, _theme, _keys, done) => drawing(() => ["the first"], done).component);
  await bench.until("the first");
  const second = custom(
    bench,
    (_tui, _theme, _keys, done) => drawing(() => ["the second"], done).component,
    {},
    extension("other"),
  );
  await bench.until("the second");
  await bench.without("the first");
  bench.type("2");
  expect(await second).toBe("2");
  await bench.until("the first");
  bench.type("1");
  expect(await first).toBe("1");
});

test("an extension that is unloaded leaves no component behind", async () => {
  await using bench = await SurfaceBench.open();
  const inline = custom(bench, () => new Text("in the editor's place", 0, 0));
  const overlay = custom(bench, () => new Text("over the rest", 0, 0), { overlay: true });
  await bench.until("over the rest");
  bench.ui.release(source);
  expect(await Promise.all([inline, overlay])).toEqual([undefined, undefined]);
  await bench.without("in the editor's place");
  await bench.without("over the rest");
  bench.type(..."free");
  await bench.until("free");
});
