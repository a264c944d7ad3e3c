/** Extensions that hand over what nobody can use: the run goes on, and where something was lost it is told with their name. */
import { expect, test } from "bun:test";
import { call } from "../../../agent/test-support/fake-model.ts";
import { textOf } from "../../../contract/messages.ts";
import { answerOf, type ExtensionBench, extensionBench } from "../test-support/extension-bench.ts";
import { extensionUi } from "./extension-ui.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

const within = (body: string) => ({ "odd.ts": `export default (pi) => { ${body} };` });

function texts(bench: ExtensionBench, request: number): string[] {
  return bench.model.requests[request]!.messages.map(({ parts }) => textOf(parts as never));
}

test("rules and a line of a tool that are no texts do not keep the tool from its run", async () => {
  const definition = (name: string, more: string) =>
    `pi.registerTool({ name: "${name}", description: "d", parameters: {}, execute: async () => ({ content: [] }), ${more} });`;
  await using bench = await extensionBench({
    extensions: within(
      definition("one", `promptGuidelines: "Be nice"`) +
        definition("two", "promptGuidelines: null, promptSnippet: /x/") +
        `pi.on("before_agent_start", (e) => { globalThis.seen = e.systemPromptOptions.toolGuidelines; });`,
    ),
  });
  bench.model.says("fine");
  expect(answerOf(await bench.run("go"))).toBe("fine");
  const declared = new Map(
    bench.model.requests[0]!.tools.map(({ name, description }) => [name, description]),
  );
  expect([declared.get("one"), declared.get("two")]).toEqual(["d\n- Be nice", "d"]);
  expect((globalThis as { seen?: unknown }).seen).toEqual({ one: ["Be nice"] });
});

test("a tool whose definition cannot be read is left out, and the others stay", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `const execute = async () => ({ content: [] });
       pi.registerTool({ name: "bad", get description() { throw new Error("not now"); }, parameters: {}, execute });
       pi.registerTool({ name: "good", description: "d", parameters: {}, execute });`,
    ),
  });
  bench.model.says("fine");
  expect(answerOf(await bench.run("go"))).toBe("fine");
  const names = bench.model.requests[0]!.tools.map(({ name }) => name);
  expect([names.includes("bad"), names.includes("good")]).toEqual([false, true]);
  expect(bench.told()).toContain('the extension "odd" failed in the definition of its tool bad: not now');
});

test("a tool that says more than a model can read is cut, and all of it is in a file [F12]", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `pi.registerTool({ name: "long", description: "d", parameters: {}, execute: async () => ({ content: [{ type: "text", text: "begin" + "x".repeat(300_000) + "end" }] }) });`,
    ),
  });
  bench.model.calls(call("c1", "long", {})).says("done");
  const events = await bench.run("go");
  const result = events.find((event) => event.type === "tool_result")!;
  expect(result.content.length).toBeLessThan(101_000);
  expect(result.content).toStartWith("begin");
  expect(result.content).toEndWith("end");
  const [, file] = /all of it is in (\S+),/.exec(result.content) ?? [];
  expect((await Bun.file(file!).text()).length).toBe(300_008);
});

test("a context handler that leaves nothing is told of, and the request goes as it was", async () => {
  await using bench = await extensionBench({
    extensions: within(`pi.on("context", () => ({ messages: [] }));`),
  });
  bench.model.says("fine");
  await bench.run("go");
  expect(texts(bench, 0)).toContain("go");
  expect(bench.told()).toContain(
    'the extension "odd" left no message for the model in context; the request goes as it was',
  );
});

test("what a context handler leaves is a history that services take", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `pi.on("context", (e) => ({ messages: [{ role: "assistant", content: "earlier" }, { role: "user", content: [{ type: "image", data: "?", mimeType: "text/plain" }] }, ...e.messages, { role: "assistant", content: "and" }] }));`,
    ),
  });
  bench.model.says("fine");
  await bench.run("go");
  const { messages } = bench.model.requests[0]!;
  expect([messages[0]!.role, messages.at(-1)!.role]).toEqual(["user", "user"]);
  expect(texts(bench, 0)).toContain("[image left out: its data are no base64]");
});

test("sections that are no object leave the system text as it was", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `pi.on("before_agent_start", (e) => { e.systemPromptOptions.sections = null; e.systemPromptOptions.appendSystemPrompt = undefined; return { systemPrompt: "mine" }; });`,
    ),
  });
  bench.model.says("fine");
  await bench.run("go");
  expect(bench.model.requests[0]!.system).toBe("mine");
});

test("a message with a way of delivery that nobody knows is delivered as ever", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `pi.on("tool_call", () => { pi.sendUserMessage("and this", { deliverAs: "followup" }); });`,
    ),
  });
  bench.model
    .calls(call("c1", "ls", {}))
    .says("one")
    .says("two");
  expect(answerOf(await bench.run("go"))).toBe("two");
  expect(texts(bench, 2)).toContain("and this");
});

test("a command has a name of any script, and one that cannot be typed is told of", async () => {
  const command = (name: string) =>
    `pi.registerCommand("${name}", { handler: (args, ctx) => ctx.ui.notify("ran with " + args) });`;
  await using bench = await extensionBench({ extensions: within(command("größe") + command("two words")) });
  expect(answerOf(await bench.run("/größe 3"))).toBe("ran with 3");
  expect(bench.told().join("\n")).toContain('has a command "two words", which nobody can type');
});

test("exec gives what Pi's gives where there is no time limit, no such program, or a signal", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `pi.registerCommand("x", { handler: async (_, ctx) => {
        const shell = (line, options) => pi.exec("sh", ["-c", line], options);
        const all = [await shell("sleep 0.05; exit 3", { timeout: 0 }), await shell("sleep 0.05; exit 4", { timeout: Infinity }), await shell("kill -9 $$"), await shell("echo much", { maxBuffer: 2 }), await pi.exec("no-such-program-anywhere")];
        ctx.ui.notify(JSON.stringify(all.map(({ code, killed, stderr }) => [code, killed, stderr])));
      } });`,
    ),
  });
  expect(JSON.parse(answerOf(await bench.run("/x")))).toEqual([
    [3, false, ""],
    [4, false, ""],
    [137, false, ""],
    [1, false, ""],
    [1, false, "Cannot start no-such-program-anywhere: there is no such program"],
  ]);
});

test("a command that tells nothing in words says that it has run", async () => {
  await using bench = await extensionBench({
    extensions: within(`pi.registerCommand("x", { handler: (_, ctx) => ctx.ui.notify("") });`),
  });
  expect(answerOf(await bench.run("/x"))).toBe("/x has run.");
});

test("a command is listed and completed, whatever its description and its completions are", async () => {
  await using bench = await extensionBench({
    extensions: within(
      `pi.registerCommand("x", { description: 7, getArgumentCompletions: () => [null, 7, {}, { value: 3 }], handler() {} });`,
    ),
  });
  const { commands } = bench.host;
  expect(commands.list().map(({ name, summary }) => [name, summary])).toEqual([["x", "7"]]);
  const { signal } = new AbortController();
  expect(await commands.complete("x", "", signal)).toEqual([{ value: "3", label: "3" }]);
});

test("a key that is none keeps its extension from loading, and not the terminal from starting", async () => {
  await using bench = await extensionBench({
    extensions: within("pi.registerShortcut(7, { handler() {} });"),
  });
  expect(bench.told()).toEqual([
    'the extension "odd" was not loaded: pi.registerShortcut(7) takes a key, such as "ctrl+q", and a handler',
  ]);
});

test("what an extension shows as words is a text when it comes to the terminal", () => {
  const seen: unknown[][] = [];
  const keep = (_: unknown, ...words: unknown[]) => void seen.push(words);
  const surface = { setStatus: keep, setTitle: keep, setWidget: keep, setWorkingMessage: keep };
  const source = { name: "odd" } as LoadedExtension;
  const ui = extensionUi(source, surface as never, () => undefined) as Record<
    keyof typeof surface,
    typeof keep
  >;
  ui.setStatus(1, 2);
  ui.setTitle(3);
  ui.setWorkingMessage(null);
  ui.setWidget(4, ["w"]);
  expect(seen).toEqual([["1", "2"], ["3"], [undefined], ["4", ["w"], "aboveEditor"]]);
});
