/** Hooks and skills on the built executable, without a terminal. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, executable, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { eventsOf, ofType } from "./support/events.ts";
import { pi, ROOT, TEST_KEY } from "./support/pi.ts";
import { messagesOf, onlySession, stateFolder } from "./support/state.ts";

const SKILL =
  "---\nname: release\ndescription: make a release, with notes\n---\n\nTag it, then write the notes.\n";

function configure(ws: Workspace, config: object): void {
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify(config));
}

/** The example of a language in the page about hooks. */
function example(language: string): string {
  const page = readFileSync(join(ROOT, "docs", "hooks.md"), "utf8");
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;
}

describe("the examples of docs/hooks.md", () => {
  test("in bash: a push to main is blocked, any other command runs, and the model reads why [A-EXT-01]", async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    ws.write(join(ws.home, "no-push.sh"), executable(example("bash")));
    configure(ws, {
      hooks: [{ event: "before_tool", tools: ["bash"], command: "~/no-push.sh" }],
    });
    server.reply(call("bash", { command: "git push origin main" }), call("bash", { command: "echo it ran" }));
    server.reply(say("ok"));
    expect((await pi(ws, ["-p", "go"], { server })).code).toBe(0);
    const results = server.request(2).results.map(({ text }) => text);
    expect(results[0]).toContain("pushing to main is not allowed: open a pull request");
    expect(results[1]).toContain("it ran");
  });

  test("in Python: results are added to, and a deletion needs somebody to ask [A-EXT-01]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.txt": "12345" });
    ws.write(join(ws.home, "watch.py"), executable(example("python")));
    const command = "~/watch.py";
    configure(ws, {
      hooks: [
        { event: "before_tool", command },
        { event: "after_tool", command },
      ],
    });
    server.reply(call("ls", {}), call("bash", { command: "rm a.txt" }));
    server.reply(say("ok"));
    expect((await pi(ws, ["-p", "go"], { server })).code).toBe(0);
    const results = server.request(2).results.map(({ text }) => text);
    expect(results[0]).toEndWith("5 bytes in the files of this folder");
    expect(results[1]).toContain("it deletes files), and there is no terminal to ask on");
    expect(ws.exists("a.txt")).toBe(true);
  });
});

test("hooks hear of a whole run in order, read the session's id, and have no key [A-EXT-01][B08]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const events = ["session_start", "prompt", "before_tool", "after_tool", "stop", "session_end"];
  const command = "cat >> heard.jsonl; env >> env.txt";
  configure(ws, { hooks: [...events].reverse().map((event) => ({ event, command })) });
  server.reply(call("ls", {}));
  server.reply(say("done"));
  const result = await pi(ws, ["-p", "go\u2028on"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "done\n", stderr: "> ls\n" });
  const lines = ws
    .read("heard.jsonl")
    .trimEnd()
    .split(/[\n\u2028]/);
  const heard = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(heard.map(({ event }) => event)).toEqual(events);
  expect(new Set(heard.map(({ session_id }) => session_id))).toEqual(new Set([onlySession(ws).id]));
  expect(heard[1]).toMatchObject({ data: { prompt: "go\u2028on" }, cwd: ws.path });
  expect(ws.read("env.txt")).not.toContain(TEST_KEY);
});

test("a changed input is what runs, what is shown and what the permission rules decide on", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const input = (command: string) => ({
    event: "before_tool",
    tools: ["bash"],
    command: `echo '${JSON.stringify({ input: { command } })}'`,
  });
  server.otherwise((request) =>
    request.results.length === 0 ? [call("bash", { command: "ls" })] : [say("ok")],
  );
  configure(ws, { hooks: [input("echo changed")] });
  const events = eventsOf(await pi(ws, ["--mode", "json", "-p", "go"], { server }));
  expect(ofType(events, "tool_call")).toMatchObject([{ tool_input: { command: "echo changed" } }]);
  expect(ofType(events, "tool_result")[0]?.["content"]).toContain("changed");
  configure(ws, { hooks: [input("touch made")], permissions: { deny: ["bash(touch:*)"] } });
  const denied = eventsOf(await pi(ws, ["--mode", "json", "-p", "go"], { server }));
  expect(ofType(denied, "tool_result")[0]).toMatchObject({ is_error: true });
  expect(ws.exists("made")).toBe(false);
});

test("a formatter as a hook: the model is told that the file changed, and edits it again [L04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.ts": "one( )\n" });
  const command = "sed 's/( )/()/' a.ts > b && mv b a.ts";
  configure(ws, { hooks: [{ event: "after_tool", tools: ["edit"], command }] });
  const edit = (old_string: string, new_string: string) =>
    call("edit", { file_path: "a.ts", old_string, new_string });
  server.reply(call("read", { file_path: "a.ts" }));
  server.reply(edit("one( )", "two( )"));
  server.reply(edit("two()", "three()"));
  server.reply(say("ok"));
  expect((await pi(ws, ["-p", "go"], { server })).code).toBe(0);
  expect(server.request(3).results.at(-1)?.text).toContain(
    "[a hook of the user changed a.ts after that: read it again before you change it]",
  );
  expect(server.request(4).results.at(-1)?.text).not.toContain("read it again");
  expect(ws.read("a.ts")).toBe("three()\n");
});

test("a prompt that a hook blocks makes no request, and the exit code says so", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  configure(ws, { hooks: [{ event: "prompt", command: "echo it holds a name >&2; exit 2" }] });
  const result = await pi(ws, ["-p", "go"], { server });
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("the prompt was not sent: it holds a name");
  expect(server.requests).toHaveLength(0);
});

test("hooks of a project run only after trust, and after the user's [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    ".pi-go/config.json": JSON.stringify({ hooks: [{ event: "stop", command: "echo project >> log" }] }),
  });
  configure(ws, { hooks: [{ event: "stop", command: "echo user >> log" }] });
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "go"], { server });
  expect(ws.read("log")).toBe("user\n");
  await pi(ws, ["--trust", "-p", "go"], { server });
  expect(ws.read("log")).toBe("user\nuser\nproject\n");
});

test("a hook that hangs does not outlive an interrupted run", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  configure(ws, { hooks: [{ event: "before_tool", command: "sleep 600", timeout: 900 }] });
  server.reply(call("ls", {}));
  // The workspace fails the test when a process is left.
  const result = await pi(ws, ["--timeout", "3", "-p", "go"], { server });
  expect(result.code).toBe(124);
});

test("the model is told of skills by name and description, and reads one from outside of the project [A-EXT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const file = join(stateFolder(ws), "skills/release/SKILL.md");
  ws.write(file, SKILL);
  server.reply(call("read", { file_path: file }));
  server.reply(say("ok"));
  const result = await pi(ws, ["-p", "go"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "ok\n", stderr: `> read ${file}\n` });
  expect(server.request(1).text).toContain(`- release (${file}): make a release, with notes`);
  expect(server.request(1).text).not.toContain("Tag it");
  expect(server.request(2).results[0]?.text).toContain("Tag it, then write the notes.");
});

test("skills of a project count after trust only, and win over the user's [A-EXT-02][X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    ".claude/skills/release/SKILL.md": SKILL.replace("with notes", "as the project does"),
  });
  ws.write(join(ws.home, ".agents/skills/release/SKILL.md"), SKILL);
  server.otherwise(() => [say("ok")]);
  const untrusted = await pi(ws, ["-p", "go"], { server });
  expect(untrusted.stderr).toContain(`${join(ws.path, ".claude/skills/release/SKILL.md")} is not trusted`);
  expect(server.request(1).text).toContain("make a release, with notes");
  await pi(ws, ["--trust", "-p", "go"], { server });
  expect(server.request(2).text).toContain(
    "- release (.claude/skills/release/SKILL.md): make a release, as the project does",
  );
  expect(server.request(2).text).not.toContain("with notes");
});

test("/name sends a skill or a prompt with its arguments, also without a terminal [A-EXT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "skills/release/SKILL.md"), SKILL);
  ws.write(join(stateFolder(ws), "prompts/fix.md"), "Mend issue $1, then say $2.");
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["--no-session", "-p", "/release version 2"], { server });
  expect(server.request(1).text).toMatch(/Tag it, then write the notes\.\\n<\/skill>\\n\\nversion 2/);
  await pi(ws, ["-p", '/fix 7 "all done"'], { server });
  expect(messagesOf(onlySession(ws)).find(({ origin }) => origin === "user")?.parts).toEqual([
    { type: "text", text: "Mend issue 7, then say all done." },
  ]);
  await pi(ws, ["--no-session", "-p", "/etc/hosts has what?"], { server });
  expect(server.request(3).text).toContain("/etc/hosts has what?");
});

test("a skill that cannot be loaded is told with its line, and --no-skills leaves all of them out", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const file = join(stateFolder(ws), "skills/broken/SKILL.md");
  ws.write(file, "---\nname: broken\nwhat\n---\nx\n");
  ws.write(join(stateFolder(ws), "skills/release/SKILL.md"), SKILL);
  server.otherwise(() => [say("ok")]);
  const told = await pi(ws, ["-p", "go"], { server });
  expect(told.stderr).toBe(
    `warning: a skill or prompt was not loaded: ${file}:3: "what" is not of the form key: value\n`,
  );
  expect(server.request(1).text).toContain("- release (");
  const without = await pi(ws, ["--no-skills", "-p", "go"], { server });
  expect(without.stderr).toBe("");
  expect(server.request(2).text).not.toContain("release");
});

test("a project without skills pays for none of it: the first request is what it was", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "go"], { server });
  await pi(ws, ["--no-skills", "-p", "go"], { server });
  expect(server.request(1).text).not.toContain("# Skills");
  expect(server.request(1).field("system")).toEqual(server.request(2).field("system"));
});

test("pi doctor lists every hook with the file that names it, and whether its program is there; skills, and files that are none [A-EXT-01][A-EXT-02]", async () => {
  await using ws = await workspace({ "check.sh": "exit 0\n" });
  const hook = (command: string, more: object = {}) => ({ event: "before_tool", command, ...more });
  configure(ws, {
    hooks: [
      hook("sh ./check.sh", { tools: ["bash"] }),
      hook("no-such-program x"),
      hook("./gone.sh"),
      hook("~/gone.sh 1"),
      { event: "before_lunch", command: "true" },
    ],
  });
  ws.write(
    join(stateFolder(ws), "skills", "good", "SKILL.md"),
    "---\nname: good\ndescription: Does good.\n---\nDo good.\n",
  );
  ws.write(join(stateFolder(ws), "skills", "bad.SKILL.md"), "---\nname: [\n---\n");
  ws.write(join(ws.path, ".pi-go", "config.json"), JSON.stringify({ hooks: [hook("true # theirs")] }));
  const lines = async (words: string[]) =>
    (await pi(ws, ["doctor", ...words])).stdout.split("\n").map((line) => line.replace(/ +/g, " ").trim());
  const user = join(stateFolder(ws), "config.json");
  const shown = await lines([]);
  expect(shown).toContain(`ok hook before_tool bash: sh ./check.sh (${user})`);
  expect(shown).toContain(
    `! hook before_tool: no-such-program x (${user}) cannot run: there is no program no-such-program`,
  );
  expect(shown).toContain(
    `! hook before_tool: ./gone.sh (${user}) cannot run: there is no program ./gone.sh`,
  );
  expect(shown.join("\n")).toContain("there is no program ~/gone.sh");
  expect(shown.join("\n")).toContain('is "before_lunch", but must be one of');
  expect(shown).toContain("ok skills skills: 1, prompts: 0");
  expect(shown.join("\n")).toMatch(/! skill file .*bad\.SKILL\.md:\d+: /);
  expect(shown.join("\n")).not.toContain("# theirs");
  const trusted = await lines(["--trust"]);
  expect(trusted).toContain(`ok hook before_tool: true # theirs (${join(ws.path, ".pi-go", "config.json")})`);
});
