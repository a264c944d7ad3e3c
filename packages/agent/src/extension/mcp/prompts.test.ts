/** Prompts of servers as slash commands, and resources as a tool. */
import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { fakeServer, heard, openHub } from "./test-support/open-hub.ts";

const PROMPTS = [
  {
    name: "code review",
    description: "Review\n a file",
    arguments: [{ name: "file", required: true }, { name: "style" }],
  },
  { name: "hello" },
];
const signal = new AbortController().signal;

test("prompts are commands with their server's name, and their text comes with the arguments by place or by name [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", { prompts: PROMPTS })]);
  await open.hub.start("all");
  const { prompts } = open.hub;
  expect(prompts.commands().map(({ name, summary, argumentHint }) => [name, summary, argumentHint])).toEqual([
    ["fake:code-review", "Review a file (MCP server fake)", "file [style]"],
    ["fake:hello", "a prompt (MCP server fake)", ""],
  ]);
  const asked = (file: string, style?: string) =>
    `Prompt ${JSON.stringify({ name: "code review", arguments: { file, ...(style && { style }) } })}`;
  expect(await prompts.text("fake:code-review", "a.ts", signal)).toBe(asked("a.ts"));
  expect(await prompts.text("fake:code-review", '"my file.ts" short and kind', signal)).toBe(
    asked("my file.ts", "short and kind"),
  );
  expect(
    JSON.parse((await prompts.text("FAKE:code-review", "style=kind file='b c'", signal)).slice(7)),
  ).toEqual({
    name: "code review",
    arguments: { file: "b c", style: "kind" },
  });
});

test("a prompt without an argument that it needs says which, and asks no server [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", { prompts: PROMPTS })]);
  await open.hub.start("all");
  await expect(open.hub.prompts.text("fake:code-review", "", signal)).rejects.toThrow(
    "/fake:code-review needs file",
  );
  expect(heard(ws, "fake").some(({ method }) => method === "prompts/get")).toBe(false);
});

test("arguments are completed by the server, with what was typed before [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", { prompts: PROMPTS })]);
  await open.hub.start("all");
  const values = await open.hub.prompts.complete("fake:code-review", "a.ts ki", signal);
  expect(values.map(({ value }) => value)).toEqual(["a.ts one", 'a.ts "two words"']);
  expect(heard(ws, "fake").at(-1)?.params).toMatchObject({
    argument: { name: "style", value: "ki" },
    context: { arguments: { file: "a.ts" } },
  });
});

test("resources of all servers are listed and read; nothing there, none such and a dead server differ [A-EXT-03]", async () => {
  await using ws = await workspace();
  const resources = [{ uri: "note://1", name: "First", mimeType: "text/plain" }];
  await using open = openHub(ws, [
    fakeServer(ws, "full", { resources }),
    fakeServer(ws, "bare", { resources: [] }),
    fakeServer(ws, "none"),
  ]);
  await open.hub.start("all");
  expect(open.declared().filter((name) => name === "mcp-resources")).toHaveLength(1);
  expect((await open.call("mcp-resources")).text).toBe("full: note://1 (First; text/plain)");
  expect(await open.call("mcp-resources", { server: "full", uri: "note://1" })).toMatchObject({
    outcome: "found",
    text: "[note://1]\nthe content",
  });
  expect(await open.call("mcp-resources", { server: "bare" })).toMatchObject({
    outcome: "empty",
    isError: false,
  });
  expect(await open.call("mcp-resources", { server: "none" })).toMatchObject({
    outcome: "not_looked",
    isError: true,
  });
  await open.hub.disable(open.hub.find("full")!);
  expect((await open.call("mcp-resources", { server: "full" })).text).toContain("With resources: bare.");
});
