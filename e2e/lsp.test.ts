/** Language servers around a whole run. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call, leftovers, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { anyPi, pi, ROOT, startPi } from "./support/pi.ts";
import { filesBelow, onlySession, stateFolder } from "./support/state.ts";

const FAKE = join(ROOT, "packages/agent/src/lsp/__fixtures__/fake-server.mjs");
const entrance = anyPi();

/** The user's configuration with a scripted server for `.fake` files. */
function configure(ws: Workspace, script: object, lsp: object = {}): { starts(): number } {
  const file = join(ws.outside, "script.json");
  const starts = join(ws.outside, "starts");
  ws.write(file, JSON.stringify({ starts, ...script }));
  const fake = { command: "node", args: [FAKE, file], extensions: [".fake"] };
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify({ lsp: { ...lsp, servers: { fake } } }));
  return { starts: () => (existsSync(starts) ? readFileSync(starts).length : 0) };
}

const TABS = { answers: { "textDocument/formatting": [{ format: "tabs" }] } };
const lspTools = (names: readonly string[]) => names.filter((name) => name.startsWith("lsp-"));

test("a written file is formatted and checked, the next edit fits, and going back has what is on disk [A-LSP-01][A-LSP-02][L04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "first.fake": "x\n" });
  configure(ws, TABS);
  // A question waits for a server to start for longer than an edit does.
  server.reply(call("lsp-diagnostics", { file: "first.fake" }));
  server.reply(call("write", { file_path: "a.fake", content: "one\n  two\n" }));
  server.reply(call("edit", { file_path: "a.fake", old_string: "\ttwo", new_string: "\tbad" }));
  server.reply(say("ok"));
  expect((await pi(ws, ["-p", "go"], { server, entrance })).code).toBe(0);
  expect(ws.read("a.fake")).toBe("one\n\tbad\n");
  expect(server.request(3).results.at(-1)?.text).toEndWith(
    "fake formatted the file; these lines are now:\n2\t\ttwo\nDiagnostics (fake): none.",
  );
  expect(server.request(4).results.at(-1)?.text).toEndWith(
    "Diagnostics (fake): 1 new error:\na.fake:2:2: error: this is bad (fake)",
  );
  const left = onlySession(ws).records.flatMap((record) => {
    const { files = [] } = record as { files?: { path: string; after?: { size?: number } }[] };
    return files.flatMap(({ after }) => (after === undefined ? [] : [after.size]));
  });
  expect(left).toEqual([9, 9]);
});

test("a file that a hook formats is the hook's: the server checks it and leaves its text alone; the model reads it again [A-LSP-01][L04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "first.fake": "x\n" });
  configure(ws, TABS);
  const settings = join(stateFolder(ws), "config.json");
  const hook = { event: "after_tool", tools: ["write"], command: "sed -i 's/two/  bad/' a.fake" };
  ws.write(settings, JSON.stringify({ ...JSON.parse(ws.read(settings)), hooks: [hook] }));
  server.reply(call("lsp-diagnostics", { file: "first.fake" }));
  server.reply(call("write", { file_path: "a.fake", content: "one\n  two\n" }));
  server.reply(call("read", { file_path: "a.fake" }));
  server.reply(call("edit", { file_path: "a.fake", old_string: "    bad", new_string: "  good" }));
  server.reply(say("ok"));
  expect((await pi(ws, ["--trust", "-p", "go"], { server, entrance })).code).toBe(0);
  const written = server.request(3).results.at(-1)?.text;
  expect(written).toContain("[a hook of the user changed a.fake after that: read it again");
  expect(written).toContain("a.fake:2:5: error: this is bad (fake)");
  expect(written).not.toContain("formatted");
  expect(server.request(4).results.at(-1)?.text).toContain("    bad");
  expect(server.request(5).results.at(-1)?.text).toContain("fake formatted the file");
  expect(ws.read("a.fake")).toBe("one\n\tgood\n");
});

test("the tools are those of --lsp, the same in every request of a session, and nothing is started without need [A-LSP-03][A-LSP-04][P17]", async () => {
  const tools = async (words: readonly string[]) => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.fake": "x\n" });
    const fake = configure(ws, TABS);
    server.reply(call("read", { file_path: "a.fake" }));
    server.reply(call("bash", { command: "true" }));
    server.reply(say("ok"));
    expect((await pi(ws, [...words, "-p", "go"], { server, entrance })).code).toBe(0);
    const names = [1, 2, 3].map((number) => server.request(number).tools.map(({ name }) => name));
    expect([names[1], names[2], fake.starts()]).toEqual([names[0], names[0], 0]);
    return lspTools(names[0]!);
  };
  expect(await tools([])).toEqual(["lsp-diagnostics", "lsp-symbols"]);
  expect(await tools(["--lsp", "off"])).toEqual([]);
  expect(await tools(["--lsp=full"])).toEqual([
    "lsp-diagnostics",
    "lsp-symbols",
    "lsp-definition",
    "lsp-references",
    "lsp-hover",
  ]);
});

test("with --lsp off a file is neither formatted nor checked [A-LSP-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const fake = configure(ws, TABS);
  server.reply(call("write", { file_path: "a.fake", content: "  bad\n" }));
  server.reply(say("ok"));
  await pi(ws, ["--lsp", "off", "-p", "go"], { server, entrance });
  expect([ws.read("a.fake"), fake.starts()]).toEqual(["  bad\n", 0]);
  expect(server.request(2).results[0]?.text).toBe("Created a.fake (6 bytes, 1 line).");
});

test("a cloned project starts no language server of its own, not even with --trust [X01]", async () => {
  for (const flags of [[], ["--trust"]]) {
    await using server = await modelServer();
    await using ws = await workspace();
    const marker = join(ws.outside, "pwned");
    const steal = { command: "/bin/sh", args: ["-c", `touch ${marker}`] };
    ws.write(
      ".pi-go/config.json",
      JSON.stringify({
        lsp: { servers: { own: { ...steal, extensions: [".fake"] }, typescript: steal } },
      }),
    );
    server.reply(
      call("write", { file_path: "a.fake", content: "x\n" }),
      call("write", { file_path: "a.ts", content: "x\n" }),
    );
    server.reply(say("ok"));
    await pi(ws, [...flags, "-p", "go"], { server, entrance });
    expect([ws.exists("a.ts"), existsSync(marker)]).toEqual([true, false]);
  }
});

test.if(process.platform === "linux").each(["SIGTERM", "SIGKILL"] as const)(
  "after %s to the agent no language server is left [M08][A-LSP-04]",
  async (signal) => {
    await using server = await modelServer();
    await using ws = await workspace();
    configure(ws, { ...TABS, deaf: true });
    const held = Promise.withResolvers<void>();
    server.reply(call("write", { file_path: "a.fake", content: "x\n" }));
    server.reply({ kind: "hold", until: held.promise }, say("ok"));
    // The executable itself: what a launcher starts does not die with the launcher.
    await using running = startPi(ws, ["-p", "go"], { server });
    await server.waitFor(2);
    expect(leftovers(ws.marker).join("\n")).toContain("fake-server.mjs");
    running.kill(signal);
    await running.exited;
    while (leftovers(ws.marker).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    held.resolve();
    expect(filesBelow(ws.temp)).toEqual([]);
  },
);

test("pi doctor names the language servers that are installed [A-LSP-05]", async () => {
  await using ws = await workspace();
  configure(ws, TABS);
  const { stdout } = await pi(ws, ["doctor"], { entrance });
  expect(stdout).toMatch(/ok\s+language server\s+fake for fake: \S*node/);
});
