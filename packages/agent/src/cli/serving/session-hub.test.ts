import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, say } from "@pi-ts/testkit";
import { isPiError } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import { textOf } from "../../contract/messages.ts";
import { eventsOf, hubBench } from "./test-support/hub-bench.ts";

const codeOf = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    return isPiError(thrown) ? thrown.code : String(thrown);
  }
};

test("a prompt runs from message_start to message_end, and the answer is in the history [A-OUT-04]", async () => {
  await using bench = await hubBench();
  bench.server.reply(say("hello"));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  const events = await eventsOf(session, "hi");
  expect(events.map(({ type }) => type)).toEqual(["message_start", "text_delta", "turn_end", "message_end"]);
  const said = session.messages().filter(({ role }) => role !== "tool");
  expect(said.map((message) => textOf(message.parts)).slice(-2)).toEqual(["hi", "hello"]);
});

test("sessions of two folders run side by side, each with the tools of its own folder [A-OUT-04]", async () => {
  await using bench = await hubBench({ files: { "one/a.txt": "ONE", "two/a.txt": "TWO" } });
  const held = Promise.withResolvers<void>();
  let waiting = 0;
  bench.server.otherwise(({ results }) => {
    if (results.length > 0) return [say(`read ${/ONE|TWO/.exec(results[0]!.text)?.[0]}`)];
    if (++waiting === 2) held.resolve();
    return [{ kind: "hold", until: held.promise }, call("read", { file_path: "a.txt" })];
  });
  const sessions = await Promise.all(
    ["one", "two"].map((name) => bench.hub.create({ cwd: bench.ws.at(name) })),
  );
  const ends = await Promise.all(
    sessions.map(async (session) => (await session.prompt({ text: "go" })).ended),
  );
  const answers = await Promise.all(ends);
  expect(answers.map(({ text }) => text)).toEqual(["read ONE", "read TWO"]);
});

test("a second prompt to a busy session is refused at once, and the first goes on [A-OUT-04][H05]", async () => {
  await using bench = await hubBench();
  const held = Promise.withResolvers<void>();
  bench.server.reply({ kind: "hold", until: held.promise }, say("done"));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  const { ended } = await session.prompt({ text: "go" });
  expect(await codeOf(session.prompt({ text: "again" }))).toBe("busy");
  expect(await codeOf(session.compact())).toBe("busy");
  expect(await codeOf(session.switchBranch("main"))).toBe("busy");
  held.resolve();
  expect(await ended).toMatchObject({ stop_reason: "end", text: "done" });
  expect(session.busy).toBe(false);
});

test("a cancelled run ends with its tools, and the session takes the next prompt [A-OUT-04][H05]", async () => {
  await using bench = await hubBench();
  bench.server.reply(call("bash", { command: "echo up; sleep 600" }));
  bench.server.reply(say("next"));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  const up = Promise.withResolvers<void>();
  session.subscribe((event) => event.type === "tool_progress" && up.resolve());
  const { ended } = await session.prompt({ text: "go" });
  await up.promise;
  await session.cancel();
  expect(await ended).toMatchObject({ stop_reason: "aborted" });
  expect((await eventsOf(session, "and now")).at(-1)).toMatchObject({ stop_reason: "end", text: "next" });
});

test("steering reaches the run in progress, and without one it is refused", async () => {
  await using bench = await hubBench();
  const held = Promise.withResolvers<void>();
  bench.server.reply({ kind: "hold", until: held.promise }, say("first"));
  bench.server.reply(say("second"));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  expect(() => session.steer("early")).toThrow("no run is in progress");
  const { ended } = await session.prompt({ text: "go" });
  await bench.server.waitFor(1);
  session.steer("ALSO-X");
  held.resolve();
  expect(await ended).toMatchObject({ text: "second" });
  expect(JSON.stringify(bench.server.request(2).body)).toContain("ALSO-X");
});

test("a closed session is on disk and goes on where it was, with its model, also in another hub [A-SESS-04]", async () => {
  await using bench = await hubBench();
  bench.server.reply(say("one"));
  bench.server.reply(say("two"));
  const first = await bench.hub.create({ cwd: bench.ws.path, title: "kept" });
  await first.useModel("anthropic/claude-haiku-4-5");
  await eventsOf(first, "remember PLUM");
  const other = bench.another();
  expect(await codeOf(other.open(first.id, {}))).toBe("locked");
  await first.close();
  const again = await other.open(first.id.slice(0, -1), {});
  expect(again.info()).toMatchObject({
    id: first.id,
    cwd: bench.ws.path,
    title: "kept",
    model: "anthropic/claude-haiku-4-5",
  });
  await eventsOf(again, "and?");
  expect(JSON.stringify(bench.server.request(2).body)).toContain("PLUM");
});

test("two who open a session at the same moment get the same one", async () => {
  await using bench = await hubBench();
  bench.server.reply(say("one"));
  const first = await bench.hub.create({ cwd: bench.ws.path });
  await eventsOf(first, "hi");
  await first.close();
  const [one, two] = await Promise.all([bench.hub.open(first.id, {}), bench.hub.open(first.id, {})]);
  expect(one).toBe(two);
});

test("a closed session cannot be prompted, and closing twice is one closing", async () => {
  await using bench = await hubBench();
  const session = await bench.hub.create({ cwd: bench.ws.path });
  await Promise.all([session.close(), session.close()]);
  expect(await codeOf(session.prompt({ text: "hi" }))).toBe("no_session");
  expect(bench.hub.get(session.id)).toBeUndefined();
});

test("closing the hub ends runs, and what they had said is saved [H05]", async () => {
  await using bench = await hubBench();
  bench.server.reply(call("bash", { command: "echo up; sleep 600" }));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  const up = Promise.withResolvers<void>();
  session.subscribe((event) => event.type === "tool_progress" && up.resolve());
  const { ended } = await session.prompt({ text: "go" });
  await up.promise;
  await bench.hub.close();
  expect(await ended).toMatchObject({ stop_reason: "aborted" });
  expect(await codeOf(bench.hub.create({ cwd: bench.ws.path }))).toBe("closing");
  const other = bench.another();
  expect((await other.open(session.id, {})).messages().at(-1)?.role).toBe("tool");
});

test("lists hold this project's sessions, or all, and open ones before anything of them is on disk", async () => {
  await using bench = await hubBench({ files: { "sub/x": "" } });
  bench.server.otherwise(() => [say("ok")]);
  const here = await bench.hub.create({ cwd: bench.ws.path, title: "here" });
  const there = await bench.hub.create({ cwd: bench.ws.at("sub"), title: "there" });
  const titles = async (all: boolean) =>
    (await bench.hub.list({ cwd: bench.ws.path, all })).map(({ title }) => title).sort();
  expect(await titles(false)).toEqual(["here"]);
  expect(await titles(true)).toEqual(["here", "there"]);
  await eventsOf(there, "hi");
  await there.close();
  expect(await titles(true)).toEqual(["here", "there"]);
  await bench.hub.delete(there.id);
  await bench.hub.delete(here.id);
  expect(await titles(true)).toEqual([]);
});

test("a session that is not there, and a folder that is none, are refused by name", async () => {
  await using bench = await hubBench({ files: { file: "" } });
  expect(await codeOf(bench.hub.open("nothing", {}))).toBe("no_session");
  expect(await codeOf(bench.hub.delete("nothing"))).toBe("no_session");
  for (const cwd of ["relative", bench.ws.at("missing"), bench.ws.at("file")])
    expect(await codeOf(bench.hub.create({ cwd }))).toBe("no_folder");
});

test("--trust is a yes to the project that pi was started in, and to no other [X01]", async () => {
  const config = JSON.stringify({ hooks: [{ event: "session_start", command: "touch ran" }] });
  await using bench = await hubBench({
    files: { ".pi-go/config.json": config, "other/.pi-go/config.json": config },
    argv: ["--trust", "--model", "anthropic/claude-opus-5-5"],
  });
  bench.ws.git("init", "--quiet", "other");
  bench.server.otherwise(() => [say("ok")]);
  for (const cwd of [bench.ws.path, bench.ws.at("other")])
    await eventsOf(await bench.hub.create({ cwd }), "hi");
  expect(bench.ws.exists("ran")).toBe(true);
  expect(bench.ws.exists("other/ran")).toBe(false);
});

test("a branch begins at the end or at an earlier head, and switching changes what is seen [A-SESS-02]", async () => {
  await using bench = await hubBench();
  for (const text of ["one", "two"]) bench.server.reply(say(text));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  await eventsOf(session, "first");
  const { head } = session.branches();
  await eventsOf(session, "second");
  await session.createBranch("early", head!);
  await session.createBranch("late");
  const last = () => textOf(session.messages().at(-1)!.parts);
  expect(session.branches()).toMatchObject({ active: "main", names: ["main", "early", "late"] });
  expect(last()).toBe("two");
  await session.switchBranch("early");
  expect(last()).toBe("one");
  expect(await codeOf(session.createBranch("bad", "nowhere"))).toBe("record_missing");
  expect(session.branches()).toMatchObject({ active: "early", names: ["main", "early", "late"] });
});

test("a rule that asks is refused where nobody answers, and asked where a client does [A-OUT-04]", async () => {
  await using bench = await hubBench({ config: { permissions: { ask: ["bash(touch:*)"] } } });
  bench.server.otherwise(({ results }) => [
    results.length === 0 ? call("bash", { command: "touch made" }) : say(results[0]!.text),
  ]);
  const silent = await bench.hub.create({ cwd: bench.ws.path });
  await eventsOf(silent, "go");
  expect(bench.ws.exists("made")).toBe(false);
  const asked: string[] = [];
  const ask = {
    decide: async ({ rule }: { rule: string }) => {
      asked.push(rule);
      return { answer: "once" as const };
    },
  };
  await eventsOf(await bench.hub.create({ cwd: bench.ws.path, ask }), "go");
  expect(asked).toEqual(["bash(touch:*)"]);
  expect(bench.ws.exists("made")).toBe(true);
});

test("a skill's name is expanded, and a listener that throws disturbs nobody [A-EXT-02]", async () => {
  await using bench = await hubBench();
  bench.ws.write(
    join(bench.ws.home, ".pi-go/skills/greet/SKILL.md"),
    "---\nname: greet\ndescription: greets\n---\nSAY-GREETINGS",
  );
  bench.server.reply(say("ok"));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  expect(session.commands().map(({ name }) => name)).toContain("greet");
  session.subscribe(() => {
    throw new Error("no");
  });
  expect((await eventsOf(session, "/greet Ann")).at(-1)?.type).toBe("message_end");
  expect(JSON.stringify(bench.server.request(1).body)).toContain("SAY-GREETINGS");
});

test("the message in progress is told as far as it is, until it is in the history", async () => {
  await using bench = await hubBench();
  const held = Promise.withResolvers<void>();
  bench.server.reply(say(["so ", "far"]), { kind: "hold", until: held.promise }, say(" done"));
  const session = await bench.hub.create({ cwd: bench.ws.path });
  const far = Promise.withResolvers<void>();
  let text = "";
  session.subscribe((event: AgentEvent) => {
    if (event.type === "text_delta") text += event.delta;
    if (text.includes("far")) far.resolve();
  });
  const { ended } = await session.prompt({ text: "go" });
  await far.promise;
  expect(session.unfinished()).toEqual([{ type: "text_delta", delta: "so far" }]);
  held.resolve();
  await ended;
  expect(session.unfinished()).toEqual([]);
});

test("a tool server that a client brings lends its tools, and its texts are taken literally [A-EXT-03]", async () => {
  await using bench = await hubBench({ config: { mcp: { startupWait: 60 } } });
  const fake = join(import.meta.dir, "../../extension/mcp/__fixtures__/fake-server.ts");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that settings would take for a variable
  const tools = [{ name: "${HOME}" }];
  const server = {
    name: "brought",
    command: process.execPath,
    args: ["--no-env-file", fake, JSON.stringify({ tools })],
    env: {},
  };
  const session = await bench.hub.create({ cwd: bench.ws.path, toolServers: [server] });
  const names = session.tools().map(({ name }) => name);
  expect(names.filter((name) => name.startsWith("brought___HOME_"))).toHaveLength(1);
});

test("beyond 32 open sessions the idle one that was used longest ago is closed, and comes back when it is wanted", async () => {
  await using bench = await hubBench({ argv: ["--model", "anthropic/claude-opus-5-5", "--memory-off"] });
  bench.server.otherwise(() => [say("ok")]);
  const first = await bench.hub.create({ cwd: bench.ws.path });
  await eventsOf(first, "hi");
  for (let made = 0; made < 32; made++) await bench.hub.create({ cwd: bench.ws.path });
  expect(bench.hub.get(first.id)).toBeUndefined();
  const again = await bench.hub.open(first.id, {});
  expect(textOf(again.messages().at(-1)!.parts)).toBe("ok");
  expect(readFileSync(join(bench.ws.home, ".pi-go/sessions", first.id, "meta.json"), "utf8")).toContain(
    '"rpc"',
  );
});

test("plan mode is switched for one session and kept with it", async () => {
  await using bench = await hubBench();
  bench.server.otherwise(({ results }) => [
    results.length === 0 ? call("write", { file_path: "made", content: "x" }) : say(results[0]!.text),
  ]);
  const session = await bench.hub.create({ cwd: bench.ws.path });
  await session.setMode("plan");
  await eventsOf(session, "go");
  expect(bench.ws.exists("made")).toBe(false);
  await session.close();
  const again = await bench.hub.open(session.id, {});
  expect(again.mode).toBe("plan");
});

test("a prompt is taken back with all that came of it: the next one does not show it to the model", async () => {
  await using bench = await hubBench();
  const session = await bench.hub.create({ cwd: bench.ws.path });
  bench.server.reply(say("one"));
  await eventsOf(session, "first");
  bench.server.reply(call("write", { file_path: "made", content: "x" }));
  bench.server.reply(say("two"));
  await eventsOf(session, "second");
  await session.takeBack();
  await session.takeBack();
  bench.server.reply(say("three"));
  await eventsOf(session, "third");
  const { userTexts, body } = bench.server.request(4);
  expect(userTexts.join("\n")).toContain("first");
  expect(userTexts.at(-1)).toBe("third");
  expect(JSON.stringify(body)).not.toContain("second");
  expect(userTexts.join("\n").match(/<environment>/g)).toHaveLength(1);
  expect(bench.ws.read("made")).toBe("x");
});

test("a session that is being opened and one that is open are deleted whole", async () => {
  await using bench = await hubBench();
  const made = await bench.hub.create({ cwd: bench.ws.path });
  bench.server.reply(say("hello"));
  await eventsOf(made, "hi");
  await made.close();
  const opening = bench.hub.open(made.id, {});
  // It is being opened when its name is looked up.
  await Promise.resolve();
  await bench.hub.delete(made.id);
  await opening;
  expect(bench.hub.get(made.id)).toBeUndefined();
  expect(await bench.hub.list({ cwd: bench.ws.path })).toEqual([]);
  expect(await codeOf(bench.hub.open(made.id, {}))).toBe("no_session");
});
