/** How `remem` is started: from a hostile folder, by the launcher, and as `pi memory`. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, startTerminal, workspace } from "@pi-ts/testkit";
import { LAUNCHER } from "./support/pi.ts";
import { ENTRANCES, listed, ON_BUN, REMEM_LAUNCHER, remem, typed } from "./support/remem.ts";

/** Files that Bun, Node or npm could take up; `marks` is where code of theirs would leave something. */
function hostileFiles(marks: string): Record<string, string> {
  const code = (name: string) =>
    `require("node:fs").writeFileSync(${JSON.stringify(join(marks, name))}, "ran");\n`;
  const environment = [
    `PI_HOME=${join(marks, "pi-home")}`,
    `REMEM_CONFIG_DIR=${join(marks, "config")}`,
    "REMEM_DATABASE_URL=postgres://evil@127.0.0.1:9/evil",
    "REMEM_AGENT=1",
    "BUN_OPTIONS=--preload ./evil.ts",
    "NODE_OPTIONS=--require ./evil.cjs",
  ].join("\n");
  return {
    ".env": environment,
    ".env.local": environment,
    ".env.production": environment,
    "bunfig.toml": 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n',
    "tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".", paths: { "*": ["./evil.ts"] } } }),
    "package.json": JSON.stringify({ name: "hostile", type: "commonjs", imports: { "#*": "./evil.cjs" } }),
    "evil.ts": code("preload"),
    "evil.cjs": code("required"),
    "node_modules/jsonc-parser/package.json": JSON.stringify({ name: "jsonc-parser", main: "index.js" }),
    "node_modules/jsonc-parser/index.js": code("package"),
    ".pi-go/memory.json": JSON.stringify({
      storage: { kind: "sqlite", path: join(marks, "store.db") },
      capture: { enabled: true },
    }),
  };
}

// The source on Bun without the launcher's flags is how tests run it, not how users start it.
for (const entrance of ENTRANCES.filter((one) => one !== ON_BUN))
  test.skipIf(entrance.command === null)(
    `on ${entrance.name} nothing in a hostile folder acts: no code, no store, no address [X01]`,
    async () => {
      await using ws = await workspace({});
      for (const [name, text] of Object.entries(hostileFiles(ws.outside))) ws.write(name, text);
      for (const argv of [["add", "one"], ["init", "--capture"], ["doctor"], ["search", "one"]])
        await remem(ws, argv, { entrance });
      expect(readdirSync(ws.outside)).toEqual([]);
      expect(existsSync(join(ws.home, ".pi-go", "memory", "claude-mem.db"))).toBe(true);
      expect((await remem(ws, ["list"], { entrance })).stdout).toContain("one");
    },
  );

test("the launcher hands its arguments, its input and its exit code on", async () => {
  await using ws = await workspace({});
  const run = (argv: string[], stdin = "") =>
    runProcess(["node", REMEM_LAUNCHER, ...argv], { cwd: ws.path, env: ws.env(), stdin });
  expect((await run(["add", "-"], "from a pipe: 'quotes' and $HOME\n")).code).toBe(0);
  expect((await listed(ws))[0]!.text).toBe("from a pipe: 'quotes' and $HOME");
  expect((await run(["show", "nobody"])).code).toBe(3);
  expect((await run(["nonsense"])).code).toBe(2);
});

describe("pi memory", () => {
  const pi = (ws: Awaited<ReturnType<typeof workspace>>, argv: string[], stdin = "") =>
    runProcess(["node", LAUNCHER, "memory", ...argv], { cwd: ws.path, env: ws.env(), stdin });

  test("works on the store that remem works on, and calls itself by its name", async () => {
    await using ws = await workspace({});
    const added = await pi(ws, ["add", "said in pi"]);
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(added.stdout).toContain("pi memory review");
    expect((await listed(ws)).map(({ text }) => text)).toEqual(["said in pi"]);
    const list = await pi(ws, ["list", "--json"]);
    expect(JSON.parse(list.stdout)).toMatchObject({
      command: "list",
      ok: true,
      data: { memories: [{ text: "said in pi" }] },
    });
    expect((await pi(ws, ["help"])).stdout).toStartWith("usage: pi memory COMMAND");
  });

  test("its options are remem's, and its exit codes, too", async () => {
    await using ws = await workspace({});
    expect((await pi(ws, ["list", "--limt", "3"])).code).toBe(2);
    expect((await pi(ws, ["show", "nobody"])).code).toBe(3);
    expect((await pi(ws, ["forget", "--help"])).stdout).toStartWith("usage: pi memory forget");
  });

  test("memory.db_path of pi's own settings names the store", async () => {
    await using ws = await workspace({});
    mkdirSync(join(ws.home, ".pi-go"), { mode: 0o700 });
    const path = join(ws.home, "own.db");
    writeFileSync(join(ws.home, ".pi-go", "config.json"), JSON.stringify({ memory: { db_path: path } }));
    expect((await pi(ws, ["add", "in my own place"])).code).toBe(0);
    expect(existsSync(path)).toBe(true);
    expect((await pi(ws, ["list"])).stdout).toContain("in my own place");
  });

  test.skipIf(process.platform === "win32")("a person reviews with it in a terminal [C24]", async () => {
    await using ws = await workspace({});
    await remem(ws, ["add", "good idea"]);
    await typed(ws, "already there");
    await using program = startTerminal(["node", LAUNCHER, "memory", "review"], {
      cwd: ws.path,
      env: ws.env(),
      cols: 100,
    });
    await program.waitFor(/good idea[\s\S]*q quit:/);
    program.type("a\n");
    await program.waitFor("1 approved, 0 changed, 0 rejected");
    expect((await program.exited).code).toBe(0);
    expect((await listed(ws)).map(({ state }) => state)).toEqual(["active", "active"]);
  });
});
