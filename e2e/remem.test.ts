/** `remem` as a process: what is written down, found, shown and told, on every runtime it runs on. */
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { runProcess, stdoutClosedEarly, workspace } from "@pi-ts/testkit";
import { COMMANDS } from "../packages/remem/src/cli/command-table.ts";
import { VERSION } from "../packages/remem/src/cli/version.ts";
import { ROOT } from "./support/pi.ts";
import { ENTRANCES, listed, ON_BUN, remem, rememData, rememTerminal, typed } from "./support/remem.ts";

for (const entrance of ENTRANCES)
  describe(`on ${entrance.name}`, () => {
    test.skipIf(entrance.command === null)(
      "what is added is listed, shown, found once it counts, and erased by the preview's token [B-CORE-08][R10]",
      async () => {
        await using ws = await workspace({}, { git: true });
        const run = (...argv: string[]) => remem(ws, argv, { entrance });
        const added = await run("add", "we", "use", "pnpm", "--subject", "package manager", "--json");
        expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: "" });
        const { data } = JSON.parse(added.stdout) as { data: { id: string; state: string } };
        expect(data.state).toBe("candidate");
        expect((await run("list")).stdout).toContain("[candidate] we use pnpm");
        const shown = await run("show", data.id);
        expect(shown.stdout).toContain("about  package manager");
        const preview = await run("forget", data.id);
        expect(preview).toMatchObject({ code: 0, stderr: "" });
        const token = /--confirm (\S+)/.exec(preview.stdout)![1]!;
        expect((await run("show", data.id)).code).toBe(0);
        expect((await run("forget", "--confirm", token)).stdout).toContain("Erased 1 memory.");
        expect((await run("show", data.id)).code).toBe(3);
      },
    );

    test.skipIf(entrance.command === null)(
      "a person's statement in a terminal counts at once and is found by a search",
      async () => {
        await using ws = await workspace({});
        await using program = rememTerminal(ws, ["add", "the port is 8080"], { entrance });
        expect(await program.exited).toEqual({ code: 0, signal: null });
        const found = await remem(ws, ["search", "which port", "--json"], { entrance });
        expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: "" });
        expect(JSON.parse(found.stdout)).toMatchObject({
          command: "search",
          ok: true,
          data: { hits: [{ text: "the port is 8080", state: "active", typed: true, author: "user" }] },
          notices: [],
        });
      },
    );
  });

test("a newer statement on a subject replaces the older one, and list shows what held once when asked [R11]", async () => {
  await using ws = await workspace({});
  await typed(ws, "we use npm", "--subject", "package manager");
  await typed(ws, "we use pnpm", "--subject", "package manager");
  expect((await listed(ws)).map(({ text }) => text)).toEqual(["we use pnpm"]);
  expect((await listed(ws, "--state", "superseded")).map(({ text }) => text)).toEqual(["we use npm"]);
});

test("a statement holds in its project only, and with --global everywhere; --all lists every project [B-CORE-06][R02]", async () => {
  await using ws = await workspace({}, { git: true });
  await typed(ws, "only here");
  await typed(ws, "everywhere", "--global");
  const elsewhere = { cwd: ws.outside };
  const texts = async (...argv: string[]) =>
    (await rememData<{ memories: { text: string }[] }>(ws, ["list", ...argv], elsewhere)).memories.map(
      ({ text }) => text,
    );
  expect(await texts()).toEqual(["everywhere"]);
  expect((await texts("--all")).sort()).toEqual(["everywhere", "only here"]);
  expect((await remem(ws, ["search", "only here"], elsewhere)).stdout).not.toContain("only here");
  expect((await remem(ws, ["search", "only here", "--all"], elsewhere)).stdout).toContain("only here");
});

test("a secret is taken out before anything is written down [R09]", async () => {
  await using ws = await workspace({});
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  await remem(ws, ["add", `the token is ${secret} for CI`]);
  expect((await listed(ws))[0]!.text).not.toContain(secret);
  expect(readFileSync(join(ws.home, ".pi-go", "memory", "claude-mem.db"), "latin1")).not.toContain(secret);
});

test("every command has help with its options, and a summary in the overview", async () => {
  await using ws = await workspace({});
  const overview = await remem(ws, ["help"]);
  for (const [name, load] of Object.entries(COMMANDS)) {
    const { options, summary } = await load();
    expect(overview.stdout).toContain(`  ${name}`);
    const help = await remem(ws, [name, "--help"]);
    expect(help.stdout).toStartWith(`usage: remem ${name}`);
    expect(help.stdout).toContain(summary);
    for (const option of Object.keys(options)) expect(help.stdout).toContain(`--${option}`);
  }
  expect((await remem(ws, ["--version"])).stdout).toBe(`${VERSION}\n`);
});

test("the version is the package's", () => {
  const manifest = readFileSync(join(ROOT, "packages", "remem", "package.json"), "utf8");
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
});

const MISTAKES: readonly (readonly [string, readonly string[]])[] = [
  ["did you mean remem search?", ["serch", "x"]],
  ["did you mean --limit?", ["list", "--limt", "3"]],
  ['--limit "0" is no whole number from 1 to 10000', ["list", "--limit", "0"]],
  ['--since "yesterday" is no time', ["list", "--since", "yesterday"]],
  ['--since "2026-02-30" is no time', ["list", "--since", "2026-02-30"]],
  ["did you mean decision?", ["add", "x", "--kind", "decison"]],
  ["cannot be written by hand", ["add", "x", "--kind", "prompt"]],
  ["there is nothing to remember", ["add", "   "]],
  ["forget needs to know what", ["forget"]],
  ["exclude each other", ["forget", "m1", "--all"]],
  ["link needs two projects", ["link", "a"]],
  ["show needs more than this", ["show"]],
  ["--database-url is for postgres", ["init", "--storage", "sqlite", "--database-url", "postgres://h/d"]],
];
test.each(MISTAKES)("a wrong command line is refused with 2 and says: %s", async (message, argv) => {
  await using ws = await workspace({});
  const result = await remem(ws, argv);
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toStartWith("error: ");
  expect(result.stderr).toContain(message);
  expect(existsSync(join(ws.home, ".pi-go"))).toBe(false);
});

test("with --json a failure is one object, too, with a code and what to do", async () => {
  await using ws = await workspace({});
  const { code, stdout } = await remem(ws, ["restore", "nowhere.db", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    command: "restore",
    ok: false,
    error: {
      code: "no_backup",
      message: `there is no backup at ${ws.at("nowhere.db")}`,
      hint: "check the path; nothing was changed",
    },
    notices: [],
  });
});

test("looking makes nothing: no store, no folder, no trace [B-CORE-04]", async () => {
  await using ws = await workspace({});
  for (const argv of [
    ["list"],
    ["status"],
    ["doctor"],
    ["projects"],
    ["export"],
    ["review"],
    ["eval"],
    ["search", "x"],
  ])
    await remem(ws, argv);
  for (const folder of [".pi-go", ".config"]) expect(existsSync(join(ws.home, folder))).toBe(false);
});

test("what a memory holds cannot drive a terminal, in text or in JSON [R12]", async () => {
  await using ws = await workspace({});
  const evil = "red \u001b[31mnow\u0007 \u009b2J \u202eabc\u2066 end";
  ws.write("evil.jsonl", `${JSON.stringify({ memory: foreignRecord(evil) })}\n`);
  await remem(ws, ["import", "evil.jsonl"]);
  for (const argv of [["list"], ["show", "evil1"], ["list", "--json"], ["export"]]) {
    const { stdout } = await remem(ws, argv);
    expect(stdout).toContain("red");
    if (argv[0] !== "export") expect(stdout).not.toMatch(/[\u001b\u0007\u009b\u202e\u2066]/);
  }
});

test("on a narrow terminal no row is wider than it, and nothing is cut for programs", async () => {
  await using ws = await workspace({});
  const text = `a long statement ${"word ".repeat(30)}end`;
  await remem(ws, ["add", text]);
  for (const cols of [20, 48, 80]) {
    await using program = rememTerminal(ws, ["list"], { cols });
    await program.exited;
    const lines = program.output.replace(/\u001b\[[0-9;]*m/g, "").split("\r\n");
    if (cols >= 80) expect(lines.every((line) => [...line].length <= cols)).toBe(true);
    else expect(program.output).toContain("a long");
  }
  expect((await rememData<{ memories: { text: string }[] }>(ws, ["list"])).memories[0]!.text).toBe(text);
});

test("emphasis is for terminals, and NO_COLOR switches it off", async () => {
  await using ws = await workspace({});
  await remem(ws, ["add", "one"]);
  await using styled = rememTerminal(ws, ["list"]);
  await styled.exited;
  expect(styled.output).toContain("\u001b[1m");
  await using plain = rememTerminal(ws, ["list"], { env: { NO_COLOR: "1" } });
  await plain.exited;
  expect(plain.output).not.toContain("\u001b[1m");
});

test("a reader that goes away ends an export without a word", async () => {
  await using ws = await workspace({});
  for (const text of ["one", "two"]) await remem(ws, ["add", text]);
  const { code, stderr } = await stdoutClosedEarly([...ON_BUN.command!, "export"], {
    cwd: ws.path,
    env: ws.env(),
  });
  expect({ code, stderr }).toEqual({ code: 141, stderr: "" });
});

test("without HOME the system's own home folder counts, and a relative one is refused", async () => {
  await using ws = await workspace({});
  const store = join(ws.home, "elsewhere");
  const env = { HOME: undefined, USERPROFILE: undefined, XDG_CONFIG_HOME: undefined, PI_HOME: store };
  expect((await remem(ws, ["add", "kept"], { env })).code).toBe(0);
  expect(existsSync(join(store, "memory", "claude-mem.db"))).toBe(true);
  const relative = { HOME: "not/absolute", XDG_CONFIG_HOME: undefined, PI_HOME: store };
  const refused = await remem(ws, ["list"], { env: relative });
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain('HOME is "not/absolute", which is no absolute path');
  expect(ws.exists("not")).toBe(false);
});

test("a current folder that is gone is told in words", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({});
  const gone = join(ws.outside, "gone");
  mkdirSync(gone);
  const result = await runProcess(
    ["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', gone, ...ON_BUN.command!, "list"],
    { cwd: ws.path, env: ws.env() },
  );
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("folder");
  expect(result.stderr).not.toContain("    at ");
});

test("files are readable by their owner only, and doctor tells when they are not", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({});
  await remem(ws, ["add", "one"]);
  const folder = join(ws.home, ".pi-go", "memory");
  const file = join(folder, "claude-mem.db");
  await remem(ws, ["backup", "--output", "copy.db"]);
  await remem(ws, ["export", "--output", "out.jsonl"]);
  for (const path of [file, ws.at("copy.db"), ws.at("out.jsonl")])
    expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  chmodSync(file, 0o644);
  const { stdout } = await remem(ws, ["doctor"]);
  expect(stdout).toContain(`[warn] permissions: others can look into ${file}`);
  expect(stdout).toContain(`chmod 600 ${file}`);
});

function foreignRecord(text: string) {
  return {
    id: "evil1",
    kind: "fact",
    scope: { kind: "global" },
    title: "",
    text,
    attachment: "",
    files: [],
    provenance: { host: "pi", sessionId: "s1", author: { role: "user" }, typed: true },
    at: 1_790_000_000_000,
    recordedAt: 1_790_000_000_000,
    freshness: "current",
    state: "active",
    pinned: false,
  };
}
