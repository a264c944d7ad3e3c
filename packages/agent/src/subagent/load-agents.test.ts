import { expect, test } from "bun:test";
import { link, workspace } from "@pi-ts/testkit";
import { textInspector } from "../cli/text-inspector.ts";
import { readMarkdown } from "../extension/skills/skill-file.ts";
import { BUILT_IN_TYPES } from "./built-in-types.ts";
import { loadAgents } from "./load-agents.ts";

const inspect = textInspector();

async function load(files: Parameters<typeof workspace>[0]) {
  await using ws = await workspace(files);
  const { types, problems } = loadAgents({
    folders: [
      { path: ws.at("user"), within: null },
      { path: ws.at("project"), within: ws.path },
    ],
    read: (file, within) => readMarkdown(file, within, inspect),
  });
  const own = types.filter((type) => type.file !== null);
  return {
    types,
    own,
    problems: problems.map(
      ({ file, line, message }) => `${file.slice(ws.path.length + 1)}:${line ?? ""} ${message}`,
    ),
  };
}

test("the six built-in types have a role, an instruction, a worktree rule and a tool list each [A-SUB-01]", () => {
  const rows = BUILT_IN_TYPES.map(({ name, role, worktree, readOnly }) => [name, role, worktree, readOnly]);
  expect(rows).toEqual([
    ["explore", "smol", false, true],
    ["plan", "plan", false, true],
    ["designer", "slow", true, false],
    ["reviewer", "slow", false, true],
    ["task", null, true, false],
    ["quick_task", "smol", false, false],
  ]);
  for (const type of BUILT_IN_TYPES) {
    expect(type.instruction.length).toBeGreaterThan(50);
    if (type.readOnly) for (const tool of ["write", "edit", "agent"]) expect(type.tools).not.toContain(tool);
  }
});

test("a file says everything of its agent; the project's replaces the user's, and that a built-in one [A-SUB-01]", async () => {
  const { own } = await load({
    "user/helper.md": "---\ndescription: old\n---\nOld.\n",
    "project/helper.md":
      "---\ndescription: >\n  helps:\n  a lot\nrole: smol\ntools: [read, 'bash', server__do]\nworktree: true\nread_only: yes\ntimeout: 90s\nmax_turns: 7\n---\nYou help.\n",
    "project/plan.md":
      "---\nname: plan\nmodel: openai/gpt-6\ntools: Read, Glob, Task, MultiEdit, Bash(git:*)\ntimeout: 5000\n---\nMine.\n",
  });
  expect(
    own.map(({ file, description, ...rest }) => ({ ...rest, description: description.trim() })),
  ).toMatchObject([
    {
      name: "plan",
      model: "openai/gpt-6",
      tools: ["read", "find", "agent", "edit", "bash"],
      timeoutMs: 5_000,
      instruction: "Mine.",
    },
    {
      name: "helper",
      description: "helps: a lot",
      role: "smol",
      tools: ["read", "bash", "server__do"],
      worktree: true,
      readOnly: true,
      timeoutMs: 90_000,
      maxTurns: 7,
    },
  ]);
});

test("a broken file is told with its line and hides no other [X08]", async () => {
  const { own, problems } = await load({
    "user/a.md": "---\nname: a\n",
    "user/b.md": "no front matter\n",
    "user/c.md": "---\nname: ../x\n---\ntext\n",
    "user/d.md": "---\nname: d\n---\n\n",
    "user/e.md": "---\nname: e\n---\nhidden \u202e order\n",
    "user/good.md": "---\ntools:\n---\nGood.\n",
  });
  expect(own.map(({ name, tools }) => [name, tools])).toEqual([["good", null]]);
  expect(problems).toHaveLength(5);
  for (const [index, part] of [
    "user/a.md:1 ",
    "user/b.md:1 ",
    "user/c.md:2 ",
    "user/d.md: ",
    "user/e.md:4 ",
  ].entries())
    expect(problems[index]).toStartWith(part);
});

test("odd values are told and replaced by careful ones; the agent is there [A-SUB-01]", async () => {
  const { own, problems } = await load({
    "user/odd.md":
      "---\nname: odd\ntimeout: 300\nmax_turns: many\nworktree: perhaps\nfoo: bar\nmodel: inherit\nread_only: perhaps\ntools: Bash(git:*)\n---\nOdd.\n",
  });
  expect(own).toMatchObject([
    {
      name: "odd",
      timeoutMs: 1_800_000,
      maxTurns: 100,
      worktree: false,
      readOnly: true,
      model: null,
      tools: ["bash"],
    },
  ]);
  expect(problems.map((problem) => problem.split(" ")[0]).sort()).toEqual(
    [3, 4, 5, 6, 8, 9].map((line) => `user/odd.md:${line}`),
  );
});

test("links that go round in a circle and folders that lead away hide no agent, wherever they lie [A-SUB-01]", async () => {
  const { own, problems } = await load({
    "project/a.md": "---\nname: a\n---\nx",
    "project/loop": link(".."),
    "project/self.md": link("self.md"),
    "project/inner/up": link("."),
    "project/inner/b.md": "---\nname: b\n---\nx",
    "user/shared": link("../elsewhere"),
    "user/again": link("shared"),
    "elsewhere/c.md": "---\nname: c\n---\nx",
  });
  expect(own.map(({ name }) => name).sort()).toEqual(["a", "b", "c"]);
  expect(problems).toEqual([expect.stringMatching(/^project\/self\.md: /)]);
});
