import { expect, test } from "bun:test";
import type { StatusFacts } from "../../../contract/interactive.ts";
import { testTheme, testThemes } from "../test-support/plain-theme.ts";
import { AWKWARD, rowsOf, tooWide } from "../test-support/widths.ts";
import { StatusLine } from "./status-line.ts";

const BARE: StatusFacts = { role: "default", cwd: "/home/me/project", subagents: 0, backgroundCommands: 0 };
const FULL: StatusFacts = {
  model: { provider: "anthropic", id: "claude-sonnet-5", name: "Claude Sonnet 5", thinking: "high" },
  role: "smol",
  context: { tokens: 84_000, window: 200_000 },
  costUsd: 0.1234,
  day: { used: 120_000, limit: 1_000_000 },
  cwd: "/home/me/project",
  gitBranch: "feature/login",
  session: { id: "s1", branch: "try-2", title: "Fix the login", onDisk: true },
  subagents: 2,
  backgroundCommands: 1,
  memory: { state: "ready", count: 128 },
  mcp: { ready: 3, failed: 1, total: 4 },
  confinement: { tier: "off", active: false },
  mode: "plan",
};

const rows = (facts: StatusFacts, width: number) => rowsOf(new StatusLine(testThemes(), facts), width);

test("all facts are told where there is room for them", () => {
  expect(rows(FULL, 260)).toEqual([
    "plan  sandbox off  Claude Sonnet 5 smol high  ━━━───── 42% of 200k  2 subagents, 1 command in background  $0.12  today 12% of 1M  branch try-2  mcp 3/4 1 failed  memory 128  project (feature/login)  Fix the login",
  ]);
});

test("as the width shrinks, details go first and the most important facts stay", () => {
  expect(rows(FULL, 100)).toEqual([
    "plan  no sandbox  Claude Sonnet 5  42%  3 running  $0.12  today 12%  try-2  mcp 3/4  (feature/login)",
  ]);
  for (const fact of ["plan", "Claude Sonnet 5", "42%"]) expect(rows(FULL, 40).join("\n")).toContain(fact);
  expect(rows(FULL, 40)).toHaveLength(2);
  expect(rows(FULL, 10).join("\n")).toContain("plan");
});

test("before anything is known there is a model to come and the folder", () => {
  expect(rows(BARE, 80)).toEqual(["no model yet  project"]);
});

test("what is as it should be takes no place: the main branch, the default role, a confined shell", () => {
  const ordinary: StatusFacts = {
    ...BARE,
    model: { provider: "openai", id: "gpt", name: "gpt-6", thinking: "off" },
    session: { id: "s", branch: "main", onDisk: true },
    confinement: { tier: "workspace-write", active: true },
    day: { used: 0, limit: 0 },
    mcp: { ready: 0, failed: 0, total: 0 },
  };
  expect(rows(ordinary, 80)).toEqual(["gpt-6  project"]);
});

test("a sandbox that the system does not offer is told", () => {
  expect(rows({ ...BARE, confinement: { tier: "workspace-write", active: false } }, 80)[0]).toStartWith(
    "sandbox not available  ",
  );
});

test("the gauge warns in colour from 80 % on, and is an error from 95 % on", () => {
  const { color } = testTheme("dark");
  const at = (tokens: number) =>
    new StatusLine(testThemes(), { ...BARE, context: { tokens, window: 1_000 } }).render(80).join("");
  expect(at(790)).toContain(color.muted("79%"));
  expect(at(800)).toContain(color.warning("80%"));
  expect(at(950)).toContain(color.error("95%"));
  expect(at(1)).toContain(`${color.accent("━")}${color.border("───────")}`);
});

test("the day's budget moves to the front when it runs out", () => {
  const facts: StatusFacts = { ...FULL, day: { used: 990_000, limit: 1_000_000 } };
  expect(rows(facts, 62).join(" ")).toContain("today 99%");
});

test("new facts are shown after an update, and the same rows are given until then", () => {
  const line = new StatusLine(testThemes(), BARE);
  const first = line.render(80);
  expect(line.render(80)).toBe(first);
  line.update({ ...BARE, mode: "plan" });
  expect(rowsOf(line, 80)[0]).toStartWith("plan");
});

test("no row is wider than the terminal at any width [T03]", () => {
  const awkward: StatusFacts = {
    ...FULL,
    model: { provider: AWKWARD, id: AWKWARD, name: AWKWARD, thinking: "xhigh" },
    role: AWKWARD,
    gitBranch: AWKWARD,
    cwd: `/x/${AWKWARD}`,
    session: { id: "s", branch: AWKWARD, title: AWKWARD, onDisk: false },
    mode: AWKWARD,
  };
  for (const facts of [BARE, FULL, awkward]) expect(tooWide(new StatusLine(testThemes(), facts))).toEqual([]);
});

test("no fact of a repository reaches the terminal as a command [T03]", () => {
  const line = new StatusLine(testThemes("colourless"), { ...BARE, gitBranch: "\x1b]0;x\x07\u202e" });
  expect(line.render(120).join("")).not.toMatch(/\x1b|\x07|\u202e/);
});
