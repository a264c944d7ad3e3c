import { expect, test } from "bun:test";
import {
  appendFileSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { findProject } from "./project.ts";
import { grantTrust, projectTrust, revokeTrust } from "./trust.ts";

const NOW = Date.UTC(2026, 0, 2);

function store(ws: Workspace): string {
  return join(ws.home, ".pi-go", "trust.json");
}

function project(ws: Workspace) {
  return findProject(ws.path, join(ws.home, ".pi-go"));
}

async function state(ws: Workspace): Promise<string> {
  return (await projectTrust(project(ws), store(ws))).state;
}

async function trust(ws: Workspace): Promise<void> {
  const { acts } = await projectTrust(project(ws), store(ws));
  await grantTrust(project(ws), store(ws), acts!, NOW);
}

const FILES = {
  ".pi-go/config.json": JSON.stringify({
    hooks: [{ event: "stop", command: "sh scripts/hook.sh" }],
    extensions: ["../ext"],
    mcp: { servers: [{ name: "s", command: "node", args: ["./tools/server.js"] }] },
  }),
  ".pi-go/.env": "A_API_KEY=1",
  ".pi-go/mcp.json": "{}",
  ".pi-go/agents/explore.md": "explore",
  ".pi-go/sops/plan.md": "plan",
  ".pi-go/skills/a/SKILL.md": "skill",
  ".mcp.json": "{}",
  "scripts/hook.sh": "true",
  "ext/index.ts": "export default 1",
  "ext/lib/deep.ts": "1",
  "tools/server.js": "1",
  "src/main.ts": "1",
};

test("a project is not trusted until the user says so, then as it was shown [X01]", async () => {
  await using ws = await workspace(FILES);
  expect(await state(ws)).toBe("unknown");
  await trust(ws);
  expect(await state(ws)).toBe("trusted");
  expect(statSync(store(ws)).mode & 0o777).toBe(0o600);
});

test("what acts is listed for the consent: .pi-go and the files that its settings name [X01]", async () => {
  await using ws = await workspace(FILES);
  const { acts } = await projectTrust(project(ws), store(ws));
  expect(acts?.items).toEqual(
    Object.keys(FILES)
      .filter((name) => name !== "src/main.ts")
      .sort(),
  );
});

test.each(Object.keys(FILES).filter((name) => name !== "src/main.ts"))(
  "one changed byte of %s drops the trust [X01]",
  async (name) => {
    await using ws = await workspace(FILES);
    await trust(ws);
    appendFileSync(join(ws.path, name), " ");
    expect(await state(ws)).toBe("changed");
  },
);

test("a new, a removed or a renamed file drops the trust [X01]", async () => {
  await using ws = await workspace(FILES);
  await trust(ws);
  ws.write(".pi-go/extensions/new.ts", "");
  expect(await state(ws)).toBe("changed");
  rmSync(join(ws.path, ".pi-go/extensions"), { recursive: true });
  expect(await state(ws)).toBe("trusted");
  rmSync(join(ws.path, ".pi-go/sops/plan.md"));
  expect(await state(ws)).toBe("changed");
  ws.write(".pi-go/sops/plan2.md", "plan");
  expect(await state(ws)).toBe("changed");
});

test("the project's own source, and what we write into .pi-go, do not touch the trust [X01]", async () => {
  await using ws = await workspace(FILES);
  await trust(ws);
  ws.write("src/main.ts", "2");
  ws.write(".pi-go/worktrees/a/x", "1");
  ws.write(".pi-go/AGENTS.md", "text");
  expect(await state(ws)).toBe("trusted");
});

test("a folder that a hook works in may change, since only the files that are named act [X01]", async () => {
  const hooks = [{ event: "stop", command: "cd app && npm test" }];
  await using ws = await workspace({
    ".pi-go/config.json": JSON.stringify({ hooks }),
    "app/package.json": "{}",
  });
  await trust(ws);
  ws.write("app/package.json", "{ }");
  expect(await state(ws)).toBe("trusted");
});

test("a project in which nothing acts needs no trust [X01]", async () => {
  await using ws = await workspace({ "a.txt": "", ".pi-go/AGENTS.md": "text" });
  expect(await state(ws)).toBe("nothing");
});

test("trust of one project is none for a copy at another place [X01]", async () => {
  await using ws = await workspace(FILES);
  await trust(ws);
  const copy = join(ws.outside, "copy");
  await runProcess(["cp", "-r", ws.path, copy]);
  expect((await projectTrust(findProject(copy, join(ws.home, ".pi-go")), store(ws))).state).toBe("unknown");
});

test("the content behind a link counts, and links in circles end [X01]", async () => {
  await using ws = await workspace(FILES);
  writeFileSync(join(ws.outside, "tool.sh"), "1");
  symlinkSync(join(ws.outside, "tool.sh"), join(ws.path, ".pi-go/tool.sh"));
  symlinkSync("..", join(ws.path, ".pi-go/agents/circle"));
  await trust(ws);
  expect(await state(ws)).toBe("trusted");
  writeFileSync(join(ws.outside, "tool.sh"), "2");
  expect(await state(ws)).toBe("changed");
});

test.if(process.platform !== "win32")("a pipe in .pi-go does not hold up the check [X01]", async () => {
  await using ws = await workspace(FILES);
  await runProcess(["mkfifo", join(ws.path, ".pi-go/pipe")]);
  expect(await state(ws)).toBe("unknown");
});

test("trust can be taken back [X01]", async () => {
  await using ws = await workspace(FILES);
  await trust(ws);
  expect(await revokeTrust(project(ws), store(ws))).toBe(true);
  expect(await state(ws)).toBe("unknown");
  expect(await revokeTrust(project(ws), store(ws))).toBe(false);
});

test("a broken store trusts nobody, says so, and is never written over [X01][K01]", async () => {
  await using ws = await workspace(FILES);
  await trust(ws);
  writeFileSync(store(ws), `{"projects": `);
  const { state, problem, acts } = await projectTrust(project(ws), store(ws));
  expect(state).toBe("unknown");
  expect(problem).toContain("trust.json is not used");
  await expect(grantTrust(project(ws), store(ws), acts!, NOW)).rejects.toMatchObject({
    code: "trust_broken",
  });
  expect(readFileSync(store(ws), "utf8")).toBe(`{"projects": `);
});

test("the home folder as a project brings nothing that acts [X01]", async () => {
  await using ws = await workspace();
  writeFileSync(join(ws.home, "x"), "");
  const home = findProject(ws.home, join(ws.home, ".pi-go"));
  expect((await projectTrust(home, store(ws))).state).toBe("nothing");
});

test("a FIFO or a device among what acts is not waited for, and what is too large to be looked at is not trusted [X01]", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({ ".pi-go/skills/a/SKILL.md": "x" });
  Bun.spawnSync(["mkfifo", ws.at(".pi-go/config.json")]);
  symlinkSync("/dev/zero", ws.at(".mcp.json"));
  expect(await state(ws)).toBe("unknown");
  ws.write(".pi-go/skills/a/huge.bin", "");
  truncateSync(ws.at(".pi-go/skills/a/huge.bin"), 100 * 1024 * 1024 * 1024);
  expect(await projectTrust(project(ws), store(ws))).toMatchObject({
    state: "unknown",
    acts: null,
    problem: expect.stringContaining("too much to be trusted"),
  });
});

test("links that lead round in a circle, in the place of .pi-go or in it, stop no start [X01]", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({ "a.txt": "" });
  symlinkSync(".pi-go", ws.at(".pi-go"));
  symlinkSync(".mcp.json", ws.at(".mcp.json"));
  expect(project(ws).folder).toBeNull();
  expect(await state(ws)).toBe("unknown");
  await using other = await workspace({ ".pi-go/config.json": "{}" });
  symlinkSync("round", other.at(".pi-go/round"));
  await trust(other);
  expect(await state(other)).toBe("trusted");
});

test("a project's config that is nested without end is not trusted and stops no start [X01][K01]", async () => {
  await using ws = await workspace({ ".pi-go/config.json": "[".repeat(100_000) });
  expect(await state(ws)).toBe("unknown");
});

test.each([".claude/skills/a/SKILL.md", ".agents/skills/a/run.sh", ".pi-go/prompts/fix.md"])(
  "a skill, its script or a prompt needs consent, and again after any change: %s [X01]",
  async (path) => {
    await using ws = await workspace({ [path]: "one", ".claude/settings.json": "not ours" });
    expect((await projectTrust(project(ws), store(ws))).acts?.items).toEqual([path]);
    await trust(ws);
    expect(await state(ws)).toBe("trusted");
    ws.write(".claude/settings.json", "still not ours");
    expect(await state(ws)).toBe("trusted");
    ws.write(path, "two");
    expect(await state(ws)).toBe("changed");
  },
);
