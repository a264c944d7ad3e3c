import { expect, test } from "bun:test";
import { leftovers, workspace } from "@pi-ts/testkit";
import { systemClock } from "../platform/clock.ts";
import { LanguageQueries } from "./language-queries.ts";
import { editBench } from "./test-support/edit-bench.ts";
import { fakeServer } from "./test-support/fake-server.ts";

const QUICK = {
  formatMs: 120,
  diagnosticsMs: 60,
  questionMs: 120,
  restartMs: [0, 0],
  settleMs: 20,
  patienceMs: 0,
};

test("a missing server is said once for a language, and changes nothing of the edit [L01]", async () => {
  await using ws = await workspace();
  const servers = { fake: { command: "no-such-server", extensions: [".fake"] } };
  await using bench = editBench(ws, { servers });
  const first = await bench.write("a.fake", "  one\n");
  expect(first.text).toBe(
    "Created a.fake (6 bytes, 1 line).\n" +
      "LSP unavailable: no language server for fake was found: no-such-server is not installed.",
  );
  expect((await bench.write("b.fake", "two\n")).text).toBe("Created b.fake (4 bytes, 1 line).");
  expect(ws.read("a.fake")).toBe("  one\n");
  const asked = await bench.ask.diagnostics("a.fake", bench.signal);
  expect(asked).toMatchObject({ state: "not_looked", code: "no_server" });
});

test("a kind of file that no server is known for is not spoken of after an edit [L01]", async () => {
  await using ws = await workspace();
  await using bench = editBench(ws);
  expect((await bench.write("a.unheard", "x\n")).text).toBe("Created a.unheard (2 bytes, 1 line).");
  const asked = await bench.ask.symbols("a.unheard", bench.signal);
  expect(asked).toMatchObject({
    code: "no_server",
    reason: "no language server is known for .unheard files",
  });
});

test("a server that ends at once is started again a bounded number of times, then left off, said once [L01]", async () => {
  await using ws = await workspace();
  const fake = fakeServer(ws, { exit: 3, say: "\u001b[31mcannot\u001b[0m find my library.\n" });
  await using bench = editBench(ws, { ...fake, limits: { ...QUICK, formatMs: 100_000 } });
  const texts: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"]) texts.push((await bench.write(`${name}.fake`, "x\n")).text);
  expect(texts[0]).toContain("Diagnostics unknown: fake did not start: it ended with exit code 3");
  expect(texts[0]).toContain("cannot find my library");
  expect(texts.filter((text) => text.includes("is left off for this session")).length).toBe(1);
  expect(texts[4]).toBe("Created e.fake (2 bytes, 1 line).");
  expect(fake.starts()).toBe(3);
});

for (const [what, script] of [
  ["never answers initialize", { initialize: "hang" }],
  ["writes text that is no message", { garbage: "start" }],
  ["gives a wrong length", { garbage: "length" }],
] as const)
  test(`a server that ${what} delays an edit by its limits at most and has no effect on it [L01]`, async () => {
    await using ws = await workspace();
    await using bench = editBench(ws, { ...fakeServer(ws, script), limits: QUICK });
    const outcome = await bench.write("a.fake", "  one\n");
    expect([outcome.isError, outcome.text.split("\n")[0]]).toEqual([
      false,
      "Created a.fake (6 bytes, 1 line).",
    ]);
    expect(outcome.text).toContain("Diagnostics unknown: ");
    expect(ws.read("a.fake")).toBe("  one\n");
  });

test("a server that starts slowly is waited for once, not with every edit [L01]", async () => {
  await using ws = await workspace();
  const gate = `${ws.outside}/gate`;
  const limits = { ...QUICK, formatMs: 30 };
  await using bench = editBench(ws, { ...fakeServer(ws, { initialize: gate }), limits });
  expect((await bench.write("a.fake", "bad\n")).text).toContain("is still starting");
  expect((await bench.write("b.fake", "bad\n")).text).toContain("is still starting");
  ws.write(gate, "");
  const asked = await bench.ask.diagnostics("a.fake", bench.signal);
  expect(["answer", "not_looked"]).toContain(asked.state);
});

test("a request that is never answered is cancelled, and later edits do not wait for this server [L01]", async () => {
  await using ws = await workspace();
  const fake = fakeServer(ws, { answers: { "textDocument/formatting": ["hang"] } });
  const limits = { ...QUICK, questionMs: 100_000, diagnosticsMs: 2_000 };
  await using bench = editBench(ws, { ...fake, limits });
  // However long it takes to start: what follows is about a server that runs.
  await bench.ask.symbols(bench.context.files.write("c.fake", Buffer.from("x\n")).path, bench.signal);
  const first = await bench.write("a.fake", "x\n");
  expect(first.text).toContain("Not formatted: fake did not answer in time.");
  const second = await bench.write("b.fake", "x\n");
  expect(second.text).toContain("Diagnostics unknown: fake has not answered for ");
  while (fake.received("$/cancelRequest").length === 0) await Bun.sleep(1);
  await bench[Symbol.asyncDispose]();
  expect(fake.received("textDocument/formatting").length).toBe(1);
});

test("a server that owes an answer for too long is ended and started anew [L01]", async () => {
  await using ws = await workspace();
  const fake = fakeServer(ws, { answers: { "textDocument/hover": ["hang"] } });
  await using bench = editBench(ws, { ...fake, limits: { ...QUICK, questionMs: 5_000, unresponsiveMs: 0 } });
  const stop = new AbortController();
  await bench.ask.symbols(bench.context.files.write("a.fake", Buffer.from("x\n")).path, bench.signal);
  const asking = bench.ask.hover("a.fake", { line: 1, column: 1 }, stop.signal);
  while (fake.received("textDocument/hover").length === 0) await Bun.sleep(1);
  stop.abort();
  expect(await asking).toMatchObject({ state: "not_looked", code: "aborted" });
  while (bench.session.workspace.pool.running()[0]!.overdueMs === 0) await Bun.sleep(1);
  await bench.ask.symbols("a.fake", bench.signal);
  await bench.ask.symbols("a.fake", bench.signal);
  expect(fake.starts()).toBe(2);
});

test("a crash during a request is told with its reason, and the next question gets a new server [L01]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const fake = fakeServer(ws, { answers: { "textDocument/hover": ["crash"] } });
  await using bench = editBench(ws, { ...fake, limits: { restartMs: [0, 0] } });
  const crashed = await bench.ask.hover("a.fake", { line: 1, column: 1 }, bench.signal);
  expect(crashed).toMatchObject({ state: "not_looked", code: "crashed" });
  const next = await bench.ask.diagnostics("a.fake", bench.signal);
  expect(next).toMatchObject({ state: "answer", value: [] });
  expect(fake.starts()).toBe(2);
});

test("after a crash a server is left alone for a while [L01]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const fake = fakeServer(ws, { exit: 1 });
  await using bench = editBench(ws, { ...fake, limits: { restartMs: [60_000] } });
  await bench.ask.diagnostics("a.fake", bench.signal);
  const soon = await bench.ask.diagnostics("a.fake", bench.signal);
  expect(soon).toMatchObject({
    code: "crashed",
    reason: expect.stringMatching(/it is tried again in (59|60) s$/),
  });
  expect(fake.starts()).toBe(1);
});

test("garbage between messages, an error as an answer and a megabyte on stderr are survived [L01]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const fake = fakeServer(ws, {
    flood: true,
    answers: {
      "textDocument/hover": [{ error: { code: -32603, message: "I am confused" } }],
      "textDocument/documentSymbol": ["garbage"],
    },
  });
  await using bench = editBench(ws, { ...fake, limits: { restartMs: [0] } });
  const refused = await bench.ask.hover("a.fake", { line: 1, column: 1 }, bench.signal);
  expect(refused).toMatchObject({ code: "refused", reason: "fake answered: I am confused" });
  const garbage = await bench.ask.symbols("a.fake", bench.signal);
  expect(garbage).toMatchObject({ code: "crashed" });
  expect((await bench.ask.diagnostics("a.fake", bench.signal)).state).toBe("answer");
});

test("a server's own requests are answered, and none of them changes a file [L01]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const fake = fakeServer(
    ws,
    {
      requests: [
        { method: "workspace/configuration", params: { items: [{ section: "a.b" }, { section: "none" }] } },
        { method: "workspace/workspaceFolders" },
        { method: "workspace/applyEdit", params: { edit: { changes: {} } } },
        {
          method: "window/showMessageRequest",
          params: { type: 1, message: "?", actions: [{ title: "Yes" }] },
        },
        { method: "no/such/method" },
      ],
    },
    { settings: { a: { b: 7 } } },
  );
  await using bench = editBench(ws, fake);
  await bench.ask.diagnostics("a.fake", bench.signal);
  while (fake.answers().length < 5) await Bun.sleep(1);
  const byId = Object.fromEntries(
    fake
      .answers()
      .map((answer) => [answer.id, answer.result ?? (answer as { error?: unknown }).error ?? null]),
  );
  expect(byId).toMatchObject({
    "ask-0": [7, null],
    "ask-1": [{ name: "project" }],
    "ask-2": { applied: false },
    "ask-3": null,
    "ask-4": { code: -32601 },
  });
});

test("of a server that names versions, what it publishes of the file on the disk is no answer about an open text [L02]", async () => {
  await using ws = await workspace({ "a.go": "bad\n" });
  const go = ws.at("go");
  const { command, args } = fakeServer(ws, { first: true, publish: go }).servers.fake;
  await using bench = editBench(ws, { servers: { gopls: { command, args } }, limits: { settleMs: 1 } });
  const asked = bench.ask.diagnostics("a.go", bench.signal);
  const published = () => bench.session.workspace.pool.running()[0]?.published.serial ?? 0;
  while (published() === 0) await Bun.sleep(1);
  ws.write("go", "");
  expect(await asked).toMatchObject({ state: "answer", value: [{ message: "this is bad" }] });
});

test("a server that ignores shutdown, exit and SIGTERM is gone when the session is [L01][M08]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const bench = editBench(ws, { ...fakeServer(ws, { deaf: true }), environment: ws.env() });
  await bench.ask.diagnostics("a.fake", bench.signal);
  expect(bench.processes.list().length).toBe(1);
  await bench[Symbol.asyncDispose]();
  expect(await leftovers(ws.marker)).toEqual([]);
});

test("a server that nobody asks any more is shut down, and comes back when it is needed [A-LSP-04]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const fake = fakeServer(ws);
  await using bench = editBench(ws, { ...fake, limits: { idleMs: 30 } });
  await bench.ask.diagnostics("a.fake", bench.signal);
  while (bench.processes.list().length > 0) await Bun.sleep(1);
  expect(fake.received("shutdown").length).toBe(1);
  expect((await bench.ask.diagnostics("a.fake", bench.signal)).state).toBe("answer");
  expect(fake.starts()).toBe(2);
});

test("large, binary and foreign files are not looked at, with the reason [L01]", async () => {
  await using ws = await workspace({
    "long.fake": "x\n".repeat(100_000),
    "big.fake": "x".repeat(3_000_000),
    "bin.fake": new Uint8Array([0, 1, 2, 3]),
    ".env": "KEY=secret",
  });
  await using bench = editBench(ws, fakeServer(ws));
  const asked = async (file: string) => await bench.ask.diagnostics(file, bench.signal);
  expect(await asked("long.fake")).toMatchObject({
    code: "too_large",
    reason: expect.stringContaining("long.fake has 100,001 lines, more than 50,000"),
  });
  expect(await asked("big.fake")).toMatchObject({ code: "too_large" });
  expect(await asked("bin.fake")).toMatchObject({ code: "not_text", reason: "bin.fake is no UTF-8 text" });
  await expect(asked(".env")).rejects.toMatchObject({ code: "file_secret" });
  await expect(asked("../outside/a.fake")).rejects.toMatchObject({ code: "file_outside" });
  expect(bench.processes.list()).toEqual([]);
});

test("a question ends with its signal [L01]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  await using bench = editBench(ws, fakeServer(ws, { initialize: "hang" }));
  const stop = new AbortController();
  const asking = bench.ask.hover("a.fake", { line: 1, column: 1 }, stop.signal);
  stop.abort();
  expect(await asking).toMatchObject({ state: "not_looked", code: "aborted" });
});

test("servers get no key of ours [X05]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  const fake = fakeServer(ws, { exit: 1 });
  const bench = editBench(ws, {
    servers: {
      fake: {
        command: "/bin/sh",
        args: ["-c", `env > ${ws.outside}/env; exit 1`],
        extensions: [".fake"],
      },
    },
    environment: ws.env({ ANTHROPIC_API_KEY: "sk-test-123", PLAIN: "kept" }),
  });
  await bench.ask.diagnostics("a.fake", bench.signal);
  await bench[Symbol.asyncDispose]();
  expect(fake.starts()).toBe(0);
  const environment = ws.read(`${ws.outside}/env`);
  expect([environment.includes("sk-test"), environment.includes("PLAIN=kept")]).toEqual([false, true]);
});

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

test("nothing found by a server that is still indexing is no answer, and is asked for again when it is idle [A-LSP-03][L02]", async () => {
  await using ws = await workspace({ "a.fake": "x\n", "b.fake": "y\n" });
  const idle = `${ws.outside}/idle`;
  const link = { targetUri: `file://${ws.path}/b.fake`, targetRange: range, targetSelectionRange: range };
  const fake = fakeServer(ws, {
    busy: "Indexing…",
    idle,
    answers: {
      "textDocument/hover": [{ result: { contents: "text" } }],
      "textDocument/definition": [{ result: [] }, { result: null }, { result: [link] }],
    },
  });
  const place = { line: 1, column: 1 };
  await using impatient = editBench(ws, { ...fake, limits: { questionMs: 1_000 } });
  const patient = new LanguageQueries({
    workspace: impatient.session.workspace,
    files: impatient.context.files,
    clock: systemClock,
    questionMs: 100_000,
    settleMs: 20,
  });
  // However long it takes to start: what follows is about a server that runs.
  await patient.hover("a.fake", place, impatient.signal);
  expect(await impatient.ask.definition("a.fake", place, impatient.signal)).toMatchObject({
    state: "not_looked",
    code: "indexing",
    reason: "fake found nothing, but is still busy: Indexing",
  });
  await impatient.ask.definition("a.fake", place, impatient.signal);
  const asking = patient.references("a.fake", place, impatient.signal);
  while (fake.received("textDocument/references").length === 0) await Bun.sleep(1);
  ws.write(idle, "");
  expect(await asking).toMatchObject({ state: "answer", value: [] });
  expect(fake.received("textDocument/references").length).toBe(2);
  expect(await patient.definition("a.fake", place, impatient.signal)).toMatchObject({
    state: "answer",
    value: [{ path: "b.fake", line: 1, column: 1, outside: false }],
  });
});

test("a server that cannot do what is asked says so by what it announces [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.fake": "x\n" });
  await using bench = editBench(ws, fakeServer(ws, { capabilities: { hoverProvider: false } }));
  expect(await bench.ask.hover("a.fake", { line: 1, column: 1 }, bench.signal)).toMatchObject({
    state: "not_looked",
    code: "unsupported",
  });
});
