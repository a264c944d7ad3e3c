import { expect, test } from "bun:test";
import { KEY } from "../test-support/dialog-screen.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("keys");
const CONTROL_X = "\x18";
const CONTROL_K = "\x0b";

test("a key of an extension runs what it is for, until it is given back", async () => {
  await using bench = await SurfaceBench.open();
  let runs = 0;
  const remove = bench.ui.registerShortcut(source, "ctrl+x", "does it", () => runs++);
  bench.type("a", CONTROL_X, "b");
  await bench.until(/^ab/m);
  expect(runs).toBe(1);
  expect(bench.control.keys.list().filter(({ group }) => group === "extensions")).toEqual([
    { action: "keys", description: "does it", keys: ["Ctrl+X"], group: "extensions", changed: false },
  ]);
  remove?.();
  bench.type(CONTROL_X);
  expect(runs).toBe(1);
});

test.each(["escape", "ctrl+c", "ctrl+d", "ctrl+o", "enter", "Ctrl+K", "a", "shift+a", "space", "no+key", ""])(
  "no extension gets the key %p",
  async (key) => {
    await using bench = await SurfaceBench.open();
    expect(bench.ui.registerShortcut(source, key, undefined, () => undefined)).toBeUndefined();
  },
);

test("a key that the person has given to an action that is reserved is the program's again", async () => {
  await using bench = await SurfaceBench.open();
  let runs = 0;
  bench.ui.registerShortcut(source, "ctrl+x", undefined, () => runs++);
  bench.host.settings = { ...bench.host.settings, keybindings: { "app.tools.toggle": "ctrl+x" } };
  bench.host.tell({ type: "settings" });
  bench.type(CONTROL_X);
  expect(runs).toBe(0);
  expect(bench.ui.toolsExpanded()).toBe(true);
});

test("a key that fails is told, and of two extensions the first has the key", async () => {
  await using bench = await SurfaceBench.open();
  let second = 0;
  bench.ui.registerShortcut(source, "alt+x", undefined, () => {
    throw new Error("broken");
  });
  bench.ui.registerShortcut(extension("other"), "alt+x", undefined, () => second++);
  bench.type("\x1bx", CONTROL_K);
  expect(second).toBe(0);
  expect(bench.faults).toEqual(["keys: its key Alt+X: broken"]);
});

test("keys of extensions mean nothing while a question is open", async () => {
  await using bench = await SurfaceBench.open();
  let runs = 0;
  bench.ui.registerShortcut(source, "ctrl+x", undefined, () => runs++);
  const answer = bench.control.dialogs.confirm({ title: "Sure?" });
  await bench.until("Sure?");
  bench.type(CONTROL_X, KEY.escape);
  expect(await answer).toBe(false);
  expect(runs).toBe(0);
});
