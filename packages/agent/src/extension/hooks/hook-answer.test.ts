import { describe, expect, test } from "bun:test";
import { type HookAnswer, readAnswer } from "./hook-answer.ts";
import type { HookEvent } from "./hook-entry.ts";
import { callOf, hookBench } from "./test-support/hook-bench.ts";

const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });

const FORMS: readonly [name: string, event: HookEvent, printed: object, answer: HookAnswer][] = [
  ["a decision to block", "before_tool", { decision: "block", reason: "not today" }, { block: "not today" }],
  ["a decision to deny (Gemini)", "before_tool", { decision: "deny", reason: "no" }, { block: "no" }],
  [
    "a permission that is denied (Claude Code)",
    "before_tool",
    specific({ permissionDecision: "deny", permissionDecisionReason: "not on main" }),
    { block: "not on main" },
  ],
  ["a permission to ask for", "before_tool", specific({ permissionDecision: "ask" }), { ask: "" }],
  [
    "a permission denied at the top (Copilot)",
    "before_tool",
    { permissionDecision: "deny", permissionDecisionReason: "no" },
    { block: "no" },
  ],
  [
    "a permission denied (Cursor)",
    "before_tool",
    { permission: "deny", agentMessage: "no" },
    { block: "no" },
  ],
  [
    "a request that is denied",
    "before_tool",
    specific({ decision: { behavior: "deny", message: "no", interrupt: true } }),
    { block: "no" },
  ],
  [
    "the end of everything",
    "before_tool",
    { continue: false, stopReason: "broken build" },
    { block: "broken build" },
  ],
  [
    "a refusal beside a permission",
    "before_tool",
    { decision: "block", ...specific({ permissionDecision: "allow" }) },
    { block: "" },
  ],
  [
    "an input with a permission",
    "before_tool",
    specific({ permissionDecision: "allow", updatedInput: { command: "ls" } }),
    { input: { command: "ls" } },
  ],
  ["permission", "before_tool", { decision: "approve", reason: "fine", suppressOutput: true }, {}],
  ["a reason beside block", "before_tool", { block: true, reason: "not today" }, { block: "not today" }],
  [
    "a key that nobody knows beside block",
    "before_tool",
    { block: "not today", severity: 3 },
    { block: "not today" },
  ],
  ["an input that cannot be used beside ask", "before_tool", { ask: "sure?", input: "x" }, { ask: "sure?" }],
  ["a block that is an object", "before_tool", { block: { rule: 7 } }, { block: '{"rule":7}' }],
  ["an objection after a tool", "after_tool", { decision: "block", reason: "lint" }, { block: "lint" }],
  [
    "a text with a prompt",
    "prompt",
    { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "it rains" } },
    { add: "it rains" },
  ],
  [
    "a prompt that is blocked",
    "prompt",
    { decision: "block", reason: "holds a key" },
    { block: "holds a key" },
  ],
  ["what is left to do", "stop", { decision: "block", reason: "run the tests" }, { goOn: "run the tests" }],
  ["a stop that is a stop", "stop", { continue: false, stopReason: "enough" }, {}],
];

test.each(FORMS)("forms of other agents are understood: %s [X07]", (_, event, printed, answer) => {
  expect(readAnswer(event, JSON.stringify(printed))).toEqual({ answer });
});

test("a verdict that nobody knows is a problem", () => {
  expect(readAnswer("before_tool", JSON.stringify({ decision: "perhaps" })).problem).toContain('"decision"');
});

describe("an answer that blocks counts [X07]", () => {
  const block = JSON.stringify({ decision: "block", reason: "not today" });
  const pretty = JSON.stringify(specific({ permissionDecision: "deny" }), null, 2);

  test.each([
    ["before JSON that says something else", `${block}\n{"suppressOutput": true}`, "not today"],
    ["before a line of a log in JSON", `${block}\n{"level": "info", "message": "checked"}`, "not today"],
    ["in many lines before other output", `looking\n${pretty}\nchecked`, ""],
    ["before a later answer that asks", `${block}\n{"ask": "sure?"}\nchecked`, "not today"],
    ["with the line breaks of Windows", `looking\r\n${pretty.replaceAll("\n", "\r\n")}\r\ndone\r\n`, ""],
  ])("%s", (_, printed, reason) => {
    expect(readAnswer("before_tool", printed).answer).toEqual({ block: reason });
  });

  test.each([
    ["a quotation mark in its reason", '{"block": "no "push" today"}'],
    ["the quotation marks of Python", "{'decision': 'block', 'reason': 'not today'}"],
    ["an end that is missing", '{"hookSpecificOutput": {"permissionDecision": "deny"'],
  ])("as JSON that is broken by %s", (_, printed) => {
    const { block: reason = "" } = readAnswer("before_tool", printed).answer;
    expect(reason).toStartWith("it printed JSON that cannot be parsed");
    expect(reason).toEndWith(printed);
  });

  test.each([
    ["exit code 1", "exit 1"],
    ["a signal", "kill -9 $$"],
    ["the time limit", "sleep 600"],
  ])("of a hook that then ends by %s", async (_, end) => {
    await using bench = await hookBench([
      { event: "before_tool", command: `echo '${block}'; ${end}`, timeout: 1 },
    ]);
    expect((await bench.before(callOf("edit"))).block).toEndWith("blocks this call: not today");
    expect(bench.notices).toEqual([]);
  });

  test("beside the hook's own input, printed again, which changes nothing", () => {
    const input = { event: "before_tool", tool: "bash", input: { command: "ls" }, data: {}, session_id: "1" };
    const printed = JSON.stringify({ ...input, cwd: "/", block: "not today" });
    expect(readAnswer("before_tool", printed)).toEqual({ answer: { block: "not today" } });
  });

  test("of a hook that ends with 2 and says why on stdout alone", async () => {
    await using bench = await hookBench([{ event: "before_tool", command: `echo '${block}'; exit 2` }]);
    expect((await bench.before(callOf("edit"))).block).toEndWith("blocks this call: not today");
  });
});

test("JSON in the midst of other output changes no call", () => {
  const input = JSON.stringify({ input: { command: "rm x" } });
  expect(readAnswer("before_tool", `looking\n${input}\nchecked`)).toEqual({ answer: {} });
});
