import { expect, test } from "bun:test";
import { toolServers } from "./tool-servers.ts";

test("servers of every transport are handed on with their environment and headers", () => {
  expect(
    toolServers([
      { name: "one", command: "/bin/one", args: ["-x"], env: [{ name: "A", value: "1" }] },
      { type: "http", name: "two", url: "https://two", headers: [{ name: "X-Key", value: "k" }] },
      { type: "sse", name: "three", url: "https://three", headers: [] },
    ]),
  ).toEqual([
    { name: "one", command: "/bin/one", args: ["-x"], env: { A: "1" } },
    { name: "two", url: "https://two", headers: { "X-Key": "k" }, transport: "http" },
    { name: "three", url: "https://three", headers: {}, transport: "sse" },
  ]);
});

test("no servers are none", () => {
  expect(toolServers(undefined)).toEqual([]);
});
