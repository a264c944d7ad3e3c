/** `remem init`: what it writes into the settings, and what it leaves. */
import { describe, expect, test } from "bun:test";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { remem, rememData, settingsFile } from "./support/remem.ts";

const POSIX = process.platform !== "win32";

describe("init", () => {
  test("adds what is asked for and keeps keys, comments, order and indentation; again it changes nothing [K01]", async () => {
    await using ws = await workspace({});
    const before = '// mine\n{\n    "lookbackHours": 24, // a day\n    /* team */ "pi": { "x": 1 },\n}\n';
    mkdirSync(dirname(settingsFile(ws)), { recursive: true });
    writeFileSync(settingsFile(ws), before, { mode: 0o644 });
    expect((await remem(ws, ["init", "--capture"])).code).toBe(0);
    const after = readFileSync(settingsFile(ws), "utf8");
    for (const kept of ["// mine", '"lookbackHours": 24, // a day', '/* team */ "pi": { "x": 1 }'])
      expect(after).toContain(kept);
    expect(after).toContain('"enabled": true');
    if (POSIX) expect(statSync(settingsFile(ws)).mode & 0o777).toBe(0o600);
    expect((await remem(ws, ["init", "--capture"])).stdout).toContain("all of this was set already");
    expect(readFileSync(settingsFile(ws), "utf8")).toBe(after);
    expect(await rememData<{ capture: boolean; problems: string[] }>(ws, ["status"])).toMatchObject({
      capture: true,
      problems: [],
    });
  });

  test("five at once leave one whole file with all of it, and no lock [K01]", async () => {
    await using ws = await workspace({});
    const codes = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        remem(ws, n % 2 === 0 ? ["init", "--capture"] : ["init", "--storage", "sqlite"]),
      ),
    );
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(readdirSync(dirname(settingsFile(ws)))).toEqual(["config.json"]);
    const data = await rememData<{ capture: boolean; problems: string[] }>(ws, ["status"]);
    expect(data).toMatchObject({ capture: true, problems: [], storage: { kind: "sqlite" } });
  });

  test("a broken file is named with line and column and stays byte for byte [K01]", async () => {
    await using ws = await workspace({});
    mkdirSync(dirname(settingsFile(ws)), { recursive: true });
    writeFileSync(settingsFile(ws), '{\n  "capture": {,\n}\n');
    const result = await remem(ws, ["init", "--capture"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`${settingsFile(ws)}:2:`);
    expect(readFileSync(settingsFile(ws), "utf8")).toBe('{\n  "capture": {,\n}\n');
    expect(readdirSync(dirname(settingsFile(ws)))).toEqual(["config.json"]);
  });

  test("a linked file stays a link [K01]", async () => {
    if (!POSIX) return;
    await using ws = await workspace({ "dotfiles/remem.json": "{}\n" });
    mkdirSync(dirname(settingsFile(ws)), { recursive: true });
    symlinkSync(ws.at("dotfiles/remem.json"), settingsFile(ws));
    await remem(ws, ["init", "--capture"]);
    expect(lstatSync(settingsFile(ws)).isSymbolicLink()).toBe(true);
    expect(ws.read("dotfiles/remem.json")).toContain('"enabled": true');
  });

  test("an address comes on stdin, is stored for its owner only, and its password is printed nowhere [W12]", async () => {
    await using ws = await workspace({});
    const address = "postgres://ann:hunter2secret@127.0.0.1:9/memory";
    const init = await remem(ws, ["init", "--storage", "postgres", "--database-url", "-"], {
      stdin: `${address}\n`,
    });
    expect(init.code).toBe(0);
    expect(readFileSync(settingsFile(ws), "utf8")).toContain(address);
    if (POSIX) expect(statSync(settingsFile(ws)).mode & 0o777).toBe(0o600);
    const shown = await Promise.all(
      [["status"], ["doctor"], ["doctor", "--json"], ["list"]].map((argv) => remem(ws, argv)),
    );
    for (const { stdout, stderr } of [init, ...shown]) expect(stdout + stderr).not.toContain("hunter2secret");
    expect(shown[1]!.stdout).toContain("postgres://ann:***@127.0.0.1:9/memory");
  });

  test("an address in the environment is used and stored nowhere; one on the command line is warned of [W12]", async () => {
    await using ws = await workspace({});
    const address = "postgres://ann:hunter2secret@127.0.0.1:9/memory";
    const env = { REMEM_DATABASE_URL: address };
    expect((await remem(ws, ["init", "--storage", "postgres"], { env })).code).toBe(0);
    expect(readFileSync(settingsFile(ws), "utf8")).not.toContain("hunter2secret");
    const warned = await remem(ws, ["init", "--database-url", address]);
    expect(warned.stderr).toContain("stands in your shell's history");
    expect(warned.stdout + warned.stderr).not.toContain("hunter2secret");
  });

  test("a host that cannot be registered is told with those that were before it [K01]", async () => {
    await using ws = await workspace({});
    const broken = join(ws.home, ".config", "opencode", "opencode.json");
    ws.write(broken, "{");
    const result = await remem(ws, ["init", "--pi", "--opencode"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`${broken}:1:2 is no JSON object`);
    expect(result.stderr).toContain(`Pi is registered in ${join(ws.home, ".pi", "agent", "settings.json")}`);
  });
});
