import { expect, test } from "bun:test";
import { fakeEntry } from "../../e2e/support/mcp.ts";
import { MOST, modulesBeforeFirstRequest, sizeOf } from "./modules.ts";

const modules = await modulesBeforeFirstRequest();
const names = [...modules.keys()];

test("a first request loads no more modules and no more source than the start-up budget", () => {
  const { modules: count, kilobytes } = sizeOf(modules);
  // Also not far less: a budget that nobody meets any more holds nothing.
  expect(count).toBeWithin(MOST.modules * 0.8, MOST.modules + 1);
  expect(kilobytes).toBeWithin(MOST.kilobytes * 0.8, MOST.kilobytes + 1);
});

test("a first request without servers, extensions, login or a terminal loads nothing of them", () => {
  const late =
    /^packages\/agent\/src\/(extension|lsp|login|audit|export|modes\/(interactive|rpc|acp)|commands)\//;
  expect(names.filter((name) => late.test(name))).toEqual([]);
});

test("a first request loads no library", () => {
  expect(names.filter((name) => name.includes("node_modules/"))).toEqual([]);
});

test("with MCP servers whose tools are known from the last start a first request loads nothing of MCP", async () => {
  const tools = [{ name: "a", inputSchema: { type: "object" } }];
  const loaded = await modulesBeforeFirstRequest({ one: fakeEntry({ tools }) });
  expect([...loaded.keys()].filter((name) => name.includes("/extension/mcp/"))).toEqual([]);
  expect(loaded.has("packages/agent/src/cli/known-tools.ts")).toBe(true);
});
