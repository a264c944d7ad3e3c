import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftovers, workspace } from "@pi-ts/testkit";
import { canConfine, shellBench } from "./test-support/shell-bench.ts";

const confined = test.if(await canConfine());

confined("a command writes to the project and nowhere else", async () => {
  await using ws = await workspace({ "a.txt": "one" });
  await using bench = shellBench(ws);
  const { code, stderr } = await bench.run(
    `echo two > a.txt; mkdir d; echo x > ${ws.outside}/b; echo x > ~/c; echo x > /etc/pi-test; ln -s ${ws.outside} l; echo x > l/d`,
  );
  expect(bench.shell.confinement).toEqual({ tier: "workspace-write", active: true });
  expect([ws.read("a.txt"), ws.exists("d")]).toEqual(["two\n", true]);
  expect(code).toBe(1);
  expect(stderr.match(/Read-only file system/g)?.length).toBe(4);
  expect(readdirSync(ws.outside)).toEqual([]);
  expect([existsSync(`${ws.home}/c`), existsSync("/etc/pi-test")]).toEqual([false, false]);
});

confined("in the read-only tier a command writes to its temporary folder only [X03]", async () => {
  await using ws = await workspace({ "a.txt": "one" }, { git: true });
  await using bench = shellBench(ws, { tier: "read-only" });
  const before = ws.snapshot();
  const { stdout } = await bench.run(
    'echo x > a.txt; sed -i s/one/two/ a.txt; git commit -qam x; touch b; rm -rf .; echo t > "$TMPDIR/t" && cat "$TMPDIR/t"',
  );
  expect(stdout).toBe("t\n");
  expect(ws.snapshot()).toEqual(before);
});

confined("temporary files are private, last from command to command, and go with the session", async () => {
  await using ws = await workspace({});
  const name = `pi-test-${process.pid}`;
  let folder = "";
  {
    await using bench = shellBench(ws);
    await bench.run(`echo kept > /tmp/${name}; echo more > "$TMPDIR/${name}"`);
    const { stdout } = await bench.run(
      `cat /tmp/${name} "$TMPDIR/${name}"; grep ' /tmp ' /proc/self/mountinfo`,
    );
    expect(stdout).toStartWith("kept\nmore\n");
    expect(existsSync(`/tmp/${name}`)).toBe(false);
    folder = join(tmpdir(), /pi-sandbox-[^/ ]+/.exec(stdout)?.[0] ?? "");
    expect(existsSync(join(folder, "tmp", name))).toBe(true);
  }
  expect(existsSync(folder)).toBe(false);
});

confined("what lies in the machine's temporary folder can be looked at and not changed", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  const { stdout, code } = await bench.run(`ls -d ${ws.outside} && touch ${ws.outside}/x`);
  expect([stdout, code]).toEqual([`${ws.outside}\n`, 1]);
});

confined("git works, but what it would run later stays as it was [G03]", async () => {
  await using ws = await workspace({ "a.txt": "one", ".pi-go/config.json": "{}" }, { git: true });
  await using bench = shellBench(ws);
  const config = ws.read(".git/config");
  const { all } = await bench.run(
    [
      "echo two > a.txt && git commit -qam second",
      "echo evil > .git/hooks/post-commit; git config core.pager evil; echo evil >> .git/config",
      "mv .git .moved; mv .git/hooks .git/other; rm -rf .git/hooks",
      "echo evil > .pi-go/config.json; mv .pi-go .other; echo x > .pi-go/new",
    ].join("\n"),
  );
  expect(ws.git("log", "--format=%s").split("\n")[0]).toBe("second");
  expect(ws.read(".git/config")).toBe(config);
  expect(ws.exists(".git/hooks/post-commit")).toBe(false);
  expect([ws.read(".pi-go/config.json"), ws.exists(".pi-go/new"), ws.exists(".moved")]).toEqual([
    "{}",
    false,
    false,
  ]);
  expect(all).toContain("Read-only file system");
});

confined("a repository made by a command is protected from the next command on [G03]", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  await bench.run("sleep 600 >/dev/null 2>&1 & git init -q --template= . ");
  const { code } = await bench.run("mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit");
  expect(code).not.toBe(0);
  expect(ws.exists(".git/hooks/pre-commit")).toBe(false);
  // What the earlier command left running lives in the earlier sandbox until the end.
  expect(leftovers(ws.marker).some((left) => left.includes("sleep 600"))).toBe(true);
});

confined("package caches are writable, and a missing one is replaced by a temporary one", async () => {
  await using ws = await workspace({});
  await Bun.write(`${ws.home}/.npm/x`, "");
  await Bun.write(`${ws.outside}/cache/x`, "");
  await using bench = shellBench(ws, { caches: [`${ws.outside}/cache`] });
  const { stdout, code } = await bench.run(
    `echo 1 > ~/.npm/y && echo 1 > ${ws.outside}/cache/y && mkdir -p "$PIP_CACHE_DIR" && echo "$npm_config_cache|$PIP_CACHE_DIR"`,
  );
  expect([code, stdout]).toEqual([0, "|/tmp/pi-session/caches/.cache/pip\n"]);
  expect(existsSync(`${ws.home}/.npm/y`)).toBe(true);
});
