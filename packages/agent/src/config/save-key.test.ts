import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { editEnvFile } from "./edit-env-file.ts";
import { parseEnvFile } from "./env-file.ts";
import { saveKey } from "./save-key.ts";

function file(ws: Workspace): string {
  return join(ws.home, ".pi-go", ".env");
}

test("a key is written into a private file that is made for it [A-AUTH-04][X05]", async () => {
  await using ws = await workspace();
  expect(await saveKey(file(ws), "A_API_KEY", "sk-1")).toBe(true);
  expect(readFileSync(file(ws), "utf8")).toBe("A_API_KEY=sk-1\n");
  expect(statSync(file(ws)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(ws.home, ".pi-go"))).toEqual([".env"]);
});

test("other lines, comments, order, line ends and a byte order mark stay [A-AUTH-04][K01]", () => {
  const text = "\uFEFF# mine\r\nexport A_API_KEY = old # of work\r\n\r\nOTHER=x y\r\nB_TOKEN='b'";
  expect(editEnvFile(text, "A_API_KEY", "new")).toBe(
    "\uFEFF# mine\r\nexport A_API_KEY = new # of work\r\n\r\nOTHER=x y\r\nB_TOKEN='b'",
  );
  expect(editEnvFile(text, "C_API_KEY", "c")).toBe(`${text}\r\nC_API_KEY=c\r\n`);
  expect(editEnvFile(text, "B_TOKEN", null)).toBe(
    "\uFEFF# mine\r\nexport A_API_KEY = old # of work\r\n\r\nOTHER=x y\r\n",
  );
});

test("a file with two kinds of line ends keeps each where it is [A-AUTH-04][F01]", () => {
  const text = "export EDITOR=vi\nA_API_KEY=old\r\n# end\n";
  expect(editEnvFile(text, "A_API_KEY", "new")).toBe("export EDITOR=vi\nA_API_KEY=new\r\n# end\n");
  expect(editEnvFile(text, "C_API_KEY", "c")).toBe(`${text}C_API_KEY=c\n`);
  expect(editEnvFile(text, "A_API_KEY", null)).toBe("export EDITOR=vi\n# end\n");
});

test("of a key that stands there twice the line that counts changes, and both go [A-AUTH-04]", () => {
  const text = "A_API_KEY=1\nA_API_KEY=2\n";
  expect(editEnvFile(text, "A_API_KEY", "3")).toBe("A_API_KEY=1\nA_API_KEY=3\n");
  expect(editEnvFile(text, "A_API_KEY", null)).toBe("");
});

test("what is written is what is read, whatever is in it [A-AUTH-04]", () => {
  for (const value of [
    "sk-plain_1",
    "a#b",
    "a'b",
    'a"b',
    "a\\nb",
    "a$HOME",
    "'",
    `a'"\\b`,
    "=",
    "`x`",
    "a;b&c",
  ])
    expect(parseEnvFile(editEnvFile("X_TOKEN=1\n", "A_API_KEY", value)).keys.get("A_API_KEY")).toBe(value);
});

test("a file that is no text is left as it is [K01]", async () => {
  await using ws = await workspace();
  mkdirSync(join(ws.home, ".pi-go"));
  writeFileSync(file(ws), new Uint8Array([0x41, 0xff, 0xfe]));
  await expect(saveKey(file(ws), "A_API_KEY", "x")).rejects.toThrow("it is not UTF-8 text");
  expect([...readFileSync(file(ws))]).toEqual([0x41, 0xff, 0xfe]);
});

test("a link to the file elsewhere stays a link [K01]", async () => {
  await using ws = await workspace({ "dot/env": "B_TOKEN=b\n" });
  mkdirSync(join(ws.home, ".pi-go"));
  symlinkSync(ws.at("dot/env"), file(ws));
  await saveKey(file(ws), "A_API_KEY", "a");
  expect(ws.read("dot/env")).toBe("B_TOKEN=b\nA_API_KEY=a\n");
});

test("taking out a key that is not there changes nothing and makes no file [A-AUTH-04]", async () => {
  await using ws = await workspace();
  expect(await saveKey(file(ws), "A_API_KEY", null)).toBe(false);
  expect(existsSync(file(ws))).toBe(false);
});

test("six processes that save a key each lose none [K01]", async () => {
  await using ws = await workspace();
  const module = JSON.stringify(import.meta.resolve("./save-key.ts"));
  const run = (index: number) => {
    const code = `await (await import(${module})).saveKey(${JSON.stringify(file(ws))}, "K${index}_API_KEY", "v${index}");`;
    return runProcess([process.execPath, "--no-env-file", "-e", code], { cwd: ws.path, env: ws.env() });
  };
  const ends = await Promise.all([1, 2, 3, 4, 5, 6].map(run));
  expect(ends.map(({ stderr }) => stderr).join("")).toBe("");
  expect(parseEnvFile(readFileSync(file(ws), "utf8")).keys.size).toBe(6);
});
