import { expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { saveConfig } from "./save.ts";
import { loadFrom, userFile } from "./test-support/load-from.ts";

function written(ws: Workspace, text: string): string {
  mkdirSync(join(ws.home, ".pi-go"), { recursive: true });
  writeFileSync(userFile(ws), text);
  return userFile(ws);
}

test("a saved value is there at the next load, in a file that is private from its birth [K01]", async () => {
  await using ws = await workspace();
  await saveConfig(userFile(ws), [{ path: ["theme"], value: "dark" }]);
  expect((await loadFrom(ws)).config.theme).toBe("dark");
  expect(statSync(userFile(ws)).mode & 0o777).toBe(0o600);
  expect(statSync(join(ws.home, ".pi-go")).mode & 0o777).toBe(0o700);
});

test("saving keeps comments, order, indentation and line ends [K01]", async () => {
  await using ws = await workspace();
  const file = written(ws, `\uFEFF{\r\n\t// mine\r\n\t"theme": "a", // why\r\n\t"zzz": 1,\r\n}\r\n`);
  await saveConfig(file, [
    { path: ["theme"], value: "b" },
    { path: ["editor", "vim"], value: true },
  ]);
  expect(readFileSync(file, "utf8")).toBe(
    `\uFEFF{\r\n\t// mine\r\n\t"theme": "b", // why\r\n\t"zzz": 1,\r\n\t"editor": {\r\n\t\t"vim": true\r\n\t},\r\n}\r\n`,
  );
});

test("a value can be taken out again [K01]", async () => {
  await using ws = await workspace();
  const file = written(ws, `{"theme":"a","lsp":"off"}`);
  await saveConfig(file, [{ path: ["theme"], value: undefined }]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ lsp: "off" });
});

test("a broken file is never written over [K01]", async () => {
  await using ws = await workspace();
  const file = written(ws, `{"theme": "a" "lsp": "off"}`);
  await expect(saveConfig(file, [{ path: ["theme"], value: "b" }])).rejects.toMatchObject({
    code: "config_broken",
    message: expect.stringContaining("line 1:15"),
  });
  expect(readFileSync(file, "utf8")).toBe(`{"theme": "a" "lsp": "off"}`);
});

test("a link to a file elsewhere stays a link, and the file keeps its mode [K01]", async () => {
  await using ws = await workspace();
  const target = join(ws.home, "dotfile.json");
  writeFileSync(target, "{}");
  chmodSync(target, 0o640);
  mkdirSync(join(ws.home, ".pi-go"));
  symlinkSync(target, userFile(ws));
  await saveConfig(userFile(ws), [{ path: ["theme"], value: "b" }]);
  expect(lstatSync(userFile(ws)).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ theme: "b" });
  expect(statSync(target).mode & 0o777).toBe(0o640);
});

test("a value that the schema does not take is refused before anything is written [K01]", async () => {
  await using ws = await workspace();
  const file = written(ws, "{}");
  await expect(saveConfig(file, [{ path: ["thinking"], value: "loud" }])).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining(`"thinking" is "loud"`),
  });
  expect(readFileSync(file, "utf8")).toBe("{}");
});

test("ten processes that save at once lose nothing of each other, and leave nothing behind [K01]", async () => {
  await using ws = await workspace();
  const file = written(ws, "{\n  // kept\n}\n");
  const roles = Array.from({ length: 10 }, (_, index) => `role${index}`);
  const script = join(ws.outside, "save-once.ts");
  writeFileSync(
    script,
    `import { saveConfig } from ${JSON.stringify(join(import.meta.dir, "save.ts"))};
    const [file, role] = process.argv.slice(2);
    await saveConfig(file, [{ path: ["roles", role, "model"], value: "m" }]);`,
  );
  const results = await Promise.all(
    roles.map((role) =>
      runProcess([process.execPath, "--no-env-file", script, file, role], { cwd: ws.path, env: ws.env() }),
    ),
  );
  expect(results.map((result) => result.stderr).join("")).toBe("");
  const { config } = await loadFrom(ws);
  expect(Object.keys(config.roles).sort()).toEqual(roles);
  expect(readFileSync(file, "utf8")).toContain("// kept");
  expect(readdirSync(join(ws.home, ".pi-go"))).toEqual(["config.json"]);
});
