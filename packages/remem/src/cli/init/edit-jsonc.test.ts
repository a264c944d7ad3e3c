import { expect, test } from "bun:test";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runProcess, workspace } from "@pi-ts/testkit";
import { editJsonc } from "./edit-jsonc.ts";

const SHARED = { fresh: "{}\n", shared: true };
const added = (text: string) => text.replace("{", '{"a": 1, ');
const modeOf = (file: string) => statSync(file).mode & 0o777;

test("a file of another program keeps its mode, one of our own is for its owner alone", async () => {
  await using ws = await workspace({ "theirs.json": '{"b": 2}', "ours.json": '{"b": 2}' });
  for (const name of ["theirs.json", "ours.json"]) chmodSync(ws.at(name), 0o644);
  await editJsonc(ws.at("theirs.json"), SHARED, added);
  await editJsonc(ws.at("ours.json"), { ...SHARED, shared: false }, added);
  expect(["theirs.json", "ours.json"].map((name) => modeOf(ws.at(name)))).toEqual([0o644, 0o600]);
});

test("a file that its owner has made read-only stays as it is, and is named [K01]", async () => {
  await using ws = await workspace({ "s.json": '{"b": 2}' });
  chmodSync(ws.at("s.json"), 0o444);
  await expect(editJsonc(ws.at("s.json"), SHARED, added)).rejects.toThrow(`${ws.at("s.json")} is read-only`);
  expect([ws.read("s.json"), modeOf(ws.at("s.json"))]).toEqual(['{"b": 2}', 0o444]);
});

test("a file with bytes that are no UTF-8 stays as it is, and is named [F03]", async () => {
  const bytes = Buffer.from('{"name": "caf\xe9"}', "latin1");
  await using ws = await workspace({ "s.json": bytes });
  await expect(editJsonc(ws.at("s.json"), SHARED, added)).rejects.toThrow(`${ws.at("s.json")} is not UTF-8`);
  expect(readFileSync(ws.at("s.json"))).toEqual(bytes);
});

test("a disk that takes only a part of the new text leaves the old file, and nothing beside it [B10]", async () => {
  const text = `{"b": "${"x".repeat(30_000)}"}`;
  await using ws = await workspace({ "s.json": text });
  const code = `import { editJsonc } from ${JSON.stringify(join(import.meta.dir, "edit-jsonc.ts"))};
    await editJsonc(process.argv[1], { fresh: "{}", shared: true }, (text) => text.replace("{", '{"a": 1, ')).then(() => process.exit(7), () => process.exit(3));`;
  const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --no-env-file -e "$1" "$2"`;
  const argv = ["bash", "-c", limited, process.execPath, code, ws.at("s.json")];
  expect((await runProcess(argv, { cwd: ws.path, env: ws.env() })).code).toBe(3);
  expect(ws.read("s.json")).toBe(text);
  expect([...new Bun.Glob("*").scanSync({ cwd: ws.path, dot: true })]).toEqual(["s.json"]);
});
