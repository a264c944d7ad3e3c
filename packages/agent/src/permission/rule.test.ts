import { expect, test } from "bun:test";
import { bashCall, decision, pendingCall, permissions } from "./test-support/bench.ts";

test("a broken deny rule is reported and denies all calls of its tool", async () => {
  const checked = permissions({ deny: ["bash(git push"] });
  expect(checked.problems).toHaveLength(1);
  expect(checked.problems[0]!.message).toMatch(
    /^The permission rule deny "bash\(git push" is broken: .*all calls of bash\.$/,
  );
  expect(await decision(checked, "ls")).toBe("deny");
  expect((await checked.verdict(pendingCall("read", { file_path: "a" }))).kind).toBe("run");
  const blocked = await checked.beforeTool(bashCall("ls"), new AbortController().signal);
  expect(blocked?.block).toContain("is broken");
});

test("a broken deny rule without a readable tool denies every tool", async () => {
  const checked = permissions({ deny: ["(rm:*)"] });
  expect(checked.problems[0]!.message).toContain("counts for every tool");
  expect((await checked.verdict(pendingCall("read", { file_path: "a" }))).kind).toBe("deny");
});

test("a broken ask rule asks for its tool, whatever is allowed", async () => {
  const checked = permissions({ ask: ["bash(a && b)"], allow: ["bash(ls:*)"] });
  expect(await decision(checked, "ls")).toBe("ask");
});

test("a broken allow rule allows nothing", async () => {
  const checked = permissions({ ask: ["bash"], allow: ["bash(ls; rm)"] });
  expect(checked.problems[0]!.message).toEndWith("It is ignored.");
  expect(await decision(checked, "ls")).toBe("ask");
});

const broken: [rule: string, reason: string][] = [
  ["", "it is empty"],
  ["bash()", "its pattern is empty"],
  ["bash(ls | rm)", "one command"],
  ["bash(ls > x)", "without redirections"],
  ["bash($X)", "expansions"],
  ["bash('ls)", "not closed"],
  ["agent(task)", "rules on agent take no pattern"],
  ["mcp*(x)", "takes no pattern"],
  ["edit(!src)", "cannot start with !"],
  ["edit(../x)", "cannot hold .."],
  ["edit(~/x)", "two slashes"],
  ["edit([a)", "not closed"],
  ["two words", "tool(pattern)"],
];
for (const [rule, reason] of broken)
  test(`the rule ${JSON.stringify(rule)} is refused with its reason`, () => {
    expect(permissions({ deny: [rule] }).problems[0]?.message).toContain(reason);
  });

test("rules name tools in any case, with wildcards, or all of them", async () => {
  const kinds = async (deny: string, tool: string) =>
    (await permissions({ deny: [deny] }).verdict(pendingCall(tool, {}))).kind;
  expect(await kinds("Write", "write")).toBe("deny");
  expect(await kinds("github__*", "github__create_issue")).toBe("deny");
  expect(await kinds("github__*", "gitlab__create_issue")).toBe("run");
  expect(await kinds("git-*", "git-hunk")).toBe("deny");
  expect(await kinds("*", "anything")).toBe("deny");
  expect(await kinds("git.hunk", "git-hunk")).toBe("run");
});
