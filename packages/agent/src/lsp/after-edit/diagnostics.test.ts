import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { editBench } from "../test-support/edit-bench.ts";
import { fakeServer } from "../test-support/fake-server.ts";

const REGISTERS_PULL = {
  method: "client/registerCapability",
  params: { registrations: [{ id: "d", method: "textDocument/diagnostic", registerOptions: {} }] },
};

for (const [way, script] of [
  ["publishes with versions", {}],
  ["publishes without versions", { publish: "unversioned" }],
  ["publishes twice, first nothing", { publish: "twice" }],
  ["is asked", { publish: "never", pull: true }],
  ["says only after its start that it is to be asked", { publish: "never", requests: [REGISTERS_PULL] }],
] as const)
  test(`only what a change did to the problems is told, of a server that ${way} [A-LSP-02][L02]`, async () => {
    await using ws = await workspace({ "a.fake": "bad old\nfine\nodd old\n" });
    await using bench = editBench(ws, fakeServer(ws, script));
    const added = await bench.edit("a.fake", "fine", "more\nbad new");
    expect(added.text).toEndWith(
      "Diagnostics (fake): 1 new error, 2 as before:\na.fake:3:1: error: this is bad (fake)",
    );
    expect(added.details["lsp_diagnostics"]).toEqual(["a.fake:3:1: error: this is bad (fake)"]);
    const gone = await bench.edit("a.fake", "bad old\n", "");
    expect(gone.text).toEndWith("Diagnostics (fake): nothing new, 1 gone, 2 as before.");
    const clean = await bench.edit("a.fake", "bad new\nodd old", "good");
    expect(clean.text).toEndWith("Diagnostics (fake): none left, 2 gone.");
    const still = await bench.edit("a.fake", "good", "better");
    expect(still.text).toEndWith("Diagnostics (fake): none.");
  });

test("what is published for another version is no answer: unknown is not clean [A-LSP-02][L02]", async () => {
  await using ws = await workspace();
  await using bench = editBench(ws, {
    ...fakeServer(ws, { publish: "stale" }),
    limits: { diagnosticsMs: 60 },
  });
  const outcome = await bench.write("a.fake", "bad\n");
  expect(outcome.isError).toBe(false);
  expect(outcome.text).toEndWith("Diagnostics unknown: fake has said nothing about this version yet.");
});

test("a problem in another form than usual is one, and not a clean file [A-LSP-02][L02]", async () => {
  const at = { line: 0, character: 2 };
  const items = [
    { range: { start: at, end: at }, message: { kind: "markdown", value: "in *markup*" } },
    { message: "of the whole file" },
    { range: null },
  ];
  await using ws = await workspace();
  const answers = { "textDocument/diagnostic": [{ result: { kind: "full", items } }] };
  await using bench = editBench(ws, fakeServer(ws, { publish: "never", pull: true, answers }));
  expect((await bench.write("a.fake", "text\n")).details["lsp_diagnostics"]).toEqual([
    "a.fake:1:1: error: of the whole file",
    "a.fake:1:1: error: (a problem without a message)",
    "a.fake:1:3: error: in *markup*",
  ]);
});

test("an answer without a list of problems is no clean file [A-LSP-02][L02]", async () => {
  await using ws = await workspace();
  const answers = { "textDocument/diagnostic": [{ result: { kind: "unchanged" } }] };
  await using bench = editBench(ws, fakeServer(ws, { publish: "never", pull: true, answers }));
  expect((await bench.write("a.fake", "text\n")).text).toEndWith(
    "Diagnostics unknown: fake answered without a list of problems.",
  );
});

test("problems that come too late for one change are told with the next [A-LSP-02][L02]", async () => {
  await using ws = await workspace();
  const gate = `${ws.outside}/gate`;
  await using bench = editBench(ws, { ...fakeServer(ws, { publish: gate }), limits: { diagnosticsMs: 60 } });
  expect((await bench.write("a.fake", "bad\n")).text).toContain("Diagnostics unknown");
  ws.write(gate, "");
  const published = async () => {
    const server = bench.session.workspace.pool.running()[0]!;
    while (server.published.get(ws.at("a.fake")) === undefined)
      await server.published.next(new AbortController().signal);
  };
  await published();
  const next = await bench.write("b.fake", "fine\n");
  expect(next.text).toEndWith("New errors in other files:\na.fake:1:1: error: this is bad (fake)");
});

test("errors that a change causes in another file are shown in brief [A-LSP-02]", async () => {
  await using ws = await workspace({ "a.fake": "fine\n", "far.fake": "text\n" });
  await using bench = editBench(ws, fakeServer(ws, { others: ws.at("far.fake") }));
  const outcome = await bench.edit("a.fake", "fine", "finer");
  expect(outcome.text).toEndWith(
    "Diagnostics (fake): none.\nNew errors in other files:\nfar.fake:1:1: error: broken from afar (fake)",
  );
});

test("a server that is still indexing has not said that a file is clean [A-LSP-02][L02]", async () => {
  await using ws = await workspace();
  const idle = `${ws.outside}/idle`;
  await using bench = editBench(ws, fakeServer(ws, { busy: "Indexing", idle }));
  // The first change starts the server; by the second its progress has been reported.
  await bench.write("a.fake", "fine\n");
  expect((await bench.write("b.fake", "fine\n")).text).toEndWith(
    "Diagnostics unknown: fake is still busy: Indexing.",
  );
  expect((await bench.write("c.fake", "bad\n")).text).toContain("1 new error");
});

test("a flood of problems is cut, errors first, and the rest counted [A-LSP-02]", async () => {
  await using ws = await workspace();
  await using bench = editBench(ws, fakeServer(ws));
  const { text } = await bench.write("a.fake", `${"odd\n".repeat(5_000)}bad\n`);
  expect(text).toContain("a.fake:1:1: warning");
  expect(text).toContain("more; lsp-diagnostics lists them.");
  expect(text.split("\n").length).toBeLessThan(30);
});

test("two changes of one file in one answer are each told by what they did [A-LSP-02][F05]", async () => {
  await using ws = await workspace({ "a.fake": "one\ntwo\n" });
  await using bench = editBench(ws, fakeServer(ws));
  const call = (id: string) => ({ id, name: "edit", kind: "edit", input: { file_path: "a.fake" } }) as const;
  const done = { outcome: "found", text: "done", isError: false, details: {} } as const;
  // As the loop does it: both calls are prepared before the first runs.
  bench.afterEdit.before(call("1"));
  bench.afterEdit.before(call("2"));
  ws.write("a.fake", "bad\ntwo\n");
  const first = await bench.afterEdit.after(call("1"), { ...done }, bench.signal);
  expect(first?.text).toContain("Diagnostics (fake): 1 new error:");
  ws.write("a.fake", "bad\ntwo odd\n");
  const second = await bench.afterEdit.after(call("2"), { ...done }, bench.signal);
  expect(second?.text).toContain("Diagnostics (fake): 1 new warning, 1 as before:");
});

test("a problem that a change did not mend is told as still there, one on another line as before [A-LSP-02]", async () => {
  await using ws = await workspace({ "a.fake": "bad one\nfine\nbad two\n" });
  await using bench = editBench(ws, fakeServer(ws));
  const outcome = await bench.edit("a.fake", "bad one\nfine", "new line\nbad changed");
  expect(outcome.text).toEndWith(
    "Diagnostics (fake): nothing new, 1 still there, 1 as before:\na.fake:2:1: error: this is bad (fake)",
  );
});
