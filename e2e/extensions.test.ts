/** Extensions in the built executable: where they come from, and that nothing they do stops or disturbs pi. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { endOf, eventsOf, ofType } from "./support/events.ts";
import { pi, ROOT, TEST_KEY } from "./support/pi.ts";
import { onlySession, sessionsOf, stateFolder } from "./support/state.ts";

const HELLO = `export default (pi) => { pi.registerCommand("hello", { handler: async (args, ctx) => ctx.ui.notify("hello " + args) }); };`;

test("extensions come from -e, the user's folder and a trusted project, and --no-extensions leaves all out", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "given.ts": HELLO.replace('"hello"', '"given"'),
    ".pi-go/extensions/p.ts": HELLO.replace('"hello"', '"project"'),
  });
  ws.write(join(stateFolder(ws), "extensions/u.ts"), HELLO);
  const run = async (...argv: string[]) => (await pi(ws, argv, { server })).stdout;
  expect(await run("-e", "given.ts", "-p", "/given you")).toBe("hello you\n");
  expect(await run("-p", "/hello you")).toBe("hello you\n");
  expect(await run("--trust", "-p", "/project you")).toBe("hello you\n");
  server.reply(say("a model's answer"));
  expect(await run("-p", "/project you")).toBe("a model's answer\n");
  server.reply(say("another answer"));
  expect(await run("--no-extensions", "-e", "given.ts", "-p", "/given you")).toBe("another answer\n");
});

test("the settings name extensions, relative to their file", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ extensions: ["./mine/hello.ts", "./gone.ts"] }),
  );
  ws.write(join(stateFolder(ws), "mine/hello.ts"), HELLO);
  const result = await pi(ws, ["-p", "/hello you"], { server });
  expect(result.stdout).toBe("hello you\n");
  expect(result.stderr).toContain(`the extension ${stateFolder(ws)}/gone.ts of the settings does not exist`);
});

test("a package beside an extension is found by its package.json, and the folder's own changes nothing", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    // What the current folder says must not act.
    "package.json": JSON.stringify({
      imports: { "#x": "./evil.js" },
      browser: { dep: "./evil.js", fs: "./evil.js", typebox: "./evil.js" },
      main: "evil.js",
    }),
    "evil.js": `console.error("EVIL"); module.exports = "evil";`,
    "node_modules/typebox/index.js": `console.error("EVIL");`,
  });
  ws.write(
    join(ws.outside, "ext/index.ts"),
    `import dep from "dep"; import { readFileSync } from "fs"; import { Type } from "@sinclair/typebox"; import { Text } from "@mariozechner/pi-tui"; import { part } from "./part.js";
     export default (pi) => { pi.registerCommand("x", { handler: (_, ctx) => ctx.ui.notify([dep, typeof readFileSync, typeof Type.Object, typeof Text, part, import.meta.url.startsWith("file://")].join(" ")) }); };`,
  );
  ws.write(join(ws.outside, "ext/part.ts"), "export const part: string = 'part';");
  ws.write(
    join(ws.outside, "ext/node_modules/dep/package.json"),
    JSON.stringify({ name: "dep", exports: { ".": { import: "./lib/i.mjs" } } }),
  );
  ws.write(join(ws.outside, "ext/node_modules/dep/lib/i.mjs"), "export default 'dep';");
  ws.write(
    join(ws.outside, "ext/node_modules/@mariozechner/pi-tui/index.js"),
    "exports.Text = 'a copy of its own';",
  );
  const result = await pi(ws, ["-e", join(ws.outside, "ext"), "-p", "/x"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "dep function function function part true\n", stderr: "" });
});

const UNRULY = `export default (pi) => {
  setInterval(() => {}, 1000);
  setTimeout(() => { throw new Error("from a timer"); }, 1);
  Promise.reject(new Error("nobody waits"));
  console.log("logged");
  process.stdout.write("written\\n");
  pi.on("session_start", async () => { await new Promise((r) => setTimeout(r, 20)); process.exit(0); });
  pi.on("session_shutdown", () => { throw new Error("no way"); });
  process.stdin.on("data", () => {});
};`;

test("what an unruly extension does is told with its name, stdout holds the answer alone, and pi ends", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "unruly.ts": UNRULY });
  server.reply(call("ls", {}));
  server.reply(say("the answer"));
  const result = await pi(ws, ["-e", "unruly.ts", "-p", "go"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "the answer\n" });
  const named = (words: string) => `warning: the extension "unruly" ${words}`;
  for (const words of [
    "failed in a timer or event of its: from a timer",
    "failed in a promise that nobody waits for: nobody waits",
    "called process.exit(); pi stays as it is",
    "failed in session_shutdown: no way",
    "reads process.stdin, which is pi's own; it gets nothing (ctx.ui.onTerminalInput sees keys)",
  ])
    expect(result.stderr).toContain(named(words));
  expect(result.stderr).toContain("logged\nwritten\n");
});

test("in JSON mode the same extension breaks no line, and its faults are notices", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "unruly.ts": UNRULY });
  server.reply(say("the answer"));
  const events = eventsOf(await pi(ws, ["-e", "unruly.ts", "--mode", "json", "go"], { server }));
  expect(endOf(events)).toMatchObject({ stop_reason: "end", text: "the answer" });
  const notices = ofType(events, "notice").map(({ message }) => message);
  expect(notices).toContain('the extension "unruly" called process.exit(); pi stays as it is');
});

test("an extension that does not load stops nothing, and its name and reason are told", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "bad.ts": "throw new Error('no');", "hello.ts": HELLO });
  const result = await pi(ws, ["-e", "bad.ts", "-e", "hello.ts", "-e", "gone.ts", "-p", "/hello you"], {
    server,
  });
  expect(result).toMatchObject({ code: 0, stdout: "hello you\n" });
  expect(result.stderr).toContain('warning: the extension "bad" was not loaded: no\n');
  expect(result.stderr).toContain(
    `warning: the extension "gone.ts" was not loaded: ${ws.path}/gone.ts does not exist\n`,
  );
});

test("a program of pi.exec has no key of ours and ends with pi", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "x.ts": `export default (pi) => { pi.on("session_start", () => { pi.exec("sleep", ["600"]); }); pi.registerCommand("env", { handler: async (_, ctx) => ctx.ui.notify((await pi.exec("env", [])).stdout) }); };`,
  });
  const result = await pi(ws, ["-e", "x.ts", "-p", "/env"], { server });
  expect(result.stdout).toContain("PATH=");
  expect(result.stdout).not.toContain(TEST_KEY);
});

test("state of an extension is in the session's log and comes back with --continue; alone it makes no session", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "x.ts": `export default (pi) => {
      pi.on("session_start", () => pi.appendEntry("count", { n: 0 }));
      pi.on("agent_end", () => pi.appendEntry("count", { n: 1 }));
      pi.registerCommand("count", { handler: (_, ctx) => ctx.ui.notify(JSON.stringify(ctx.sessionManager.getEntries().filter((e) => e.customType === "count").map((e) => e.data.n))) });
    };`,
  });
  expect((await pi(ws, ["-e", "x.ts", "-p", "/count"], { server })).stdout).toBe("[]\n");
  expect(sessionsOf(ws)).toEqual([]);
  server.reply(say("ok"));
  await pi(ws, ["-e", "x.ts", "-p", "go"], { server });
  expect(onlySession(ws).records.filter(({ type }) => type === "extension")).toHaveLength(2);
  expect((await pi(ws, ["-e", "x.ts", "--continue", "-p", "/count"], { server })).stdout).toBe("[0,1,0]\n");
});

test("skills and prompts of a package join ours", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "pkg/package.json": JSON.stringify({
      name: "pkg",
      pi: { extensions: [], skills: ["./skills"], prompts: ["./prompts"] },
    }),
    "pkg/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: tidy things up\n---\n\nPut all in order.\n",
    "pkg/prompts/greet.md": "Greet $1 now\n",
  });
  server.reply(say("ok"));
  await pi(ws, ["-e", "pkg", "-p", "/greet Ada"], { server });
  const { text } = server.request(1);
  expect(text).toContain("Greet Ada now");
  expect(JSON.stringify(server.request(1).body)).toContain("tidy things up");
});

test("pi doctor says which extensions there are and what is named and missing", async () => {
  await using ws = await workspace();
  expect((await pi(ws, ["doctor"])).stdout).toMatch(/extensions\s+none/);
  ws.write(join(stateFolder(ws), "extensions/hello.ts"), HELLO);
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify({ packages: ["npm:absent"] }));
  const { stdout } = await pi(ws, ["doctor"]);
  expect(stdout).toContain("hello; /extensions in the terminal shows how they run");
  expect(stdout).toContain('the package "absent" is not installed');
});

test("the example extension notes changes, shows them, and keeps CHANGELOG.md from being written", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const example = join(ROOT, "docs/examples/extensions/release-notes.ts");
  server.reply(
    call("note_change", { line: "Faster start" }),
    call("write", { file_path: "CHANGELOG.md", content: "x" }),
  );
  server.reply(say("noted"));
  await pi(ws, ["-e", example, "-p", "go"], { server });
  const results = server.request(2).results.map(({ text }) => text);
  expect(results).toEqual([
    "Noted; there are 1 notes now.",
    "CHANGELOG.md is written at release time; use note_change instead.",
  ]);
  expect(ws.exists("CHANGELOG.md")).toBe(false);
  const shown = await pi(ws, ["-e", example, "--continue", "-p", "/release-notes"], { server });
  expect(shown.stdout).toBe("- Faster start\n");
});
