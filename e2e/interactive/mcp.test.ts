/** MCP servers in the terminal. */
import { expect, test } from "bun:test";
import { call, leftovers, modelServer, say, workspace } from "@pi-ts/testkit";
import { oauthServer } from "../../packages/agent/src/extension/mcp/test-support/oauth-server.ts";
import { fakeEntry, userConfig, userServers } from "../support/mcp.ts";
import { draftIs, idle, leave, openPi, send, talk } from "./support.ts";

test("/mcp lists servers with their state, tools, tokens, and what is wrong with its log; /mcp restart starts one anew [A-TUI-02][A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, {
    good: fakeEntry(),
    bad: fakeEntry({ initialize: "die", stderr: "no database" }),
    later: { ...fakeEntry(), disabled: true },
  });
  await using program = await openPi(ws, server);
  await program.waitFor(/the MCP server "bad" is not available: it ended[\s\S]*no database/);
  send(program, "/mcp");
  await program.waitFor(/good +ready +1 tool +\d+[\s\S]*not available[\s\S]*no database/);
  expect(program.screen().join("\n")).toMatch(/bad +failed/);
  expect(program.screen().join("\n")).toMatch(/later +off/);
  send(program, "/mcp restart goood");
  await program.waitFor('There is no MCP server "goood".');
  send(program, "/mcp restart good");
  await program.waitFor("good is ready: 1 tool.");
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("the first frame and the first prompt wait for no server; its tools come with a later prompt, with a notice [M01][A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { slow: fakeEntry({ listWhen: ws.at("go") }) });
  server.otherwise(() => [say("answered it")]);
  await using program = await openPi(ws, server);
  await talk(program, "hello", "answered it");
  expect(server.request(1).tools.map(({ name }) => name)).not.toContain("slow__do");
  ws.write("go", "");
  send(program, "/mcp");
  await program.waitFor(/slow +(ready|starting)/);
  for (let request = 2; ; request++) {
    send(program, `once more ${request}`);
    await program.waitFor(() => server.requests.length === request);
    await idle(program);
    if (server.request(request).tools.some(({ name }) => name === "slow__do")) break;
  }
  await program.waitFor("tools of MCP servers: new: slow__do");
  const [first, last] = [server.request(1), server.request(server.requests.length)];
  const before = JSON.stringify(first.field("tools"));
  expect(JSON.stringify(last.field("tools")).slice(0, 1_000)).toBe(before.slice(0, 1_000));
});

test("/mcp disable takes a server's tools away for this session, /mcp enable brings them back [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { one: fakeEntry() });
  server.otherwise(() => [say("answered it")]);
  await using program = await openPi(ws, server);
  const tools = async (prompt: string) => {
    const request = server.requests.length + 1;
    send(program, prompt);
    await program.waitFor(() => server.requests.length === request);
    await idle(program);
    return server.request(request).tools.map(({ name }) => name);
  };
  send(program, "/mcp restart one");
  await program.waitFor("one is ready");
  expect(await tools("first")).toContain("one__do");
  send(program, "/mcp disable one");
  await program.waitFor("one is off for this session");
  expect(await tools("second")).not.toContain("one__do");
  send(program, "/mcp enable one");
  await program.waitFor(/\/mcp enable one\s+one is ready: 1 tool\. New ones/);
  expect(await tools("third")).toContain("one__do");
});

test("/mcp reload takes what was written into the file since, and lets the others go on [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { one: fakeEntry() });
  await using program = await openPi(ws, server);
  userServers(ws, { one: fakeEntry(), two: fakeEntry() });
  send(program, "/mcp reload");
  await program.waitFor(/one +ready[\s\S]*two +ready/);
  userServers(ws, {});
  send(program, "/mcp reload");
  await program.waitFor("There are no MCP servers yet.");
});

test("a server's question is asked in the terminal, and its answer goes back [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  userServers(ws, { asker: fakeEntry() });
  const form = {
    message: "Which city?",
    requestedSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  };
  server.reply(call("asker__do", { what: "elicit", text: JSON.stringify(form) }));
  server.reply(say("thanks"));
  await using program = await openPi(ws, server);
  send(program, "/mcp restart asker");
  await program.waitFor("asker is ready");
  send(program, "go");
  await program.waitFor(/The MCP server asker asks[\s\S]*Which city\?[\s\S]*It wants to know: city/);
  // The question drops keys at first, so that nobody answers it by typing: a key without further effect is repeated.
  const again = setInterval(() => program.press("end"), 50);
  await program.waitFor("› Decline").finally(() => clearInterval(again));
  program.press("up");
  await program.waitFor("› Answer");
  program.press("enter");
  await program.waitFor("─ city ─");
  program.type("Bergen");
  program.press("enter");
  await program.waitFor("thanks");
  expect(server.request(2).results[0]?.text).toBe('{"action":"accept","content":{"city":"Bergen"}}');
});

test("prompts of a server stand in the menu, complete their arguments, and are sent with them [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const prompts = [
    { name: "review", description: "Review a file", arguments: [{ name: "file", required: true }] },
  ];
  userServers(ws, { fake: fakeEntry({ prompts }) });
  server.otherwise(() => [say("answered it")]);
  await using program = await openPi(ws, server);
  send(program, "/mcp restart fake");
  await program.waitFor("fake is ready: 1 tool, 1 prompt.");
  program.type("/fake:rev");
  await program.waitFor("Review a file (MCP server fake)");
  program.press("escape", "ctrl+c");
  await draftIs(program, "");
  send(program, "/fake:review");
  await program.waitFor("/fake:review needs file");
  await talk(program, "/fake:review a.ts", "answered it");
  expect(server.request(1).text).toContain(
    'Prompt {\\"name\\":\\"review\\",\\"arguments\\":{\\"file\\":\\"a.ts\\"}}',
  );
});

test("/mcp login shows where to authorise, and the server is ready when the browser is back [A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  using service = oauthServer();
  userServers(ws, { web: { url: service.url } });
  userConfig(ws, {});
  await using program = await openPi(ws, server, { cols: 400 });
  await program.waitFor("/mcp login web in the terminal");
  send(program, "/mcp login web");
  await program.waitFor(/open this address in a browser to authorise web[\s\S]*Authorise pi in the browser/);
  const shown = program.screen().join("");
  const url = /http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/.exec(shown)![0];
  await service.browse(url);
  await program.waitFor("web is ready: 1 tool.");
});

test("the status line counts the servers; /context names what each costs in a request, and leaves out what is only found by search [A-TUI-02][A-EXT-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const told = (name: string) => ({
    name,
    description: "Does one thing of many ".repeat(60),
    inputSchema: { type: "object" },
  });
  const many = Array.from({ length: 30 }, (_, index) => told(`tool_${index}`));
  userServers(ws, {
    few: fakeEntry({ tools: [told("one"), told("other")] }),
    many: fakeEntry({ tools: many, listWhen: ws.at("go") }),
    bad: fakeEntry({ initialize: "die" }),
  });
  userConfig(ws, { mcp: { toolBudget: 2_000 } });
  server.otherwise(() => [say("answered it")]);
  await using program = await openPi(ws, server, { cols: 160, rows: 60 });
  await program.waitFor("mcp 1/3 1 failed");
  await talk(program, "hello", "answered it");
  ws.write("go", "");
  await program.waitFor("mcp 2/3 1 failed");
  send(program, "again");
  await program.waitFor(() => server.requests.length === 2);
  await idle(program);
  const declared = server.request(2).tools.map(({ name }) => name);
  expect([declared.includes("few__one"), declared.includes("many__tool_1")]).toEqual([true, false]);
  send(program, "/context");
  await program.waitFor(`tool definitions (${declared.length})`);
  const shown = program.screen().join("\n");
  expect([shown.includes("MCP server few"), shown.includes("MCP server many")]).toEqual([true, false]);
  send(program, "/mcp disable many");
  await program.waitFor("mcp 1/2 1 failed");
});
