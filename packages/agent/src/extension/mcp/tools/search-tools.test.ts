import { expect, test } from "bun:test";
import type { ToolContext } from "../../../contract/tool.ts";
import type { McpTool } from "./mcp-tool.ts";
import { rankTools } from "./rank-tools.ts";
import { searchTools } from "./search-tools.ts";

function tool(name: string, description: string, ...parameters: string[]): McpTool {
  return {
    name,
    server: "s",
    kind: "network",
    description,
    input: {
      type: "object",
      properties: Object.fromEntries(parameters.map((each) => [each, { type: "string" }])),
    },
    tokens: 1,
    spelling: name,
    run: () => Promise.reject(new Error("not called")),
  };
}

const TOOLS = [
  tool("github__createPullRequest", "Open a request to merge a branch", "title", "branch"),
  tool("github__list_issues", "All issues of a repository", "repository"),
  tool("jira__search", "Find tickets by words", "jql"),
  tool("mail__send", "Send a message to people", "to", "subject"),
];
const context = {} as ToolContext;
const [search, call] = searchTools(() => TOOLS, ["mail", "github", "jira"]);

test.each([
  ["pull request", "github__createPullRequest"],
  ["issue", "github__list_issues"],
  ["tickets", "jira__search"],
  ["jql", "jira__search"],
  ["send mail", "mail__send"],
  ["merging branches", "github__createPullRequest"],
])("%s finds the tool for it first [M05]", (query, name) => {
  expect(rankTools(TOOLS, query)[0]?.name).toBe(name);
});

test("a search gives names, descriptions and schemas, at most as many as wanted, and says that there are more [M05]", async () => {
  const { text, details } = await search!.run({ query: "of a github repository", limit: 1 }, context);
  expect(text.split("\n")).toEqual([
    "github__list_issues",
    "All issues of a repository",
    'input: {"type":"object","properties":{"repository":{"type":"string"}}}',
    "",
    "[2 more fit; use more exact words or a larger limit]",
  ]);
  expect(details["tools"]).toEqual(["github__list_issues"]);
});

test("a search that finds nothing says where it looked, and is no error [M05]", async () => {
  expect(await search!.run({ query: "weather" }, context)).toMatchObject({
    outcome: "empty",
    isError: false,
    text: 'None of the 4 tools of MCP servers (github, jira, mail) has a word of "weather" in its name, description or parameters. Try other words.',
  });
});

test("a call stands for the tool that it names, also by the server's own name for it [M05]", () => {
  expect(call!.standsFor!({ tool: " mail__send ", arguments: { to: "a" } })).toEqual({
    tool: TOOLS[3]!,
    input: { to: "a" },
  });
  expect(call!.standsFor!({ tool: "list_issues" })).toEqual({ tool: TOOLS[1]!, input: {} });
});

test("a call of an unknown tool names near ones [M05]", () => {
  expect(call!.standsFor!({ tool: "github__issues" })).toMatchObject({
    outcome: { isError: true, text: expect.stringContaining("Near names: github__list_issues") },
  });
});
