/** Plan mode on the built executable: whatever the model tries, nothing is changed but files below specs/. */
import { expect, test } from "bun:test";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  type Block,
  call,
  type ModelServer,
  modelServer,
  type RecordedRequest,
  say,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { fakeEntry, userConfig, userServers } from "./support/mcp.ts";
import { type PiOptions, pi } from "./support/pi.ts";
import { textOf } from "./support/subagents.ts";

const SANDBOX = Bun.which("bwrap") !== null;
const MARK = "<plan-mode>";

const plan = (
  ws: Workspace,
  server: ModelServer,
  words: readonly string[] = [],
  more: Partial<PiOptions> = {},
) => pi(ws, ["--plan-mode", ...words, "-p", "go!"], { server, ...more });

/** Plays these calls in one answer, and gives their results in the order of the calls. */
async function tried(
  ws: Workspace,
  server: ModelServer,
  calls: readonly Block[],
  words: readonly string[] = [],
  more: Partial<PiOptions> = {},
): Promise<string[]> {
  server.reply(...calls);
  server.reply(say("that was all"));
  const run = await plan(ws, server, words, more);
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: "that was all\n" });
  return server.requests.at(-1)!.results.map(({ text }) => text);
}

const reminders = (request: RecordedRequest | undefined) =>
  request?.userTexts.filter((text) => text.includes(MARK)) ?? [];

test.skipIf(!SANDBOX)(
  "write, edit, redirections, sed -i, tee, git commit, and scripts of other languages change nothing in plan mode [X03][A-SOP-01]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.txt": "one\n", "specs/.keep": "" }, { git: true });
    symlinkSync("..", ws.at("specs/out"));
    const before = {
      files: ws.snapshot(),
      log: ws.git("log", "--all", "--oneline"),
      status: ws.git("status", "--porcelain"),
    };
    const commands = [
      "echo two > a.txt",
      "sed -i s/one/two/ a.txt",
      "printf x | tee -a a.txt",
      `bash -c 'echo x > "$PWD/b.txt"'`,
      "python3 -c \"open('a.txt','w').write('x')\"; perl -i -pe s/o/x/ a.txt",
      "touch specs/by-bash.md; rm -f a.txt; mkdir new; mv a.txt c.txt",
      "true; git -C . commit --allow-empty -m x",
      "env git commit -am x",
      "cd . && git stash",
      "git branch stray; git tag stray; git config x.y z",
    ];
    const results = await tried(ws, server, [
      call("read", { file_path: "a.txt" }),
      call("write", { file_path: "a.txt", content: "two\n" }),
      call("edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
      call("write", { file_path: "specs/../b.txt", content: "x" }),
      call("write", { file_path: "specs/out/b.txt", content: "x" }),
      call("write", { file_path: "specsx/b.txt", content: "x" }),
      ...commands.map((command) => call("bash", { command })),
    ]);
    expect({
      files: ws.snapshot(),
      log: ws.git("log", "--all", "--oneline"),
      status: ws.git("status", "--porcelain"),
    }).toEqual(before);
    expect(results[0]).toContain("one");
    for (const refused of results.slice(1, 6))
      expect(refused).toContain("only files below specs/ may be written");
    expect(results[6]).toContain("Read-only file system");
    expect(results.slice(12, 15).map((text) => /git \w+ changes the repository/.exec(text)?.[0])).toEqual([
      "git commit changes the repository",
      "git commit changes the repository",
      "git stash changes the repository",
    ]);
  },
);

test("below specs/ files are written, and the model is told of the mode once [X03][A-SOP-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" });
  const [written] = await tried(ws, server, [
    call("write", { file_path: "specs/x/design.md", content: "# x\n" }),
  ]);
  expect(written).not.toContain("Not run");
  expect(ws.read("specs/x/design.md")).toBe("# x\n");
  expect(reminders(server.request(1))).toHaveLength(1);
  expect(reminders(server.requests.at(-1))).toHaveLength(1);
});

test("a specs folder that is a link into the project's own files may not be written [X03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "src/a.ts": "a\n" });
  symlinkSync("src", ws.at("specs"));
  const before = ws.snapshot();
  const [written] = await tried(ws, server, [call("write", { file_path: "specs/b.ts", content: "b" })]);
  expect(written).toContain("only files below specs/ may be written, not specs/b.ts (really");
  expect(ws.snapshot()).toEqual(before);
});

test("tools of a server run in plan mode only when they are declared to read [X03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" });
  const heard = join(ws.outside, "heard");
  const tool = (name: string, annotations?: object) => ({
    name,
    inputSchema: { type: "object" },
    annotations,
  });
  userConfig(ws, { mcp: { startupWait: 60 } });
  userServers(ws, {
    fake: fakeEntry({
      heard,
      tools: [
        tool("look", { readOnlyHint: true }),
        tool("put", { readOnlyHint: false }),
        tool("both", { readOnlyHint: true, destructiveHint: true }),
      ],
    }),
  });
  const calls = ["look", "put", "both", "do"].map((name) => call(`fake__${name}`, {}));
  // The second start knows the tools from the first, and has asked no server yet.
  for (const start of [1, 2]) {
    const results = (await tried(ws, server, calls)).slice(-calls.length);
    expect(results.map((text) => text.includes("Not run"))).toEqual([false, true, true, true]);
    const made = textOf(heard)
      .split("\n")
      .filter((line) => line.includes("tools/call"));
    expect(made).toHaveLength(start);
  }
});

test("subagents of plan mode are only those that read, with commands that can write nothing, and no worktree is made [X03][A07]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write(
    join(ws.home, ".pi-go/agents/sly.md"),
    "---\nname: sly\ndescription: reads\nread_only: true\ntools: read, write, edit, bash\n---\nRead.\n",
  );
  const before = { files: ws.snapshot(), git: ws.git("for-each-ref") };
  const child = (request: RecordedRequest) => request.userTexts.some((text) => text.includes("CHILD"));
  server
    .when((request) => child(request) && request.results.length === 0)
    .reply(
      call("write", { file_path: "a.txt", content: "two" }),
      call("bash", { command: "echo two > a.txt" }),
      call("write", { file_path: "specs/a.md", content: "two" }),
    );
  server.when(child).reply(say("tried it"));
  const results = await tried(ws, server, [
    call("agent", { agent: "task", task: "CHILD" }),
    call("agent", { agent: "quick-task", task: "CHILD" }),
    call("agent", {
      tasks: [
        { agent: "explore", task: "CHILD" },
        { type: "designer", task: "CHILD" },
      ],
    }),
    call("agent", { chain: [{ agent: "task", task: "CHILD" }] }),
    call("agent", { agent: "explore", task: "CHILD", worktree: true }),
    call("agent", { resume: "task-abcde", task: "go on" }),
    call("agent", { resume: "task-abcde", apply: true }),
    call("agent", { agent: "reviewer", task: "CHILD" }),
    call("agent", { agent: "sly", task: "CHILD" }),
  ]);
  for (const refused of results.slice(0, 7)) expect(refused).toContain("Not run: plan mode is on");
  for (const ran of results.slice(7)) expect(ran).toContain("tried it");
  expect({ files: ws.snapshot(), git: ws.git("for-each-ref") }).toEqual(before);
  expect(existsSync(ws.at("specs"))).toBe(false);
});

test.skipIf(!SANDBOX)(
  "hooks of the user judge calls in plan mode and can change no file of the project [X03]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.txt": "one\n" });
    const line = 'cat > "$TMPDIR/seen"; echo x >> a.txt; echo x > made.txt';
    userConfig(ws, {
      hooks: [
        { event: "after_tool", command: `${line}; exit 0` },
        { event: "session_start", command: `${line}; exit 0` },
        {
          event: "before_tool",
          tools: ["ls"],
          command: 'grep -q \'"tool":"ls"\' && { echo never ls >&2; exit 2; }',
        },
      ],
    });
    const before = ws.snapshot();
    const results = await tried(ws, server, [
      call("read", { file_path: "a.txt" }),
      call("ls", {}),
      call("write", { file_path: "specs/a.md", content: "x\n" }),
    ]);
    expect(results[1]).toContain("never ls");
    expect(ws.read("specs/a.md")).toBe("x\n");
    expect({ ...ws.snapshot(), "specs/a.md": "", specs: "" }).toEqual({
      ...before,
      "specs/a.md": "",
      specs: "",
    });
  },
);

test("plan mode comes back with the session [X03][C12]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" });
  server.reply(say("planned"));
  expect((await plan(ws, server)).code).toBe(0);
  server.reply(call("write", { file_path: "a.txt", content: "two\n" }));
  server.reply(say("could not"));
  const again = await pi(ws, ["-c", "-p", "write it"], { server });
  expect(again.stdout).toBe("could not\n");
  expect(again.stderr).toContain("this session is in plan mode");
  expect(server.requests.at(-1)!.results[0]!.text).toContain("plan mode is on");
  expect(reminders(server.requests.at(-1))).toHaveLength(1);
  expect(ws.read("a.txt")).toBe("one\n");
});
