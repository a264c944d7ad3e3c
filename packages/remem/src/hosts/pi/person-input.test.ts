import { expect, test } from "bun:test";
import { sourceOf } from "./person-input.ts";

const TYPED = "Remember: we use pnpm.";
const AT_TERMINAL = { mode: "tui", environment: { AI_AGENT: "pi" }, argv: [] };
const WORDS = { mode: "print", environment: {}, argv: ["node", "pi", "-p", TYPED] };

test.each([
  ["typed in the terminal", { text: TYPED, source: "interactive" }, AT_TERMINAL, "interactive"],
  ["a word of the command line", { text: TYPED, source: "interactive" }, WORDS, "interactive"],
  ["with more than the command line's word", { text: `${TYPED}\nlog`, source: "interactive" }, WORDS, "file"],
  ["of a client", { text: TYPED, source: "rpc" }, AT_TERMINAL, "rpc"],
  ["of an extension", { text: TYPED, source: "extension" }, AT_TERMINAL, "extension"],
  ["a template's name", { text: "/review src", source: "interactive" }, AT_TERMINAL, "skill"],
  [
    "in a Pi of another Pi's shell",
    { text: TYPED, source: "interactive" },
    { ...WORDS, environment: { PI_SESSION_ID: "s" } },
    "subagent",
  ],
  [
    "in a Pi of another agent's shell",
    { text: TYPED, source: "interactive" },
    { ...AT_TERMINAL, environment: { AI_AGENT: "codex" } },
    "subagent",
  ],
  [
    "with a path at its beginning",
    { text: "/etc/hosts must stay as it is.", source: "interactive" },
    AT_TERMINAL,
    "interactive",
  ],
] as const)("an input %s is told apart [B-PI-07]", (_, input, place, source) => {
  expect(sourceOf(input, place)).toBe(source);
});
