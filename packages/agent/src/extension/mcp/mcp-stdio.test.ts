/** Servers that are programs: what they lend and what comes back. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TINY_PNG, workspace } from "@pi-ts/testkit";
import { until } from "../../platform/processes/test-support/until.ts";
import { fakeServer, heard, openHub } from "./test-support/open-hub.ts";

test("a server's tools are called with their arguments and give back its text [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  expect(open.declared()).toEqual(["fake__do"]);
  expect(await open.call("fake__do", { what: "say", text: "hello" })).toEqual({
    outcome: "found",
    text: "hello",
    isError: false,
    details: { outcome: "found", server: "fake", tool: "do" },
  });
  const initialize = heard(ws, "fake").find(({ method }) => method === "initialize");
  expect(initialize?.params).toMatchObject({
    clientInfo: { name: "pi", version: "1.2.3" },
    capabilities: { roots: {}, elicitation: {} },
  });
});

test("two servers with tools of one name keep them apart [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "a"), fakeServer(ws, "b")]);
  await open.hub.start("all");
  expect(open.declared()).toEqual(["a__do", "b__do"]);
  await open.call("b__do", { text: "x" });
  expect(heard(ws, "a").some(({ method }) => method === "tools/call")).toBe(false);
});

test("text that comes byte by byte is what was sent, line separators included [P13]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  expect((await open.call("fake__do", { what: "pieces" })).text).toBe("日本語 🎉 é\u2028");
});

test("one bad schema loses only its tool, with a notice; a name that comes twice counts once [M03]", async () => {
  await using ws = await workspace();
  const tools = [
    { name: "good", inputSchema: { type: "object", properties: { a: { type: "string" } } } },
    { name: "text", inputSchema: "no schema" },
    { name: "listing", inputSchema: { type: "array" } },
    { name: "good", inputSchema: { type: "object" } },
    { name: "", inputSchema: { type: "object" } },
    { description: "nameless" },
    { name: "bare" },
  ];
  await using open = openHub(ws, [fakeServer(ws, "fake", { tools })]);
  await open.hub.start("all");
  expect(open.declared()).toEqual(["fake__bare", "fake__do", "fake__good"]);
  expect(open.notices.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^the MCP server "fake": not used: text \(its input schema is a string, no JSON Schema\) and 2 more, see/,
    ),
  ]);
  expect(open.log("fake")).toContain("good (it is listed twice; the first one counts)");
});

test("tools that come later join at the next run, at the end, with a notice; changed and removed ones are told, too [A-EXT-03][P17]", async () => {
  await using ws = await workspace();
  const schema = { type: "object" };
  await using open = openHub(ws, [fakeServer(ws, "zoo", { tools: [{ name: "yak", inputSchema: schema }] })]);
  await open.hub.start("all");
  expect(open.declared()).toEqual(["zoo__do", "zoo__yak"]);
  const before = open.hub.tools;
  const next = [
    { name: "ant", inputSchema: schema },
    { name: "do", description: "Does what it is told", inputSchema: schema },
  ];
  const changed = new Promise<void>((resolve) => {
    const { catalog } = open.hub.find("zoo")!;
    void until(() => open.hub.find("zoo")!.catalog !== catalog).then(resolve);
  });
  await open.call("zoo__do", { what: "retool", text: JSON.stringify(next) });
  await changed;
  expect(open.hub.tools).toBe(before);
  expect(open.declared()).toEqual(["zoo__do", "zoo__ant"]);
  expect(open.notices).toEqual([
    { level: "info", message: "tools of MCP servers: new: zoo__ant; changed: zoo__do; gone: zoo__yak" },
  ]);
});

test("lists that change again while they are read are read once more [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "zoo", {})]);
  await open.hub.start("all");
  const names = () =>
    open.hub
      .find("zoo")!
      .catalog?.tools.map(({ name }) => name)
      .join();
  const next = [{ name: "emu", inputSchema: { type: "object" } }];
  await open.call("zoo__do", { what: "retool-meanwhile", text: JSON.stringify(next) });
  await until(() => names() === "emu");
});

test("the list is the same, byte for byte, in whatever order a server lists its tools and keys [P17]", async () => {
  await using ws = await workspace();
  const a = {
    name: "a",
    description: "A",
    inputSchema: { type: "object", properties: { x: { type: "string" } } },
  };
  const b = { name: "b", description: "B", inputSchema: { type: "object", properties: {} } };
  const turned = {
    inputSchema: { properties: { x: { type: "string" } }, type: "object" },
    description: "A",
    name: "a",
  };
  const lists: string[] = [];
  for (const tools of [
    [a, b],
    [b, turned],
  ]) {
    await using open = openHub(ws, [fakeServer(ws, "s", { tools })], {
      cacheFolder: ws.at(`cache-${lists.length}`),
    });
    await open.hub.start("all");
    open.declared();
    lists.push(
      JSON.stringify(open.hub.tools.map(({ name, description, input }) => ({ name, description, input }))),
    );
  }
  expect(lists[1]).toBe(lists[0]!);
});

test("the list of the last start is used before the server is there; the first call starts it [M01][A-EXT-03]", async () => {
  await using ws = await workspace();
  const config = fakeServer(ws, "fake");
  {
    await using open = openHub(ws, [config]);
    await open.hub.start("all");
  }
  await using open = openHub(ws, [config]);
  await open.hub.start("unknown");
  expect(open.declared()).toEqual(["fake__do"]);
  expect(open.processes.list()).toEqual([]);
  expect((await open.call("fake__do", { text: "awake" })).text).toBe("awake");
  const file = (await Array.fromAsync(new Bun.Glob("*.json").scan(`${ws.home}/.pi-go/cache/mcp`)))[0]!;
  expect(statSync(`${ws.home}/.pi-go/cache/mcp/${file}`).mode & 0o777).toBe(0o600);
});

test("what a server hides in a description is told at each start, also when its list is that of the last one [X06]", async () => {
  await using ws = await workspace();
  const hiding = { name: "odd", description: "harmless\u202e", inputSchema: { type: "object" } };
  const told: string[] = [];
  const guard = (source: string, text: string) => {
    if (!text.includes("\u202e")) return text;
    told.push(source);
    return text.replace("\u202e", "<U+202E>");
  };
  const config = fakeServer(ws, "fake", { tools: [hiding] });
  {
    await using open = openHub(ws, [config], { guard });
    await open.hub.start("all");
  }
  expect(told).toEqual(["MCP tool fake__odd"]);
  await using again = openHub(ws, [config], { guard });
  expect(again.declared()).toEqual(["fake__do", "fake__odd"]);
  expect(told).toEqual(["MCP tool fake__odd", "MCP tool fake__odd"]);
  expect(again.hub.tools[1]!.description).toBe("harmless<U+202E>");
});

test("what was made of a list by another version of the program is made anew [P17]", async () => {
  await using ws = await workspace();
  const config = fakeServer(ws, "fake");
  {
    await using open = openHub(ws, [config]);
    await open.hub.start("all");
  }
  const [file] = readdirSync(join(ws.home, ".pi-go", "cache", "mcp"));
  const path = join(ws.home, ".pi-go", "cache", "mcp", file!);
  const kept = JSON.parse(readFileSync(path, "utf8"));
  kept.tools[0].offer.description = "words of another version";
  writeFileSync(path, JSON.stringify(kept));
  const described = async (version: string) => {
    await using open = openHub(ws, [config], { version });
    open.declared();
    return open.hub.tools[0]!.description;
  };
  expect(await described("1.2.3")).toBe("words of another version");
  expect(await described("1.2.4")).toBe("Does what it is told");
});

test("a server gets its own variables and folder, and none of ours that is a key [X05][B08]", async () => {
  await using ws = await workspace();
  const config = fakeServer(ws, "fake");
  if (config.transport.kind !== "stdio") throw new Error("not a program");
  const transport = { ...config.transport, env: { MY_TOKEN: "for-you" } };
  await using open = openHub(ws, [{ ...config, transport }]);
  process.env["TEST_API_KEY"] = "sk-test-0123456789";
  await open.hub.start("all");
  const { text } = await open.call("fake__do", { what: "environment" });
  const environment = JSON.parse(text) as Record<string, string>;
  expect(environment).toMatchObject({ MY_TOKEN: "for-you", cwd: ws.path });
  expect(text).not.toContain("sk-test-0123456789");
  delete process.env["TEST_API_KEY"];
});

test("roots are the project, pings are answered, sampling is refused, log messages are kept [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const roots = JSON.parse((await open.call("fake__do", { what: "roots" })).text) as {
    roots: { uri: string }[];
  };
  expect(roots.roots.map(({ uri }) => uri)).toEqual([`file://${ws.path}`]);
  expect(JSON.parse((await open.call("fake__do", { what: "ping" })).text)).toMatchObject({ result: {} });
  expect(JSON.parse((await open.call("fake__do", { what: "sample" })).text)).toMatchObject({
    error: { code: -32601 },
  });
  await open.call("fake__do", { what: "log", text: "low on cheese" });
  await until(() => open.log("fake").includes("warning fake: low on cheese"));
});

test("images, links, resources and structured content become text and images; what is no text is named [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const content = [
    { type: "text", text: "one" },
    { type: "image", mimeType: "image/png", data: TINY_PNG },
    { type: "audio", mimeType: "audio/wav", data: "AAAA" },
    { type: "resource_link", uri: "file:///a", name: "a", mimeType: "text/plain" },
    { type: "resource", resource: { uri: "file:///b", text: "inside" } },
    { type: "resource", resource: { uri: "file:///c", blob: "AAAA", mimeType: "application/pdf" } },
    { type: "hologram" },
  ];
  const mixed = await open.call("fake__do", { what: "content", text: JSON.stringify({ content }) });
  expect(mixed.text.split("\n")).toEqual([
    "one",
    "[audio, audio/wav, 3 bytes: not shown]",
    "[resource a: file:///a (text/plain)]",
    "[file:///b]",
    "inside",
    "[file:///c]: application/pdf, 3 bytes, not text, so it is not shown",
    '[content of the kind "hologram": not shown]',
  ]);
  expect(mixed.images).toEqual([{ type: "image", mimeType: "image/png", data: TINY_PNG }]);
  const structured = await open.call("fake__do", {
    what: "content",
    text: JSON.stringify({ content: [], structuredContent: { degrees: 3 } }),
  });
  expect(structured).toMatchObject({ text: '{\n "degrees": 3\n}', details: { structured: { degrees: 3 } } });
  const nothing = await open.call("fake__do", { what: "content", text: JSON.stringify({ content: [] }) });
  expect(nothing).toMatchObject({ outcome: "empty", isError: false });
});

test("a tool that says it failed is a failed result with its words, one that the server refuses, too [M07]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  expect(await open.call("fake__do", { what: "fail" })).toMatchObject({
    outcome: "failed",
    isError: true,
    text: "no such thing",
  });
  const refused = await open.call("fake__do", { what: "refuse" });
  expect(refused.text).toBe('The MCP server "fake" refused the call: bad arguments');
});

test("a long result is cut in the middle, says where all of it is, and is there whole [M05][B06]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const { text, details } = await open.call("fake__do", { what: "big" });
  expect(text.length).toBeLessThan(51_000);
  expect(details["truncated"]).toBe(true);
  const [, file] = /all of it is in (\S+), read it with offset and limit/.exec(text)!;
  expect(readFileSync(file!, "utf8")).toBe("0123456789\n".repeat(30_000));
});

test("of a thousand images a model gets the first ten, and is told of the others [M05]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake")]);
  await open.hub.start("all");
  const { images, text } = await open.call("fake__do", { what: "images", text: TINY_PNG });
  expect(images).toHaveLength(10);
  expect(text).toContain("10 images are the most in one result");
});

test("a server that knows only the protocol of 2026-07-28 lends its tools, and they are called in it [A-EXT-03]", async () => {
  await using ws = await workspace();
  await using open = openHub(ws, [fakeServer(ws, "fake", { initialize: "modern" })]);
  await open.hub.start("all");
  expect(open.hub.find("fake")).toMatchObject({ state: "ready", problem: null });
  expect((await open.call("fake__do", { what: "say", text: "hi" })).text).toBe("hi");
  const [, call] = heard(ws, "fake").filter(({ method }) => method?.startsWith("tools/"));
  expect(JSON.stringify(call?.params?.["_meta"])).toContain("2026-07-28");
});
