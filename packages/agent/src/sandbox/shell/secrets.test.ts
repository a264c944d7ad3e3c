import { expect, test } from "bun:test";
import { link, workspace } from "@pi-ts/testkit";
import { canConfine, shellBench } from "./test-support/shell-bench.ts";

const confined = test.if(await canConfine());

confined("no command reads a secret file of the project, by whatever name it goes there [X04]", async () => {
  await using ws = await workspace(
    {
      ".env": "CANARY-1",
      ".env.example": "free",
      "deep/er/.env.local": "CANARY-2",
      id_rsa: "CANARY-3",
      ".pi-go/.env": "CANARY-4",
      alias: link(".env"),
    },
    { git: false },
  );
  await using bench = shellBench(ws);
  const { stdout, stderr } = await bench.run(
    "cat .env deep/er/.env.local id_rsa .pi-go/.env alias; base64 .env; grep -r CANARY .; cp .env copy; cat copy; ln .env hard && cat hard; cat .env.example; ls -a",
  );
  expect(stdout).not.toContain("CANARY");
  expect(stderr).toContain(".env: Permission denied");
  // Names are no secret, and examples are free.
  expect(stdout).toContain("free");
  expect(stdout).toContain(".env\n");
  expect(ws.read(".env")).toBe("CANARY-1");
});

confined("a secret file that appears between two commands is hidden, too [X04]", async () => {
  await using ws = await workspace({ "a.txt": "" });
  await using bench = shellBench(ws);
  expect((await bench.run("cat a.txt")).code).toBe(0);
  ws.write(".env", "CANARY");
  expect((await bench.run("cat .env")).all).not.toContain("CANARY");
});

confined("keys of the user and our own state are hidden in every tier, skills are not [X04]", async () => {
  await using ws = await workspace({});
  const secrets = [
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".gnupg/key",
    ".netrc",
    ".pi-go/.env",
    ".kube/config",
  ];
  for (const name of secrets) await Bun.write(`${ws.home}/${name}`, "CANARY");
  await Bun.write(`${ws.home}/.pi-go/skills/x/SKILL.md`, "skill");
  await Bun.write(`${ws.home}/.gitconfig`, "[user]\n");
  for (const tier of ["workspace-write", "read-only"] as const) {
    await using bench = shellBench(ws, { tier });
    const { stdout } = await bench.run(
      "cd ~; grep -r . . ; cat .netrc .ssh/* .pi-go/.env; cat .pi-go/skills/x/SKILL.md",
    );
    expect(stdout).not.toContain("CANARY");
    expect(stdout).toContain("skill");
    expect(stdout).toContain("[user]");
  }
});

confined(
  "our own keys are out of reach: in the environment, in /proc, and with the sandbox off [B08][X04]",
  async () => {
    await using ws = await workspace({});
    const key = "sk-test-0123456789abcdef";
    for (const tier of ["workspace-write", "off"] as const) {
      await using bench = shellBench(ws, { tier }, { ANTHROPIC_API_KEY: key });
      const { stdout } = await bench.run(
        "env; env | base64 -w0; cat /proc/self/environ /proc/$PPID/environ /proc/1/environ | tr '\\0' '\\n'",
      );
      expect(stdout).not.toContain(key);
      expect(stdout).not.toContain(Buffer.from(key).toString("base64").slice(2, 20));
    }
    await using bench = shellBench(ws, {}, { ANTHROPIC_API_KEY: key });
    const { stdout } = await bench.run(`ls -d /proc/${process.pid}; ls /proc | grep -c '^[0-9]'`);
    expect(stdout).not.toContain(`/proc/${process.pid}\n`);
    expect(Number(stdout)).toBeLessThan(20);
  },
);

confined("the sandbox cannot be taken apart from inside [X04]", async () => {
  await using ws = await workspace({ ".env": "CANARY" });
  await using bench = shellBench(ws);
  const { stdout } = await bench.run(
    [
      "umount .env; umount -l .env; mount -o remount,rw /; mount --bind /proc/1/root/etc d",
      "unshare -Urm sh -c 'umount .env; cat .env'; nsenter -t 1 -m cat .env; cat /proc/1/root$PWD/.env",
      `touch ${ws.outside}/x && echo BROKEN`,
    ].join("\n"),
  );
  expect(stdout).not.toMatch(/CANARY|BROKEN/);
});

confined(
  "a key that the repository itself publishes stays readable, one outside of it does not",
  async () => {
    await using ws = await workspace({ "test/server.pem": "published" }, { git: true });
    ws.write("own.pem", "CANARY");
    await using bench = shellBench(ws);
    const { stdout } = await bench.run("cat test/server.pem own.pem; git status --short test");
    expect(stdout).toBe("published");
  },
);
