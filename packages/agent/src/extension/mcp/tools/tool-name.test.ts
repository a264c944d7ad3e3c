import { expect, test } from "bun:test";
import { toolName } from "./tool-name.ts";

test("a plain name is the server's and the tool's with two underscores between [A-EXT-03]", () => {
  expect(toolName("github", "create_issue")).toBe("github__create_issue");
  expect(toolName("my-server", "get.it")).toStartWith("my-server__get_it_");
});

test("any names give one that every service takes, and no two pairs give the same [A-EXT-03]", () => {
  const servers = [
    "a",
    "a_",
    "a__b",
    "_a",
    "A",
    "1a",
    "",
    "ä",
    "a b",
    "a_b",
    "日本",
    "x".repeat(80),
    "a".repeat(60),
  ];
  const tools = [
    "b",
    "_b",
    "b__c",
    "c",
    "b c",
    "b_c",
    "",
    "ü",
    "🎉",
    "y".repeat(80),
    `${"y".repeat(80)}z`,
    "a".repeat(40),
  ];
  const names = servers.flatMap((server) => tools.map((tool) => toolName(server, tool)));
  for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  expect(new Set(names).size).toBe(servers.length * tools.length);
});

test("a name is the same at every start, whatever other servers there are [P17]", () => {
  expect(toolName("a__b", "c")).toBe("a__b__c_a92700ce");
  expect(toolName("x".repeat(80), "t")).toBe(toolName("x".repeat(80), "t"));
});
