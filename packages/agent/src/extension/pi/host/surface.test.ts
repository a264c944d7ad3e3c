import { expect, test } from "bun:test";
import { extensionBench } from "../test-support/extension-bench.ts";
import { fakeSurface } from "../test-support/fake-surface.ts";

const signal = () => new AbortController().signal;

test("dialogs give an extension what the person chose, and undefined where it was dismissed", async () => {
  const surface = fakeSurface({ Pick: "b", Sure: true, Name: "Ada" });
  await using bench = await extensionBench({
    mode: "interactive",
    surface,
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("ask", { handler: async (_, { ui, hasUI, mode }) => {
        const answers = [await ui.select("Pick", ["a", "b"]), await ui.confirm("Sure", "really?"), await ui.input("Name"), await ui.editor("Text"), await ui.select("Other", ["x"])];
        ui.notify(JSON.stringify([answers, hasUI, mode, ui.theme.fg("accent", "x")]), "warning");
      } }); };`,
    },
  });
  await bench.host.commands.run("ask", "", signal());
  expect(surface.done).toEqual(['notify: a warning [["b",true,"Ada",null,null],true,"tui","<accent>x"]']);
});

test("status, widgets, title and editor go to the terminal with the extension's name", async () => {
  const surface = fakeSurface();
  await using bench = await extensionBench({
    mode: "interactive",
    surface,
    extensions: {
      "a.ts": `export default (pi) => { pi.on("session_start", async (_, { ui }) => {
        ui.setStatus("k", "busy"); ui.setWidget("w", ["line"], { placement: "belowEditor" }); ui.setTitle("T"); ui.setWorkingMessage("Hm");
        ui.setEditorText("new " + ui.getEditorText()); ui.setFooter(() => {}); await ui.custom(() => {});
      }); };`,
    },
  });
  expect(surface.done).toEqual([
    "status: a k busy",
    "widget: a w line belowEditor",
    "title: a T",
    "working: a Hm",
    "editor: new typed",
    "footer: a",
    "custom: a function",
  ]);
  expect(bench.told()).toEqual([]);
});

test("renderers and keys that were registered while loading reach the terminal; a reserved key is told of", async () => {
  const surface = fakeSurface();
  await using bench = await extensionBench({
    mode: "interactive",
    surface,
    extensions: {
      "a.ts": `export default (pi) => {
        pi.registerMessageRenderer("card", () => {}); pi.registerEntryRenderer("state", () => {});
        pi.registerTool({ name: "t", description: "d", parameters: {}, execute: async () => ({ content: [] }), renderCall() {} });
        pi.registerShortcut("ctrl+c", { handler() {} });
        pi.registerShortcut("ctrl+y", { description: "say", handler: (ctx) => ctx.ui.notify("pressed in " + ctx.mode) });
      };`,
    },
  });
  surface.press("ctrl+y");
  expect(surface.done).toEqual([
    "renderer: a message card",
    "renderer: a entry state",
    "renderer: a tool t function undefined",
    "notify: a info pressed in tui",
  ]);
  expect(bench.told()).toEqual([
    'the extension "a" wants the key ctrl+c, which is reserved; it does not get it',
  ]);
});

test("a message that is for the person is shown, one that is not is only for the model", async () => {
  const surface = fakeSurface();
  await using bench = await extensionBench({
    mode: "interactive",
    surface,
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("m", { handler() { pi.sendMessage({ customType: "c", content: "seen", display: true }); pi.sendMessage({ customType: "c", content: "hidden", display: false }); } }); };`,
    },
  });
  await bench.host.commands.run("m", "", signal());
  expect(surface.done).toEqual(["message: a message c seen"]);
  expect(JSON.stringify(bench.session.messages())).toContain("hidden");
});

test("what a component throws is a fault of its extension, and closing takes away all that it put up", async () => {
  const surface = fakeSurface();
  {
    await using bench = await extensionBench({
      mode: "interactive",
      surface,
      extensions: {
        "a.ts": `export default (pi) => { pi.on("session_start", (_, { ui }) => { ui.onTerminalInput(() => undefined); ui.addAutocompleteProvider((c) => c); }); };`,
      },
    });
    surface.fault({ name: "a" }, "a widget", new Error("too wide"));
    expect(bench.told()).toEqual(['the extension "a" failed in a widget: too wide']);
  }
  expect(surface.done).toEqual(["removed: input of a", "removed: completion of a", "released: a"]);
});

test("a command in the terminal begins a run, waits for it, and moves between conversations", async () => {
  const surface = fakeSurface();
  const moves: string[] = [];
  const moved = (what: string) => async () => {
    moves.push(what);
    return true;
  };
  const runs: Promise<void>[] = [];
  await using bench = await extensionBench({
    mode: "interactive",
    surface,
    parts: {
      driveRun(events) {
        const run = Array.fromAsync(events(signal())).then(() => undefined);
        runs.push(run);
        return run;
      },
      extensionProgram: () => ({
        newSession: moved("new"),
        switchSession: moved("switch"),
        fork: moved("fork"),
        goTo: moved("go"),
        reload: async () => void moves.push("reload"),
        goOn: (file, work) => bench.host.goOn(file, work),
        quit: () => void moves.push("quit"),
      }),
    },
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("x", { async handler(_, ctx) {
        pi.sendUserMessage("hi"); await ctx.waitForIdle();
        const { cancelled } = await ctx.newSession({ withSession: (next) => next.ui.notify("went on in " + next.sessionManager.getSessionId()) }); await ctx.fork("r"); await ctx.navigateTree("r"); await ctx.switchSession("s"); await ctx.reload(); ctx.shutdown();
        ctx.ui.notify(String(cancelled));
      } }); };`,
    },
  });
  bench.model.says("hello");
  await bench.host.commands.run("x", "", signal());
  expect(runs).toHaveLength(1);
  expect(bench.model.requests).toHaveLength(1);
  expect(moves).toEqual(["new", "fork", "go", "switch", "reload", "quit"]);
  expect(surface.done).toEqual([`notify: a info went on in ${bench.session.id}`, "notify: a info false"]);
});
