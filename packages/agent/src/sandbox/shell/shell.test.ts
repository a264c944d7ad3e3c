import { expect, test } from "bun:test";
import { leftovers, workspace } from "@pi-ts/testkit";
import { canConfine, shellBench } from "./test-support/shell-bench.ts";

const works = await canConfine();

test("with the sandbox off a command is plain bash in the folder it was given [A-TOOL-04]", async () => {
  await using ws = await workspace({ "sub/a.txt": "one" });
  await using bench = shellBench(ws, { tier: "off" });
  const { stdout, code } = await bench.run("cd sub; [[ -n $BASH_VERSION ]] && cat a.txt; exit 4");
  expect([stdout, code]).toEqual(["one", 4]);
  expect(bench.shell.confinement).toEqual({ tier: "off", active: false });
});

test("a system without a sandbox says so and runs commands all the same", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws, { platform: "freebsd" });
  expect(bench.shell.confinement).toEqual({
    tier: "workspace-write",
    active: false,
    reason: "there is none for freebsd",
  });
  expect((await bench.run("echo ran")).stdout).toBe("ran\n");
  expect(await bench.shell.prepare()).toMatchObject({ active: false });
});

test("where a sandbox is required and there is none, nothing runs [X03]", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws, { platform: "freebsd", tier: "read-only", required: true });
  expect(bench.run("touch x")).rejects.toMatchObject({ code: "sandbox_missing" });
  expect(ws.exists("x")).toBe(false);
});

test.if(works)("a sandbox that should work and does not is an error, not a way around it [X04]", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws, { root: `${ws.path}/gone` });
  expect(bench.run("touch x")).rejects.toMatchObject({ code: "sandbox_failed" });
  expect(ws.exists("x")).toBe(false);
});

test.if(works)("a PATH without the system's folders does not turn the sandbox off [X04]", async () => {
  await using ws = await workspace({ ".env": "CANARY" });
  await using bench = shellBench(ws, {}, { PATH: "/nonexistent" });
  const { all } = await bench.run("cat .env; echo ran");
  expect(all).toContain("ran");
  expect(all).not.toContain("CANARY");
  expect(bench.shell.confinement).toEqual({ tier: "workspace-write", active: true });
});

test("nothing is started before the first command", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(ws);
  expect(typeof bench.shell.confinement.active).toBe("boolean");
  expect(bench.processes.list()).toEqual([]);
  expect(leftovers(ws.marker)).toEqual([]);
});

const TIERS = works ? (["workspace-write", "off"] as const) : (["off"] as const);

test.each(TIERS)(
  "options and functions that the user's shell exports end no command and send it nowhere, with the sandbox %s [A-TOOL-04]",
  async (tier) => {
    await using ws = await workspace({ "lib/a.txt": "one" });
    await using bench = shellBench(
      ws,
      { tier },
      {
        SHELLOPTS: "errexit:nounset:noglob",
        BASHOPTS: "failglob",
        CDPATH: "/usr:.",
        "BASH_FUNC_read%%": "() { echo fake; }",
        "BASH_FUNC_exec%%": "() { echo fake; }",
        "BASH_FUNC_printf%%": "() { echo fake; }",
        "BASH_FUNC_greet%%": "() { echo hello; }",
      },
    );
    for (let round = 0; round < 2; round++) {
      const { all } = await bench.run(
        "false; echo [$UNSET_HERE] x*y; cd lib; ls; greet; bash -c 'echo $SHELLOPTS'",
      );
      expect(all).toMatch(/^\[\] x\*y\na\.txt\nhello\n(?!.*errexit)/);
    }
  },
);

test.each(TIERS)(
  "bash counts the lines of what it complains of from the command's first, with the sandbox %s [A-TOOL-04]",
  async (tier) => {
    await using ws = await workspace({});
    await using bench = shellBench(ws, { tier });
    for (let round = 0; round < 2; round++)
      expect((await bench.run("true\nno-such-command")).stderr).toMatch(/line 2: no-such-command/);
  },
);

test("nothing in a command's environment waits for a person", async () => {
  await using ws = await workspace({});
  await using bench = shellBench(
    ws,
    { tier: "off" },
    { BASH_ENV: "/nonexistent", PAGER: "less", TERM: "xterm" },
  );
  const { stdout, stderr } = await bench.run(
    'echo "$TERM|$PAGER|$GIT_PAGER|$GIT_TERMINAL_PROMPT"; read -r x || echo eof',
  );
  expect(stdout).toBe("dumb|cat|cat|0\neof\n");
  expect(stderr).toBe("");
});
