import { expect, test } from "bun:test";
import { KEY } from "../test-support/dialog-screen.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("asker");

test("a choice is asked with the name of who asks, and answers with the option", async () => {
  await using bench = await SurfaceBench.open();
  const answer = bench.ui.select("Which?\nThere are two.", ["one", "\x1b[31mtwo\x1b[0m"], { source });
  const rows = await bench.until("asker: Which?");
  expect(rows.join("\n")).toContain("There are two.");
  expect(rows.join("\n")).toContain("  two");
  bench.type(KEY.down, KEY.enter);
  expect(await answer).toBe("\x1b[31mtwo\x1b[0m");
});

test("a confirmation, a line of text and several lines are answered with what was typed", async () => {
  await using bench = await SurfaceBench.open();
  const sure = bench.ui.confirm("Sure?", "It cannot be undone.", { source });
  await bench.until("It cannot be undone.");
  bench.type(KEY.enter);
  expect(await sure).toBe(true);

  const line = bench.ui.input("Name", "e.g. Ada", { source });
  await bench.until("e.g. Ada");
  bench.type(..."Bob");
  await bench.without("e.g. Ada");
  bench.type(KEY.enter);
  expect(await line).toBe("Bob");

  const lines = bench.ui.editor("Notes", "first\nsecond", { source });
  await bench.until("second");
  bench.type("!", "\n", "t", "h", "i", "r", "d", KEY.enter);
  expect(await lines).toBe("first\nsecond!\nthird");
});

test.each([
  ["Esc", KEY.escape],
  ["Ctrl+C", KEY.controlC],
])("%s dismisses each question of an extension [T06]", async (_name, key) => {
  await using bench = await SurfaceBench.open();
  const asked: [() => Promise<unknown>, unknown][] = [
    [() => bench.ui.select("q-select", ["a"], { source }), undefined],
    [() => bench.ui.confirm("q-confirm", "m", { source }), false],
    [() => bench.ui.input("q-input", undefined, { source }), undefined],
    [() => bench.ui.editor("q-editor", "text", { source }), undefined],
  ];
  for (const [ask, dismissed] of asked) {
    const answer = ask();
    await bench.until("asker: q-");
    bench.type(key);
    expect(await answer).toBe(dismissed);
    await bench.without("asker: q-");
  }
  expect(bench.host.quits).toBe(0);
});

test("a question with a time counts down and is dismissed when it is over", async () => {
  await using bench = await SurfaceBench.open();
  const answer = bench.ui.confirm("Now?", "", { source, timeoutMs: 3_000 });
  await bench.until("asker: Now? (3s)");
  bench.timers.advance(1_000);
  await bench.until("asker: Now? (2s)");
  bench.timers.advance(2_000);
  expect(await answer).toBe(false);
  await bench.without("Now?");
});

test("the time of a question begins when it is seen", async () => {
  await using bench = await SurfaceBench.open();
  const first = bench.ui.confirm("First?", "", { source });
  const second = bench.ui.confirm("Second?", "", { source, timeoutMs: 5_000 });
  await bench.until("First?");
  bench.timers.advance(60_000);
  bench.type(KEY.enter);
  expect(await first).toBe(true);
  await bench.until("Second? (5s)");
  bench.type(KEY.enter);
  expect(await second).toBe(true);
});

test("an aborted question closes, also while it waits for its turn", async () => {
  await using bench = await SurfaceBench.open();
  const [open, waiting] = [new AbortController(), new AbortController()];
  const first = bench.ui.select("First?", ["a"], { source, signal: open.signal });
  const second = bench.ui.select("Second?", ["b"], { source, signal: waiting.signal });
  await bench.until("First?");
  waiting.abort();
  expect(await second).toBeUndefined();
  open.abort();
  expect(await first).toBeUndefined();
  await bench.without("First?");
});

test("questions of extensions and of the program come one after the other, in their order", async () => {
  await using bench = await SurfaceBench.open();
  const answers: string[] = [];
  const asked = [
    bench.ui.confirm("One?", "", { source: extension("a") }).then(() => answers.push("one")),
    bench.control.dialogs.confirm({ title: "Two?" }).then(() => answers.push("two")),
    bench.ui.confirm("Three?", "", { source: extension("b") }).then(() => answers.push("three")),
  ];
  for (const title of ["a: One?", "Two?", "b: Three?"]) {
    const rows = await bench.until(title);
    expect(rows.filter((row) => row.includes("?")).length).toBe(1);
    bench.type(KEY.enter);
    await bench.without(title);
  }
  await Promise.all(asked);
  expect(answers).toEqual(["one", "two", "three"]);
});

test("keys that were meant for a prompt do not answer a question that comes meanwhile", async () => {
  await using bench = await SurfaceBench.open();
  bench.type(..."my prompt");
  await bench.until("my prompt");
  const answer = bench.ui.confirm("Delete all?", "", { source });
  await bench.until("Delete all?");
  bench.type(KEY.enter);
  bench.timers.advance(399);
  bench.type(KEY.enter);
  bench.timers.advance(1);
  await bench.until("Delete all?");
  bench.type(KEY.escape);
  expect(await answer).toBe(false);
  await bench.until("my prompt");
});

test("a question can be answered while an answer streams, and the stream goes on behind it", async () => {
  await using bench = await SurfaceBench.open();
  bench.host.tell({ type: "busy", busy: true });
  const answer = bench.ui.select("Which?", ["one", "two"], { source });
  await bench.until("asker: Which?");
  bench.host.tell({ type: "event", event: { type: "text_delta", delta: "streamed words" } });
  const rows = await bench.until("streamed words");
  expect(rows.join("\n")).toContain("asker: Which?");
  bench.timers.advance(400);
  bench.type(KEY.enter);
  expect(await answer).toBe("one");
});

test("an extension that is unloaded leaves no question behind", async () => {
  await using bench = await SurfaceBench.open();
  const leaving = extension("leaving");
  const open = bench.ui.input("Open?", undefined, { source: leaving });
  const waiting = bench.ui.confirm("Waiting?", "", { source: leaving });
  await bench.until("Open?");
  bench.ui.release(leaving);
  expect(await open).toBeUndefined();
  expect(await waiting).toBe(false);
  await bench.without("Open?");
  expect(bench.timers.running).toBe(1); // the surface's own second
});
