/** Published Pi packages in the built executable: each loads as it is and does something of its own. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  call,
  leftovers,
  type ModelServer,
  modelServer,
  say,
  testHost,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { compiledFiles } from "./support/installed.ts";
import { pi, ROOT } from "./support/pi.ts";
import { onlySession, stateFolder } from "./support/state.ts";

/** What a package does under test. */
interface Case {
  name: string;
  files?: Record<string, string>;
  /** In the user's home. */
  home?: Record<string, string>;
  /** Calls one of its tools: what the model reads. */
  tool?: { name: string; input: object; reads: string };
  /** Runs one of its commands: what is shown. */
  command?: { line: string; shows: string };
  /** It holds something that is not compiled, so that all of it is loaded as it is. */
  asItIs?: boolean;
  /** Further answers of the model. */
  more?: string[];
}

const CASES: readonly Case[] = [
  {
    name: "@aliou/pi-processes",
    tool: { name: "process", input: { action: "list" }, reads: "No matching background processes." },
    command: { line: "/ps", shows: "No managed processes." },
  },
  {
    name: "@baochunli/pi-collaborating-agents",
    tool: { name: "agent_message", input: { action: "list" }, reads: "Active agents:\n- " },
  },
  { name: "pi-aliases", command: { line: "/exit:1", shows: "/exit:1 has run." } },
  {
    name: "pi-markdown-preview",
    asItIs: true,
    command: { line: "/preview-clear-cache", shows: "Cleared preview cache: " },
  },
  {
    name: "pi-mcp-adapter",
    asItIs: true,
    tool: { name: "mcp", input: {}, reads: "MCP: 0/0 servers, 0 tools" },
  },
  {
    name: "pi-prompt-template-model",
    command: { line: "/prompt-tool", shows: "run-prompt tool is disabled" },
  },
  {
    name: "pi-subagents",
    tool: { name: "subagent", input: { action: "list" }, reads: "Executable agents:" },
  },
  {
    name: "pi-web-access",
    tool: {
      name: "get_search_content",
      input: { responseId: "none" },
      reads: 'No stored results for responseId "none"',
    },
  },
];

const absent = (name: string) => testHost(name) === null;

async function run(ws: Workspace, server: ModelServer, name: string, prompt: string) {
  return await pi(ws, ["-e", testHost(name)!, "-p", prompt], { server });
}

/** What pi has compiled of a package is used by the next run in this workspace. */
async function compiledIn(ws: Workspace, { name, asItIs = false }: Case): Promise<void> {
  expect((await pi(ws, ["--compile-extensions", "--", testHost(name)!])).code).toBe(0);
  const { sets, code } = compiledFiles(ws);
  expect(sets.map(({ refused }) => refused.length)).toEqual([asItIs ? 1 : 0]);
  if (!asItIs) expect(code.length).toBeGreaterThan(0);
}

async function toolWorks(
  ws: Workspace,
  server: ModelServer,
  name: string,
  tool: NonNullable<(typeof CASES)[number]["tool"]>,
): Promise<void> {
  server.reply(call(tool.name, tool.input as Record<string, unknown>));
  server.reply(say("done"));
  const result = await run(ws, server, name, "go");
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(result.stderr).not.toContain("warning");
  expect(server.request(2).results[0]!.text).toContain(tool.reads);
}

for (const each of CASES) {
  const { name, tool, command } = each;
  test.skipIf(absent(name))(
    `the compiled package ${name} does what it does as it is (needs test-hosts)`,
    async () => {
      await using server = await modelServer();
      await using ws = await workspace({ "a.txt": "one\n" });
      await compiledIn(ws, each);
      if (tool !== undefined) {
        await toolWorks(ws, server, name, tool);
      }
      if (command === undefined) return;
      const result = await run(ws, server, name, command.line);
      expect(result.code).toBe(0);
      expect(result.stdout + result.stderr).toContain(command.shows);
      expect(result.stderr).not.toContain("warning");
    },
  );
}

for (const { name, tool, command } of CASES) {
  if (tool !== undefined)
    test.skipIf(absent(name))(
      `the package ${name} loads and its tool ${tool.name} works (needs test-hosts)`,
      async () => {
        await using server = await modelServer();
        await using ws = await workspace({ "a.txt": "one\n" });
        await toolWorks(ws, server, name, tool);
      },
    );
  if (command !== undefined)
    test.skipIf(absent(name))(
      `the package ${name} loads and its command ${command.line} runs (needs test-hosts)`,
      async () => {
        await using server = await modelServer();
        await using ws = await workspace();
        const result = await run(ws, server, name, command.line);
        expect(result.code).toBe(0);
        expect(result.stdout + result.stderr).toContain(command.shows);
        expect(result.stderr).not.toContain("warning");
      },
    );
}

test.skipIf(absent("@aliou/pi-processes"))(
  "a process that pi-processes starts is told to the model and ends with pi (needs test-hosts)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("process", { action: "start", name: "t", command: "sleep 600" }));
    server.reply(say("started"));
    const result = await run(ws, server, "@aliou/pi-processes", "go");
    expect(result).toMatchObject({ code: 0, stdout: "started\n" });
    expect(server.request(2).results[0]!.text).toContain("Started process t");
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

test.skipIf(absent("pi-prompt-template-model"))(
  "a prompt template with pi-prompt-template-model's own keys runs as a command (needs test-hosts)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    ws.write(
      join(ws.home, ".pi/agent/prompts/greet.md"),
      "---\ndescription: greet\nmodel: anthropic/claude-opus-5-5\n---\nGreet $1 warmly\n",
    );
    server.reply(say("hello"));
    const result = await run(ws, server, "pi-prompt-template-model", "/greet Ada");
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("hello");
    expect(server.request(1).text).toContain("Greet Ada warmly");
  },
);

test.skipIf(absent("pi-mermaid"))(
  "pi-mermaid draws the diagram of an answer and keeps it in the session (needs test-hosts)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("```mermaid\ngraph TD\n  A --> B\n```"));
    const result = await run(ws, server, "pi-mermaid", "draw");
    expect(result.code).toBe(0);
    const kept = onlySession(ws).records.filter(({ type }) => type === "extension");
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ kind: "message", custom: "pi-mermaid", display: true });
  },
);

test.skipIf(absent("pi-sync-system-theme"))(
  "pi-sync-system-theme loads and its command runs (needs test-hosts)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const result = await run(ws, server, "pi-sync-system-theme", "/system-theme");
    expect(result).toMatchObject({ code: 0, stdout: "/system-theme has run.\n", stderr: "" });
  },
);

const ALL = [...CASES.map(({ name }) => name), "pi-mermaid", "pi-sync-system-theme"];

test.skipIf(ALL.some(absent))(
  "ten packages load together, with one notice for the tool that two of them have (needs test-hosts)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("done"));
    const flags = ALL.flatMap((name) => ["-e", testHost(name)!]);
    const result = await pi(ws, [...flags, "-p", "go"], { server });
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    expect(result.stderr).toBe(
      'warning: the extension "pi-subagents" has a tool "subagent", and so has "@baochunli/pi-collaborating-agents"; the first one is used\n',
    );
    const tools = (server.request(1).body as { tools: { name: string }[] }).tools.map(({ name }) => name);
    expect(tools).toEqual(
      expect.arrayContaining(["process", "agent_message", "subagent", "mcp", "web_search", "preview_export"]),
    );
  },
);

test.skipIf(absent("pi-aliases"))(
  "a package that Pi has installed loads by Pi's own settings (needs test-hosts)",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const agent = join(ws.home, ".pi", "agent");
    ws.write(join(agent, "settings.json"), JSON.stringify({ packages: ["npm:pi-aliases", "npm:not-there"] }));
    const source = testHost("pi-aliases")!;
    for (const file of ["package.json", "src/index.ts"])
      ws.write(join(agent, "npm/node_modules/pi-aliases", file), readFileSync(join(source, file), "utf8"));
    const result = await pi(ws, ["-p", "/exit:1"], { server });
    expect(result).toMatchObject({ code: 0, stdout: "/exit:1 has run.\n" });
    expect(result.stderr).toContain(
      `warning: the package "not-there" is not installed; to install it: npm install --prefix ${stateFolder(ws)}/npm --omit=peer --ignore-scripts not-there`,
    );
  },
);

test("our own memory extension for Pi loads unchanged and stays passive", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("done"));
  const bundle = join(ROOT, "packages/remem/dist/hosts/pi.js");
  const result = await pi(ws, ["--memory-off", "-e", bundle, "-p", "go"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  const tools = (server.request(1).body as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(tools.filter((name) => name.startsWith("memory_"))).toEqual([]);
});
