import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { executable, link, workspace } from "@pi-ts/testkit";
import { sawWhole } from "../../tools/shared/test-support/file-tool-context.ts";
import { editBench } from "../test-support/edit-bench.ts";
import { fakeServer } from "../test-support/fake-server.ts";

/** A server that formats in one of the fake server's ways. */
const formatting = (format: string, more: object = {}) => ({
  answers: { "textDocument/formatting": [{ format }] },
  ...more,
});

test("a written file is formatted on disk, and the result shows the lines as they are now [A-LSP-01][L04]", async () => {
  await using ws = await workspace();
  const { servers } = fakeServer(ws, formatting("tabs"));
  await using bench = editBench(ws, { servers });
  const outcome = await bench.write("a.fake", "one\n  two\nthree\n  four\n");
  expect(ws.read("a.fake")).toBe("one\n\ttwo\nthree\n\tfour\n");
  expect(outcome.text).toBe(
    "Created a.fake (23 bytes, 4 lines).\n" +
      "fake formatted the file; these lines are now:\n2\t\ttwo\n4\t\tfour\n" +
      "Diagnostics (fake): none.",
  );
  expect(outcome.details).toMatchObject({ lsp_formatted: true, lsp_diagnostics: [] });
});

test("after formatting the next edit and the next write go through: the file counts as seen as it is now [L04][F06]", async () => {
  await using ws = await workspace();
  const { servers } = fakeServer(ws, formatting("tabs"));
  await using bench = editBench(ws, { servers });
  await bench.write("a.fake", "one\n  two\n");
  const edited = await bench.edit("a.fake", "\ttwo", "\ttwo and\n  three");
  expect(edited.isError).toBe(false);
  expect(edited.text).not.toContain("had changed");
  expect(ws.read("a.fake")).toBe("one\n\ttwo and\n\tthree\n");
  const written = await bench.write("a.fake", "  all new\n");
  expect(written.isError).toBe(false);
  expect(ws.read("a.fake")).toBe("\tall new\n");
});

test.each([
  ["settings in package.json", { "package.json": '{"prettier":{"semi":false}}' }],
  ["a dependency", { "package.json": '{"devDependencies":{"prettier":"^3.0.0"}}' }],
  ["a file of its own", { "package.json": "{}", ".prettierrc": "" }],
])("what the project formats with Prettier (%s) no server formats [A-LSP-01]", async (_, files) => {
  await using ws = await workspace(files);
  const fake = fakeServer(ws, formatting("tabs"));
  const { command, args } = fake.servers.fake;
  await using bench = editBench(ws, { servers: { typescript: { command, args } }, trusted: true });
  await bench.write("a.ts", "one\n  two\n");
  expect(ws.read("a.ts")).toBe("one\n  two\n");
  expect(fake.received("textDocument/formatting")).toEqual([]);
});

test("a package.json that names no formatter, or is none, leaves formatting to the server [A-LSP-01]", async () => {
  await using ws = await workspace({
    "package.json": '{"dependencies":{"prettier-linter":"1"}}',
    "b/package.json": "{",
  });
  const { command, args } = fakeServer(ws, formatting("tabs")).servers.fake;
  await using bench = editBench(ws, { servers: { typescript: { command, args } }, trusted: true });
  for (const file of ["a.ts", "b/b.ts"]) {
    await bench.write(file, "one\n  two\n");
    expect(ws.read(file)).toBe("one\n\ttwo\n");
  }
});

test("byte order mark, CRLF, mode and link stay through formatting [A-LSP-01][F01][F02][K01]", async () => {
  await using ws = await workspace({
    "run.fake": executable("\ufeffone\r\n  two  \r\n"),
    "l.fake": link("run.fake"),
  });
  const { servers } = fakeServer(ws, formatting("whole"));
  await using bench = editBench(ws, { servers });
  sawWhole(bench.context, "l.fake");
  const outcome = await bench.edit("l.fake", "one", "1");
  expect(outcome.details["lsp_formatted"]).toBe(true);
  expect(ws.read("run.fake")).toBe("\ufeff1\r\n\ttwo\r\n");
  expect([statSync(ws.at("run.fake")).mode & 0o777, ws.snapshot()["l.fake"]]).toEqual([
    0o755,
    "link -> run.fake",
  ]);
});

for (const positionEncoding of ["utf-8", "utf-16", "utf-32"])
  test(`edits behind an emoji land where the server means them, counting in ${positionEncoding} [L04]`, async () => {
    await using ws = await workspace();
    const { servers } = fakeServer(ws, formatting("emoji", { capabilities: { positionEncoding } }));
    await using bench = editBench(ws, { servers });
    await bench.write("a.fake", "x\n🎉 é a=1;\n");
    expect(ws.read("a.fake")).toBe("x\n🎉 é a = 1;\n");
  });

test("a formatter that moves lines shows where they are now [L04]", async () => {
  await using ws = await workspace();
  const { servers } = fakeServer(ws, formatting("imports"));
  await using bench = editBench(ws, { servers });
  const outcome = await bench.write("a.fake", "import b\nimport a\nx\n");
  expect(ws.read("a.fake")).toBe("import a\nimport b\nx\n");
  expect(outcome.text).toContain("these lines are now:\n(before line 1: 1 line removed)\n2\timport b\n");
});

for (const [format, reason] of [
  ["overlapping", "its edits overlap"],
  ["outside", "one of its edits lies outside of the file (900:0 to 900:3)"],
  ["empty", "its edits would empty the file"],
  ["most", "its edits would remove most of the file"],
  ["none", "its answer is no list of edits"],
])
  test(`a wrong answer of the formatter changes nothing and is said: ${reason} [L04]`, async () => {
    await using ws = await workspace();
    const { servers } = fakeServer(ws, formatting(format!));
    await using bench = editBench(ws, { servers });
    const outcome = await bench.write("a.fake", "some text\nmore text\n");
    expect(ws.read("a.fake")).toBe("some text\nmore text\n");
    expect(outcome.isError).toBe(false);
    expect(outcome.text).toContain(`Not formatted: fake went wrong: ${reason}.`);
  });

test("a file that something else changed after the tool is left to it [L04][F06]", async () => {
  await using ws = await workspace();
  const { servers } = fakeServer(ws, formatting("tabs"));
  await using bench = editBench(ws, { servers });
  const call = { id: "c", name: "write", kind: "edit", input: { file_path: "a.fake" } } as const;
  bench.afterEdit.before(call);
  await bench.context.files.write("a.fake", new TextEncoder().encode("  mine\n"));
  const outcome = await bench.afterEdit.after(
    call,
    { outcome: "found", text: "done", isError: false, details: {} },
    bench.signal,
  );
  expect(ws.read("a.fake")).toBe("  mine\n");
  expect(outcome?.text).toBe("done\nDiagnostics (fake): none.");
});

test("more changed lines than fit are not shown, and then the file has to be read before it is overwritten [L04][F06]", async () => {
  await using ws = await workspace();
  const { servers } = fakeServer(ws, formatting("tabs"));
  await using bench = editBench(ws, { servers });
  const outcome = await bench.write("a.fake", "  line\n".repeat(200));
  expect(outcome.text).toContain("(lines 1 to 200, too many to show: read them before you change them)");
  const again = await bench.write("a.fake", "new\n");
  expect([again.isError, again.text]).toEqual([
    true,
    expect.stringContaining("You have read only a part of a.fake"),
  ]);
  expect((await bench.edit("a.fake", "\tline\n\tline\n\tline", "\tline")).text).toContain("matches");
});

test("the formatter is told of the file's own indentation [A-LSP-01]", async () => {
  await using ws = await workspace();
  const fake = fakeServer(ws, formatting("tabs"));
  await using bench = editBench(ws, { servers: fake.servers });
  await bench.write("a.fake", "a\n\tb\n\tc\n");
  await bench.write("b.fake", "a\n   b\n      c\n   d\n");
  expect(fake.received("textDocument/formatting").map(({ params }) => params["options"])).toEqual([
    { insertSpaces: false, tabSize: 4 },
    { insertSpaces: true, tabSize: 3 },
  ]);
});

test("with formatting off, or a formatter of the project's own, nothing is formatted [A-LSP-01]", async () => {
  await using ws = await workspace();
  const fake = fakeServer(ws, formatting("tabs"));
  await using bench = editBench(ws, { servers: fake.servers, format: false });
  await bench.write("a.fake", "  one\n");
  expect([ws.read("a.fake"), fake.received("textDocument/formatting")]).toEqual(["  one\n", []]);
});

test("one server may check a file and another format it [A-LSP-01][A-LSP-05]", async () => {
  await using ws = await workspace();
  const checks = fakeServer(ws, formatting("imports"), { format: false });
  const formats = fakeServer(ws, formatting("tabs", { publish: "never" }), {}, "formatter");
  const servers = { checker: checks.servers.fake, formatter: formats.servers.fake };
  await using bench = editBench(ws, { servers });
  const outcome = await bench.write("a.fake", "x\n  bad\n");
  expect(outcome.text).toContain("formatter formatted the file; these lines are now:\n2\t\tbad\n");
  expect(outcome.text).toContain("Diagnostics (checker): 1 new error:\na.fake:2:2:");
});
