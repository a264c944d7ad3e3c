import { expect, test } from "bun:test";
import { chmodSync, statSync } from "node:fs";
import { executable, link, type Workspace, workspace } from "@pi-ts/testkit";
import type { AuditRequest } from "../contract/audit.ts";
import { homeFolders } from "../platform/home.ts";
import { runAudit } from "./run-audit.ts";

const BAD = "pay\u200bpal\n";
const audit = (ws: Workspace, request: Partial<AuditRequest> = {}, cwd = ws.path) =>
  runAudit(
    { file: null, strip: false, dryRun: false, ...request },
    { cwd, home: homeFolders({ HOME: ws.home }) },
    new AbortController().signal,
  );
const looked = async (ws: Workspace, cwd?: string) =>
  (await audit(ws, {}, cwd)).files.map(({ path, kind }) => `${kind} ${path}`).sort();

test("every place that instructions come from is looked at, of the project and of the user [A-AUDIT-01]", async () => {
  await using ws = await workspace({
    ".git/HEAD": "",
    "AGENTS.md": "a",
    "CLAUDE.md": "a",
    ".mcp.json": "{}",
    ".pi-go/config.json": "{}",
    ".pi-go/AGENTS.md": "a",
    ".pi-go/mcp.json": "{}",
    ".pi-go/skills/a/SKILL.md": "a",
    ".pi-go/skills/a/scripts/run.sh": "a",
    ".pi-go/agents/b.md": "a",
    ".pi-go/sops/pdd.md": "a",
    ".pi-go/prompts/p.md": "a",
    ".agents/skills/c/SKILL.md": "a",
    ".claude/skills/d/SKILL.md": "a",
    ".claude/agents/e.md": "a",
    ".claude/settings.json": "{}",
    "packages/x/AGENTS.md": "a",
    "node_modules/y/AGENTS.md": "a",
    "src/main.ts": "a",
  });
  for (const path of [
    "AGENTS.md",
    "config.json",
    "mcp.json",
    "skills/e/SKILL.md",
    "agents/f.md",
    "sops/g.md",
    "sessions/s/events.jsonl",
  ])
    ws.write(`${ws.home}/.pi-go/${path}`, "a");
  ws.write(`${ws.home}/.agents/skills/h/SKILL.md`, "a");
  ws.write(`${ws.home}/.claude/agents/i.md`, "a");
  expect(await looked(ws)).toEqual([
    "agent .claude/agents/e.md",
    "agent .pi-go/agents/b.md",
    "agent ~/.claude/agents/i.md",
    "agent ~/.pi-go/agents/f.md",
    "config .pi-go/config.json",
    "config ~/.pi-go/config.json",
    "instructions .pi-go/AGENTS.md",
    "instructions AGENTS.md",
    "instructions CLAUDE.md",
    "instructions packages/x/AGENTS.md",
    "instructions ~/.pi-go/AGENTS.md",
    "mcp .mcp.json",
    "mcp .pi-go/mcp.json",
    "mcp ~/.pi-go/mcp.json",
    "skill .agents/skills/c/SKILL.md",
    "skill .claude/skills/d/SKILL.md",
    "skill .pi-go/prompts/p.md",
    "skill .pi-go/skills/a/SKILL.md",
    "skill .pi-go/skills/a/scripts/run.sh",
    "skill ~/.agents/skills/h/SKILL.md",
    "skill ~/.pi-go/skills/e/SKILL.md",
    "sop .pi-go/sops/pdd.md",
    "sop ~/.pi-go/sops/g.md",
  ]);
});

test("in a folder of a repository the files of the folders above count too; without a repository only the folder itself", async () => {
  await using ws = await workspace({ "AGENTS.md": "a", "sub/AGENTS.md": "a", "sub/deep/AGENTS.md": "a" });
  expect(await looked(ws, ws.at("sub"))).toEqual(["instructions AGENTS.md"]);
  ws.write(".git/HEAD", "");
  expect((await audit(ws, {}, ws.at("sub"))).files).toHaveLength(3);
});

test("key files, backups and binary files are left out and named", async () => {
  await using ws = await workspace({
    ".pi-go/.env": "KEY=\u200b",
    ".pi-go/config.json": "{}",
    ".pi-go/config.json.bak": BAD,
    ".pi-go/alone.bak": "a",
  });
  ws.write(".pi-go/skills/a/logo.png", Uint8Array.of(0, 1, 2));
  const { files, skipped } = await audit(ws);
  expect(files.map(({ path }) => path)).toEqual([".pi-go/alone.bak", ".pi-go/config.json"]);
  expect(skipped).toEqual([
    { path: ".pi-go/.env", reason: "it holds keys" },
    { path: ".pi-go/config.json.bak", reason: "it is a backup" },
    { path: ".pi-go/skills/a/logo.png", reason: "it is no text" },
  ]);
});

test("a link that leaves the project is a problem and not followed; the user's own may lead anywhere [X05]", async () => {
  await using ws = await workspace({
    ".claude/skills/x": link("../../../outside"),
    ".claude/skills/loop": link("."),
    "AGENTS.md": link("gone.md"),
  });
  ws.write(`${ws.outside}/SKILL.md`, BAD);
  ws.write(`${ws.home}/.pi-go/skills`, link("../../outside"));
  const { files, problems } = await audit(ws);
  expect(files.map(({ path, counts }) => [path, counts.critical])).toEqual([["~/.pi-go/skills/SKILL.md", 1]]);
  expect(problems).toEqual([
    { path: "AGENTS.md", reason: "it is a link that leads nowhere" },
    { path: ".claude/skills/x", reason: `it is a link to ${ws.outside}, outside of ${ws.path}` },
  ]);
});

test("a file name with hidden characters is a problem, and is shown written out", async () => {
  await using ws = await workspace({ ".claude/skills/pay\u200bpal/SKILL.md": "a" });
  const { files, problems } = await audit(ws);
  expect(files.map(({ path }) => path)).toEqual([".claude/skills/pay\\u{200b}pal/SKILL.md"]);
  expect(problems).toEqual([
    { path: ".claude/skills/pay\\u{200b}pal", reason: "its name has hidden characters" },
  ]);
});

test("the text around a finding shows no key and no part of one [X06]", async () => {
  const key = "k3yPart".repeat(12);
  await using ws = await workspace({
    ".mcp.json": `{"api_key": "${key.slice(0, 21)}"}\u200b`,
    ".pi-go/config.json": `{"headers": {"x": "${key}\u200b${key}"}}`,
  });
  const { files } = await audit(ws);
  expect(files.map(({ findings }) => findings[0]!.context)).toEqual([
    "…\\u{200b}…",
    '{"api_key": "[redacted]"}\\u{200b}',
  ]);
});

test("--file looks at one file or folder alone; one that is not there is refused with 64", async () => {
  await using ws = await workspace({ "AGENTS.md": BAD, "docs/a.md": BAD, "docs/b/c.md": "ok" });
  const names = async (file: string) =>
    (await audit(ws, { file: ws.at(file) })).files.map(({ path }) => path);
  expect(await names("docs/a.md")).toEqual(["docs/a.md"]);
  expect(await names("docs")).toEqual(["docs/a.md", "docs/b/c.md"]);
  expect(audit(ws, { file: ws.at("nope") })).rejects.toMatchObject({ exitCode: 64 });
});

test("--strip keeps the mode, keeps the old bytes in .bak, and touches no clean file [A-AUDIT-04]", async () => {
  await using ws = await workspace({
    "AGENTS.md": executable(`one\r\n${BAD}`),
    "CLAUDE.md": "clean 👩\u200d💻",
  });
  chmodSync(ws.at("CLAUDE.md"), 0o640);
  const { files } = await audit(ws, { strip: true });
  expect(files[0]).toMatchObject({
    path: "AGENTS.md",
    strip: { removed: { critical: 1 }, backup: "AGENTS.md.bak" },
  });
  expect(files[1]?.strip).toBeUndefined();
  expect(ws.read("AGENTS.md")).toBe("one\r\npaypal\n");
  expect(ws.read("AGENTS.md.bak")).toBe(`one\r\n${BAD}`);
  expect(statSync(ws.at("AGENTS.md")).mode & 0o777).toBe(0o755);
  expect(Object.keys(ws.snapshot()).sort()).toEqual(["AGENTS.md", "AGENTS.md.bak", "CLAUDE.md"]);
});

test("--strip never overwrites an older backup, nor a link in its place [A-AUDIT-04]", async () => {
  await using ws = await workspace({
    "AGENTS.md": BAD,
    "AGENTS.md.bak": "older",
    "AGENTS.md.bak.1": link("../outside/target"),
  });
  const { files } = await audit(ws, { strip: true });
  expect(files[0]?.strip?.backup).toBe("AGENTS.md.bak.2");
  expect(ws.read("AGENTS.md.bak")).toBe("older");
  expect(ws.read("AGENTS.md.bak.2")).toBe(BAD);
  expect(ws.exists(`${ws.outside}/target`)).toBe(false);
});

test("--dry-run changes nothing and shows what would [A-AUDIT-04]", async () => {
  await using ws = await workspace({ "AGENTS.md": `fine\n${BAD}last` });
  const before = ws.snapshot();
  const { files } = await audit(ws, { strip: true, dryRun: true });
  expect(ws.snapshot()).toEqual(before);
  expect(files[0]?.strip).toEqual({
    removed: { critical: 1, warning: 0, info: 0 },
    backup: null,
    diff: "--- AGENTS.md\n+++ AGENTS.md\n@@ -2 +2 @@\n-pay\\u{200b}pal\n+paypal",
  });
});

test("--strip changes nothing behind a link that leads out of the place, and says what to do [A-AUDIT-04]", async () => {
  await using ws = await workspace({});
  ws.write(`${ws.outside}/SKILL.md`, BAD);
  ws.write(`${ws.home}/.pi-go/skills/a/SKILL.md`, link(`${ws.outside}/SKILL.md`));
  const before = ws.snapshotOf("outside");
  const { files, problems } = await audit(ws, { strip: true });
  expect(ws.snapshotOf("outside")).toEqual(before);
  expect(files[0]?.strip).toBeUndefined();
  expect(problems[0]?.reason).toContain(`it is a link to ${ws.outside}/SKILL.md: name that file with --file`);
});

test("--strip leaves UTF-16 text alone", async () => {
  await using ws = await workspace({});
  ws.write("AGENTS.md", Uint8Array.of(0xff, 0xfe, 0x61, 0));
  const before = ws.snapshot();
  const { problems } = await audit(ws, { strip: true });
  expect(ws.snapshot()).toEqual(before);
  expect(problems[0]?.reason).toContain("convert it to UTF-8 first");
});

test("an interrupt ends it", async () => {
  await using ws = await workspace({ "AGENTS.md": BAD });
  const request = { file: null, strip: true, dryRun: false };
  const report = await runAudit(
    request,
    { cwd: ws.path, home: homeFolders({ HOME: ws.home }) },
    AbortSignal.abort(),
  );
  expect(report.files).toEqual([]);
  expect(ws.read("AGENTS.md")).toBe(BAD);
});
