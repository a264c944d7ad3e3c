import { expect, test } from "bun:test";
import { chmodSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { executable, link, runProcess, workspace } from "@pi-ts/testkit";
import { isPiError } from "../../contract/errors.ts";
import { createFileDoor } from "./file-door.ts";

const bytes = (from: string) => new TextEncoder().encode(from);
const KINDS = process.platform === "linux" ? (["handles", "paths"] as const) : (["paths"] as const);

function codeOf(call: () => unknown): string {
  try {
    call();
    return "done";
  } catch (thrown) {
    return isPiError(thrown) ? thrown.code : String(thrown);
  }
}

for (const confinement of KINDS) {
  test(`a write keeps the mode and replaces what a link points to, not the link (${confinement}) [K01]`, async () => {
    await using ws = await workspace({ "run.sh": executable("#!/bin/sh\n"), "dir/l": link("../run.sh") });
    chmodSync(ws.at("run.sh"), 0o751);
    const door = createFileDoor({ root: ws.path, confinement });
    expect(door.write("dir/l", bytes("new"))).toMatchObject({ created: false, path: "run.sh" });
    expect(ws.read("run.sh")).toBe("new");
    expect(statSync(ws.at("run.sh")).mode & 0o777).toBe(0o751);
    expect(readlinkSync(ws.at("dir/l"))).toBe("../run.sh");
    expect(Object.keys(ws.snapshot())).toEqual(["dir", "dir/l", "run.sh"]);
  });

  test(`a write makes parent folders and follows a dangling link that stays inside (${confinement}) [F16]`, async () => {
    await using ws = await workspace({ d: link("new/deep.txt") });
    const door = createFileDoor({ root: ws.path, confinement });
    expect(door.write("a/b/c.txt", bytes("c"))).toMatchObject({ created: true, path: "a/b/c.txt" });
    expect(door.write("d", bytes("deep"))).toMatchObject({ created: true, path: "new/deep.txt" });
    expect([ws.read("a/b/c.txt"), ws.read("new/deep.txt")]).toEqual(["c", "deep"]);
    expect(lstatSync(ws.at("d")).isSymbolicLink()).toBe(true);
    expect(statSync(ws.at("a/b/c.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test(`a write to a folder or to a name that ends like one is refused (${confinement})`, async () => {
    await using ws = await workspace({ "a/": "" });
    const door = createFileDoor({ root: ws.path, confinement });
    for (const path of ["a", ".", "new/", "a/.."])
      expect([path, codeOf(() => door.write(path, bytes("")))]).toEqual([path, "file_is_folder"]);
    expect(Object.keys(ws.snapshot())).toEqual(["a"]);
  });

  test(`files that git or this agent would obey are not written (${confinement}) [F16]`, async () => {
    await using ws = await workspace({ hooks: link(".git/hooks") }, { git: true });
    const door = createFileDoor({ root: ws.path, confinement });
    const paths = [
      ".git/hooks/pre-commit",
      "hooks/pre-push",
      ".git/config",
      ".GIT/config.worktree",
      "sub/.git",
      ".pi-go/config.json",
    ];
    for (const path of paths)
      expect([path, codeOf(() => door.write(path, bytes("x")))]).toEqual([path, "file_denied"]);
    expect(codeOf(() => door.write(".gitignore", bytes("x")))).toBe("done");
    expect(codeOf(() => door.write(".pi-go/skills/a/SKILL.md", bytes("x")))).toBe("done");
  });
}

test("a new environment file may be made, an existing one not replaced [X04]", async () => {
  await using ws = await workspace({});
  const door = createFileDoor({ root: ws.path });
  expect(codeOf(() => door.write(".env", bytes("A=")))).toBe("done");
  expect(codeOf(() => door.write(".env", bytes("B=")))).toBe("file_secret");
});

const UNSHARE = ["unshare", "--map-root-user", "--mount"];
const canMount =
  process.platform === "linux" &&
  Bun.spawnSync([...UNSHARE, "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]).exitCode === 0;

/** Runs a script against a door on a tiny disk of its own; its stdout is JSON. */
async function onTinyDisk(mount: string, script: string): Promise<unknown> {
  await using ws = await workspace({});
  ws.write(
    "../script.ts",
    `import { createFileDoor } from ${JSON.stringify(join(import.meta.dir, "file-door.ts"))};
    import { readdirSync, readFileSync, writeFileSync } from "node:fs";
    const root = process.argv[2];
    const door = createFileDoor({ root });
    const codeOf = (call) => { try { call(); return "done"; } catch (thrown) { return thrown.code; } };
    ${script}`,
  );
  const command = `mount -t tmpfs -o size=64k none "$1" && echo old > "$1/a.txt" && ${mount} exec "$2" --no-env-file "$3" "$1"`;
  const argv = [
    ...UNSHARE,
    "sh",
    "-c",
    command,
    "sh",
    ws.path,
    process.execPath,
    join(ws.path, "../script.ts"),
  ];
  const { stdout, stderr, code } = await runProcess(argv, { env: ws.env() });
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

test.skipIf(!canMount)(
  "a full disk is named, the old file stays and nothing is left behind [B10]",
  async () => {
    const told = await onTinyDisk(
      "",
      `const big = new Uint8Array(1_000_000);
     const codes = [codeOf(() => door.write("a.txt", big)), codeOf(() => door.write("new/b.txt", big))];
     console.log(JSON.stringify({ codes, old: readFileSync(root + "/a.txt", "utf8"), names: readdirSync(root) }));`,
    );
    expect(told).toEqual({ codes: ["file_no_space", "file_no_space"], old: "old\n", names: ["a.txt"] });
  },
);

test.skipIf(!canMount)("a read-only disk is named and nothing changes [B10]", async () => {
  const told = await onTinyDisk(
    'mount -o remount,ro "$1" &&',
    `const codes = ["a.txt", "b.txt", "c/d.txt"].map((path) => codeOf(() => door.write(path, new Uint8Array(3))));
     console.log(JSON.stringify({ codes, old: readFileSync(root + "/a.txt", "utf8") }));`,
  );
  expect(told).toEqual({ codes: ["file_read_only", "file_read_only", "file_read_only"], old: "old\n" });
});

const SETPRIV = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
const canDrop = process.platform === "linux" && Bun.spawnSync([...SETPRIV, "true"]).exitCode === 0;

test.skipIf(!canDrop)("read-only files and folders of others are refused and stay [B10]", async () => {
  await using ws = await workspace({ "mine/ro.txt": "ro", "theirs/a.txt": "a", "closed/a.txt": "a" });
  for (const folder of ["..", "."]) chmodSync(ws.at(folder), 0o755);
  await runProcess(["chown", "-R", "65534:65534", ws.at("mine")]);
  chmodSync(ws.at("mine/ro.txt"), 0o444);
  chmodSync(ws.at("closed"), 0o700);
  const script = `import { createFileDoor } from ${JSON.stringify(join(import.meta.dir, "file-door.ts"))};
    const door = createFileDoor({ root: ${JSON.stringify(ws.path)} });
    const codeOf = (call) => { try { call(); return "done"; } catch (thrown) { return thrown.code; } };
    const x = new TextEncoder().encode("x");
    console.log(JSON.stringify([
      codeOf(() => door.write("mine/ro.txt", x)), codeOf(() => door.write("theirs/a.txt", x)),
      codeOf(() => door.write("theirs/new.txt", x)), codeOf(() => door.readAll("closed/a.txt", 9)),
      codeOf(() => door.list("closed")), codeOf(() => door.write("mine/new.txt", x)),
    ]));`;
  const before = ws.snapshot();
  const { stdout, stderr } = await runProcess([...SETPRIV, process.execPath, "--no-env-file", "-e", script], {
    cwd: "/",
    env: ws.env(),
  });
  expect([stderr, JSON.parse(stdout || "[]")]).toEqual([
    "",
    ["file_denied", "file_denied", "file_denied", "file_denied", "file_denied", "done"],
  ]);
  const { "mine/new.txt": made, ...rest } = ws.snapshot();
  expect(made).toContain("x");
  expect(rest).toEqual(before);
});
