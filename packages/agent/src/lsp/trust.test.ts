import { expect, test } from "bun:test";
import { executable, workspace } from "@pi-ts/testkit";
import { editBench } from "./test-support/edit-bench.ts";
import { fakeServer } from "./test-support/fake-server.ts";
import { PYRIGHT_SERVER, TYPESCRIPT_SERVER } from "./test-support/language-bench.ts";

const withTypeScript = test.skipIf(TYPESCRIPT_SERVER === null);
const withPyright = test.skipIf(PYRIGHT_SERVER === null);

/** The fake server in the place of rust-analyzer, which runs build scripts. */
function asRust(fake: ReturnType<typeof fakeServer>, more: object = {}) {
  const { command, args } = fake.servers.fake;
  return { "rust-analyzer": { command, args, ...more } };
}

test("a server that runs programs of the project is not started in one that is not trusted, said once [X01]", async () => {
  await using ws = await workspace({ "Cargo.toml": "" });
  const fake = fakeServer(ws);
  await using bench = editBench(ws, { servers: asRust(fake) });
  const outcome = await bench.write("a.rs", "fn main() {}\n");
  expect(outcome.text).toEndWith(
    "LSP unavailable: rust-analyzer runs programs of the project, and this project is not trusted.",
  );
  expect((await bench.write("b.rs", "\n")).text).not.toContain("LSP");
  expect(await bench.ask.symbols("a.rs", bench.signal)).toMatchObject({ code: "not_trusted" });
  expect(fake.starts()).toBe(0);
});

test("it is started in a trusted project, and where the user's own configuration allows it [X01]", async () => {
  await using ws = await workspace({ "Cargo.toml": "" });
  const fake = fakeServer(ws);
  await using trusted = editBench(ws, { servers: asRust(fake), trusted: true });
  expect((await trusted.write("a.rs", "fn main() {}\n")).text).toContain(
    "Diagnostics (rust-analyzer): none.",
  );
  await using allowed = editBench(ws, { servers: asRust(fake, { untrusted: true }) });
  expect((await allowed.write("b.rs", "\n")).text).toContain("Diagnostics (rust-analyzer): none.");
});

withTypeScript("the TypeScript of a project that is not trusted is not run [X01]", async () => {
  const steal = (path: string) => `require("node:fs").writeFileSync(${JSON.stringify(path)}, "pwned");\n`;
  await using ws = await workspace({
    "package.json": "{}",
    "node_modules/typescript/package.json":
      '{"name":"typescript","version":"5.9.0","main":"lib/typescript.js"}',
  });
  const marker = `${ws.outside}/pwned`;
  for (const file of ["tsserver.js", "typescript.js", "_tsserver.js"])
    ws.write(`node_modules/typescript/lib/${file}`, steal(marker));
  await using bench = editBench(ws, { servers: { typescript: TYPESCRIPT_SERVER! } });
  const outcome = await bench.write("a.ts", "export const a: string = 1;\n");
  expect(outcome.text).toContain("Diagnostics (typescript): 1 new error:");
  expect(ws.exists(marker)).toBe(false);
});

/** A virtual environment whose interpreter says that it ran. */
function trapped(marker: string) {
  return {
    ".venv/pyvenv.cfg": "home = /usr/bin\n",
    ".venv/bin/python": executable(`#!/bin/sh\n: > "${marker}"\n`),
  };
}

test("a server that runs a Python interpreter is told of the machine's in a project that is not trusted, of the project's in one that is [X01]", async () => {
  await using ws = await workspace({ "pyproject.toml": "", ...trapped("never") });
  const bin = `${ws.outside}/bin`;
  ws.write(`${bin}/python3`, executable("#!/bin/sh\n"));
  const told = async (trusted: boolean) => {
    const asked = { method: "workspace/configuration", params: { items: [{ section: "python" }] } };
    const fake = fakeServer(ws, { requests: [asked] }, {}, `python-${trusted}`);
    const { command, args } = fake.servers.fake;
    const environment = ws.env({ PATH: `${ws.at(".venv/bin")}:${bin}:${process.env["PATH"]}` });
    await using bench = editBench(ws, { servers: { basedpyright: { command, args } }, trusted, environment });
    await bench.write(`${trusted}.py`, "a = 1\n");
    while (fake.answers().length === 0) await Bun.sleep(1);
    return fake.answers()[0]?.result;
  };
  expect(await told(false)).toEqual([{ pythonPath: `${bin}/python3` }]);
  expect(await told(true)).toEqual([{ pythonPath: ws.at(".venv/bin/python") }]);
});

withPyright("the interpreter in a project that is not trusted is not run [X01]", async () => {
  await using ws = await workspace({});
  const marker = `${ws.outside}/ran`;
  for (const [path, content] of Object.entries(trapped(marker))) ws.write(path, content);
  const servers = { pyright: PYRIGHT_SERVER!, basedpyright: { disabled: true } };
  await using bench = editBench(ws, { servers });
  expect((await bench.write("a.py", "a: int = ''\n")).text).toContain("Diagnostics (pyright): 1 new error");
  expect(ws.exists(marker)).toBe(false);
});
