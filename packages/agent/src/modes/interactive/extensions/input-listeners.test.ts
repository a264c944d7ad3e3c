import { expect, test } from "bun:test";
import { KEY } from "../test-support/dialog-screen.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("listener");

test("a listener hears keys before the prompt does, keeps some and changes others", async () => {
  await using bench = await SurfaceBench.open();
  const heard: string[] = [];
  const remove = bench.ui.onTerminalInput(source, (data) => {
    heard.push(data);
    if (data === "x") return { consume: true };
    return data === "a" ? { data: "b" } : undefined;
  });
  bench.type("x", "a", "c");
  await bench.until(/^bc/m);
  remove();
  bench.type("x");
  await bench.until(/^bcx/m);
  expect(heard).toEqual(["x", "a", "c"]);
});

test("a listener that throws is told, and the key goes on", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.onTerminalInput(source, () => {
    throw new Error("deaf");
  });
  bench.type("o", "k");
  await bench.until(/^ok/m);
  expect(bench.faults).toEqual(["listener: its key listener: deaf"]);
});

test.each([
  ["Ctrl+C", KEY.controlC, 2],
  ["Esc", KEY.escape, 3],
])("a listener that keeps everything is turned off by %s pressed again [T06]", async (name, key, presses) => {
  await using bench = await SurfaceBench.open();
  bench.host.tell({ type: "busy", busy: true });
  bench.ui.onTerminalInput(source, () => ({ consume: true }));
  for (let press = 1; press < presses; press++) bench.type(key);
  expect(bench.host.interrupts).toBe(0);
  bench.type(key);
  expect(bench.host.interrupts).toBe(1);
  expect(bench.faults).toEqual([`listener: its key listener: it went on taking ${name} and is turned off`]);
  bench.type("o", "k");
  await bench.until(/^ok/m);
});

test("a listener that takes Ctrl+C now and then stays", async () => {
  await using bench = await SurfaceBench.open();
  let taken = 0;
  bench.ui.onTerminalInput(source, (data) => {
    if (data !== KEY.controlC) return undefined;
    taken++;
    return { consume: true };
  });
  for (let press = 0; press < 4; press++) {
    bench.type(KEY.controlC);
    bench.timers.advance(2_001);
  }
  expect(taken).toBe(4);
  expect(bench.faults).toEqual([]);
});

test("listeners hear nothing while a question is open", async () => {
  await using bench = await SurfaceBench.open();
  const heard: string[] = [];
  bench.ui.onTerminalInput(source, (data) => {
    heard.push(data);
    return { consume: true };
  });
  const answer = bench.control.dialogs.confirm({ title: "Sure?" });
  await bench.until("Sure?");
  bench.type(KEY.enter);
  expect(await answer).toBe(true);
  expect(heard).toEqual([]);
});
