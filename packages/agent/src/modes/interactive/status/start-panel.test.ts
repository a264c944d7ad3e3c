import { expect, test } from "bun:test";
import type { StartPart } from "../../../contract/interactive.ts";
import { testTheme, testThemes } from "../test-support/plain-theme.ts";
import { AWKWARD, rowsOf, tooWide } from "../test-support/widths.ts";
import { StartPanel, type StartPanelContent } from "./start-panel.ts";
import { partsSummary } from "./start-parts.ts";

const HINTS = [
  { key: "Enter", does: "sends" },
  { key: "/", does: "commands" },
  { key: "@", does: "files" },
];
const FIRST: StartPanelContent = {
  version: "0.1.0",
  facts: { role: "default", cwd: "/home/me/project", subagents: 0, backgroundCommands: 0 },
  parts: [
    { name: "session", state: "loading" },
    { name: "MCP", state: "waiting" },
    { name: "LSP", state: "off" },
  ],
  hints: HINTS,
  home: "/home/me",
};
const part = (name: string, state: StartPart["state"], detail?: string): StartPart => ({
  name,
  state,
  ...(detail !== undefined && { detail }),
});

test("the first frame tells who this is, where, and what is on its way", () => {
  expect(rowsOf(new StartPanel(testThemes(), FIRST), 60)).toEqual([
    " pi 0.1.0",
    " choosing the model …",
    " ~/project",
    "",
    " Enter sends   / commands   @ files",
    "",
    " • session  loading …",
    " · MCP",
  ]);
});

test("model, branch and results appear as they are known", () => {
  const panel = new StartPanel(testThemes(), FIRST);
  panel.update({
    facts: {
      ...FIRST.facts,
      model: { provider: "anthropic", id: "m", name: "Claude Sonnet 5", thinking: "high" },
      gitBranch: "main",
    },
    parts: [part("session", "ready", "12 messages"), part("MCP", "loading", "2 of 3"), part("LSP", "off")],
  });
  expect(rowsOf(panel, 60)).toEqual([
    " pi 0.1.0",
    " Claude Sonnet 5 (anthropic), thinking high",
    " ~/project (main)",
    "",
    " Enter sends   / commands   @ files",
    "",
    " ✓ session  12 messages",
    " • MCP  2 of 3",
  ]);
});

test("when all parts are done only a failed one is left, with its reason", () => {
  const panel = new StartPanel(testThemes(), FIRST);
  panel.update({ parts: [part("session", "ready"), part("MCP", "ready"), part("LSP", "off")] });
  expect(rowsOf(panel, 60)).toHaveLength(5);
  panel.update({ parts: [part("session", "ready"), part("MCP", "failed", "github: connection refused")] });
  expect(rowsOf(panel, 60).at(-1)).toBe(" ✗ MCP failed: github: connection refused");
});

test("a full conversation has one row about the start, and none when all is well", () => {
  const theme = testTheme("colourless");
  expect(partsSummary(FIRST.parts, 60, theme)).toEqual(["loading session, MCP …"]);
  expect(partsSummary([part("MCP", "failed", "x"), part("a", "ready")], 60, theme)).toEqual(["✗ MCP failed"]);
  expect(partsSummary([part("a", "ready"), part("b", "off")], 60, theme)).toEqual([]);
});

test("no row is wider than the terminal at any width [T03]", () => {
  const states: StartPart["state"][] = ["waiting", "loading", "ready", "failed", "off"];
  const panel = new StartPanel(testThemes(), {
    ...FIRST,
    facts: {
      ...FIRST.facts,
      cwd: `/${AWKWARD}`,
      gitBranch: AWKWARD,
      model: { provider: AWKWARD, id: "", name: AWKWARD, thinking: "low" },
    },
    parts: states.map((state) => part(AWKWARD, state, AWKWARD.repeat(5))),
    hints: [{ key: AWKWARD, does: AWKWARD }, ...HINTS],
  });
  expect(tooWide(panel)).toEqual([]);
});
