import { expect, test } from "bun:test";
import { call } from "../../../agent/test-support/fake-model.ts";
import { ManualClock } from "../../../agent/test-support/manual-clock.ts";
import type { ExtensionEntry } from "../load/extension-entry.ts";
import { answerOf, extensionBench } from "../test-support/extension-bench.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Faults } from "./faults.ts";
import { LoadedExtension } from "./loaded-extension.ts";

const ENTRY: ExtensionEntry = {
  file: "/x/slow.ts",
  name: "slow",
  base: "/x/slow.ts",
  scope: "user",
  source: "auto",
  origin: "top-level",
};

function slowDispatcher() {
  const clock = new ManualClock();
  const extension = new LoadedExtension(ENTRY);
  const told: string[] = [];
  const faults = new Faults((_, message) => told.push(message));
  const dispatcher = new Dispatcher({ extensions: () => [extension], contextOf: () => ({}), faults, clock });
  return { clock, extension, told, dispatcher };
}

test("a module that does not load is told of with its name, and the others run", async () => {
  await using bench = await extensionBench({
    extensions: {
      "broken.ts": "export default (pi => {",
      "throws.ts": `export default () => { throw new Error("not today"); };`,
      "none.ts": "export const x = 1;",
      "needs.ts": `import "no-such-package-anywhere"; export default () => {};`,
      "export.ts": `import { noSuchThing } from "@earendil-works/pi-coding-agent"; export default () => noSuchThing();`,
      "early.ts": `export default (pi) => { pi.sendUserMessage("too early"); };`,
      "good.ts": `export default (pi) => { pi.registerCommand("good", { handler: (_, ctx) => ctx.ui.notify("fine") }); };`,
    },
  });
  const told = bench.told();
  expect(told).toHaveLength(6);
  expect(told.find((message) => message.includes('"broken"'))).toStartWith(
    'the extension "broken" was not loaded: ',
  );
  expect(told).toContain('the extension "throws" was not loaded: not today');
  expect(told).toContain(
    'the extension "none" was not loaded: it has no default export that is a function (export default (pi) => { … })',
  );
  expect(told.find((message) => message.includes('"needs"'))).toContain(
    'it needs the package "no-such-package-anywhere"',
  );
  expect(told).toContain(
    'the extension "export" was not loaded: it imports noSuchThing of @earendil-works/pi-coding-agent, which pi-ts does not have',
  );
  expect(told.find((message) => message.includes('"early"'))).toContain(
    "while an extension loads it may only register",
  );
  expect(answerOf(await bench.run("/good"))).toBe("fine");
});

test("an export of Pi's that is not here loads, can be extended, and tells extension and name when it is used", async () => {
  await using bench = await extensionBench({
    extensions: {
      "user.ts": `import { CustomEditor, createAgentSession } from "@earendil-works/pi-coding-agent"; import { Agent } from "@earendil-works/pi-agent-core";
      class Mine extends CustomEditor {}
      export default (pi) => { pi.registerCommand("u", { handler: (_, ctx) => {
        const said = []; for (const use of [() => createAgentSession({}), () => new Agent({}), () => new Mine()]) try { use(); } catch (e) { said.push(e.message); }
        ctx.ui.notify(said.join("|"));
      } }); };`,
    },
  });
  expect(bench.told()).toEqual([]);
  expect(answerOf(await bench.run("/u")).split("|")).toEqual([
    'the extension "user" uses createAgentSession of @earendil-works/pi-coding-agent, which pi-ts does not have',
    'the extension "user" uses Agent of @earendil-works/pi-agent-core, which pi-ts does not have',
    'the extension "user" uses CustomEditor of @earendil-works/pi-coding-agent, which pi-ts does not have',
  ]);
});

test("a handler that takes longer than its time is left behind and told of once", async () => {
  const { clock, extension, told, dispatcher } = slowDispatcher();
  extension.handlers.set("context", [() => new Promise(() => undefined)]);
  for (let round = 0; round < 2; round++) {
    const over = dispatcher.dispatch({ type: "context" });
    await clock.sleeping(10_000);
    clock.advance(10_000);
    await over;
  }
  expect(told).toEqual(['the extension "slow" took more than 10 s in context; pi goes on without it']);
});

test("the time that a dialog of a handler is open does not count", async () => {
  const { clock, extension, told, dispatcher } = slowDispatcher();
  const answer = Promise.withResolvers<string>();
  const dialog = {};
  const values: unknown[] = [];
  extension.handlers.set("input", [
    async () => {
      extension.dialogs.add(dialog);
      const value = await answer.promise;
      extension.dialogs.delete(dialog);
      return value;
    },
  ]);
  const over = dispatcher.dispatch({ type: "input" }, { take: (value) => void values.push(value) });
  for (let round = 0; round < 3; round++) {
    await clock.sleeping(10_000);
    clock.advance(10_000);
  }
  answer.resolve("answered");
  await over;
  expect(values).toEqual(["answered"]);
  expect(told).toEqual([]);
});

test("an interrupt ends the wait for a handler at once", async () => {
  const { extension, told, dispatcher } = slowDispatcher();
  extension.handlers.set("context", [() => new Promise(() => undefined)]);
  const abort = new AbortController();
  const over = dispatcher.dispatch({ type: "context" }, { signal: abort.signal });
  abort.abort();
  await over;
  expect(told).toEqual([]);
});

test("a tool_call handler that hangs does not let the call pass unseen", async () => {
  const { clock, extension, dispatcher } = slowDispatcher();
  extension.handlers.set("tool_call", [() => new Promise(() => undefined)]);
  const ends: string[] = [];
  const over = dispatcher.dispatch({ type: "tool_call" }, { failed: ({ kind }) => void ends.push(kind) });
  await clock.sleeping(30_000);
  clock.advance(30_000);
  await over;
  expect(ends).toEqual(["late"]);
});

test("exit, chdir and stdin of the process are not for extensions; others call them as ever", async () => {
  const folder = process.cwd();
  await using bench = await extensionBench({
    extensions: {
      "bad.ts": `export default (pi) => { pi.registerCommand("bad", { handler: (_, ctx) => {
        const said = [];
        try { process.exit(3); } catch (e) { said.push(e.message); }
        process.chdir("/");
        said.push(process.stdin.isTTY);
        process.stdin.on("data", () => {});
        ctx.ui.notify(JSON.stringify(said));
      } }); };`,
    },
  });
  expect(JSON.parse(answerOf(await bench.run("/bad")))).toEqual([
    "process.exit() is not for extensions; ctx.shutdown() ends pi",
    false,
  ]);
  expect(process.cwd()).toBe(folder);
  expect(bench.told()).toEqual([
    'the extension "bad" called process.exit(); pi stays as it is',
    'the extension "bad" called process.chdir(); pi stays as it is',
    'the extension "bad" reads process.stdin, which is pi\'s own; it gets nothing (ctx.ui.onTerminalInput sees keys)',
  ]);
});

test("after its conversation is closed an extension's pi and ctx say that they are stale", async () => {
  const kept = globalThis as unknown as {
    kept?: { pi: { sendMessage(m: object): void }; ctx: { cwd: string } };
  };
  {
    await using _ = await extensionBench({
      extensions: {
        "a.ts": `export default (pi) => { pi.on("session_start", (_, ctx) => { globalThis.kept = { pi, ctx }; }); };`,
      },
    });
  }
  const { pi, ctx } = kept.kept!;
  delete kept.kept;
  expect(() => pi.sendMessage({})).toThrow("This extension ctx is stale");
  expect(() => ctx.cwd).toThrow("This extension ctx is stale");
});

test("a reload reads changed files, replaces tools and commands, and keeps the conversation", async () => {
  const source = (word: string) =>
    `import { word } from "./part.ts"; export default (pi) => { pi.registerCommand(word + "${word}", { handler: (_, ctx) => ctx.ui.notify("${word}") }); };`;
  await using bench = await extensionBench({
    extensions: { "x/index.ts": source("one"), "x/part.ts": `export const word = "a-";` },
  });
  bench.model.says("ok").says("ok");
  await bench.run("go");
  bench.ws.write(`${bench.ws.home}/.pi-go/extensions/x/index.ts`, source("two"));
  bench.ws.write(`${bench.ws.home}/.pi-go/extensions/x/part.ts`, `export const word = "b-";`);
  await bench.app.extensions.reload();
  expect(bench.app.extensions.commands().map(({ name }) => name)).toEqual(["b-two"]);
  await bench.run("more");
  expect(bench.model.requests[1]!.messages.length).toBeGreaterThan(bench.model.requests[0]!.messages.length);
});

test("a tool of an extension that ignores the interrupt does not hold the run", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerTool({ name: "hang", description: "d", parameters: {}, execute: () => { globalThis.hanging?.(); return new Promise(() => {}); } }); };`,
    },
  });
  const abort = new AbortController();
  const kept = globalThis as unknown as { hanging?: () => void };
  kept.hanging = () => abort.abort();
  bench.model.calls(call("c1", "hang", {}));
  const events = await bench.run("go", abort.signal);
  delete kept.hanging;
  expect(events.at(-1)).toMatchObject({ stop_reason: "aborted" });
});
