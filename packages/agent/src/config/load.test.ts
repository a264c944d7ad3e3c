import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, workspace } from "@pi-ts/testkit";
import { loadFrom, said, userFile } from "./test-support/load-from.ts";

test("flags win over the environment, that over the project, that over the user, that over what is built in [A-CONF-01]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(
    ws,
    {
      user: `{"theme":"user","thinking":"low","editor":{"vim":true},"idle":{"firstByte":1,"between":2}}`,
      project: { theme: "project", thinking: "high", idle: { firstByte: 3 } },
    },
    { environment: { theme: "environment", thinking: "max" }, flags: { theme: "flags" } },
  );
  expect(loaded.config).toMatchObject({
    theme: "flags",
    thinking: "max",
    idle: { firstByte: 3, between: 2 },
    editor: { vim: true },
    lsp: { mode: "min", format: true, servers: {} },
  });
  expect(loaded.sources).toEqual({
    theme: "flags",
    thinking: "environment",
    "idle.firstByte": "project",
    "idle.between": "user",
    "editor.vim": "user",
  });
  expect(loaded.notices).toEqual([]);
});

test("without any file everything has its documented value [A-CONF-01]", async () => {
  await using ws = await workspace();
  const { config } = await loadFrom(ws);
  expect(config).toMatchObject({
    memory: { enabled: true, token_budget: 5000, max_pending: 100, lookback_hours: 168 },
    guardrail: { max_daily_tokens: 0 },
    retry: { maxDelay: 30 },
    idle: { firstByte: 300, between: 90 },
    subagent: { maxDepth: 1, maxPerSession: 50 },
    mcp: { servers: [], startupWait: 1 },
    sandbox: { network: true },
    permissions: { allow: [], ask: [], deny: [] },
  });
  expect(config.memory.excluded_tools).toEqual(["screen", "restart"]);
  expect(config.sandbox.tier).toBeUndefined();
});

test("pi-go's keys are read as they are written there [A-CONF-03][A-ROLE-01]", async () => {
  await using ws = await workspace();
  const { config, notices } = await loadFrom(ws, {
    user: JSON.stringify({
      roles: { default: { model: "claude-x", provider: "anthropic" }, smol: "haiku" },
      memory: { enabled: false, token_budget: 1, db_path: "~/m.db", privacy: { enabled: true } },
      hooks: [{ event: "before_tool", command: "true", tools: ["bash"], timeout: 5 }],
      mcp: {
        servers: [
          { name: "a", command: "x", args: ["1"] },
          { name: "b", url: "http://h/", headers: { k: "v" } },
        ],
      },
      guardrail: { max_daily_tokens: 7 },
      compactor: { enabled: false },
    }),
  });
  expect(notices).toEqual([]);
  expect(config.roles).toEqual({
    default: { model: "claude-x", provider: "anthropic" },
    smol: { model: "haiku" },
  });
  expect(config.memory).toMatchObject({ enabled: false, token_budget: 1, db_path: join(ws.home, "m.db") });
  expect(config.hooks).toMatchObject([
    {
      event: "before_tool",
      command: "true",
      tools: ["bash"],
      timeout: 5,
      source: join(ws.home, ".pi-go", "config.json"),
    },
  ]);
  expect(config.mcp.servers.map((server) => server.name)).toEqual(["a", "b"]);
  expect(config.guardrail.max_daily_tokens).toBe(7);
  expect(config.compactor.enabled).toBe(false);
});

test("a project that is not trusted sets nothing [X01]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(
    ws,
    { project: { theme: "evil", hooks: [{ event: "stop", command: "x" }] } },
    { trusted: false },
  );
  expect(loaded.config.theme).toBeUndefined();
  expect(loaded.config.hooks).toEqual([]);
});

test("an unknown key is named with the nearest known one, and the rest counts [A-CONF-01]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, { user: `{"thme":"a","memory":{"enabledd":true,"token_budget":9}}` });
  expect(said(loaded)).toContain(`unknown key "thme" is ignored; did you mean "theme"?`);
  expect(said(loaded)).toContain(`unknown key "memory.enabledd" is ignored; did you mean "enabled"?`);
  expect(loaded.config.memory.token_budget).toBe(9);
});

test("a wrong value is named with key, value and what is expected, and falls back alone [A-CONF-01]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, {
    user: JSON.stringify({
      guardrail: { max_daily_tokens: "many" },
      thinking: "loud",
      idle: { firstByte: 0, between: 5 },
      hooks: [{ event: "stop" }, { event: "stop", command: "ok" }],
      sandbox: { tier: "weak", network: false },
    }),
  });
  const text = said(loaded);
  expect(text).toContain(`"guardrail.max_daily_tokens" is "many", but must be a whole number of at least 0`);
  expect(text).toContain(`"thinking" is "loud", but must be one of "off"`);
  expect(text).toContain(`"idle.firstByte" is 0, but must be a number above 0`);
  expect(text).toContain(`hooks[0] is ignored: it needs "command"`);
  expect(text).toContain(`"sandbox.tier" is "weak"`);
  expect(loaded.config).toMatchObject({
    thinking: "medium",
    idle: { firstByte: 300, between: 5 },
    hooks: [{ event: "stop", command: "ok" }],
    sandbox: { network: false },
  });
});

test("a value that may be a secret is not shown when it is wrong [X05]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, {
    user: `{"providers":{"a":{"apiKey":["sk-canary"],"headers":{"x":{"y":"sk-canary"}}}}}`,
  });
  expect(said(loaded)).toContain(`"providers.a.apiKey" is an array`);
  expect(said(loaded)).not.toContain("sk-canary");
});

test("a broken file is named with line and column, kept byte for byte, and counts as empty [K01]", async () => {
  await using ws = await workspace();
  const broken = `{\r\n  "theme": "a",\r\n  "roles" {}\r\n}`;
  const loaded = await loadFrom(ws, { user: broken });
  expect(said(loaded)).toContain(`${userFile(ws)} is not used: colon expected at line 3:11`);
  expect(loaded.config.theme).toBeUndefined();
  expect(readFileSync(userFile(ws), "utf8")).toBe(broken);
});

test.each([
  ["a list", "[1]"],
  ["a text", `"x"`],
  ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
  ["NUL bytes", "{\0}"],
  ["a cut file", `{"theme": "a`],
])("a config file that is %s is named and not used [K01]", async (_, content) => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, { user: content });
  expect(loaded.notices).toHaveLength(1);
  expect(said(loaded)).toStartWith(`${userFile(ws)} is not used: `);
});

test.each([
  ["comments and trailing commas", `{ // one\n "theme": "a", /* two */ }`, "a"],
  ["a byte order mark", `\uFEFF{"theme":"a"}`, "a"],
  ["a byte order mark and comments", `\uFEFF{"theme":"a",}`, "a"],
  ["CRLF", `{\r\n// c\r\n"theme":"a"\r\n}\r\n`, "a"],
  ["nothing", "", undefined],
  ["blank lines", "\n \r\n", undefined],
  ["a comment alone", "// later", undefined],
])("a config file with %s is read without a notice [K01]", async (_, text, theme) => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, { user: text });
  expect(loaded.notices).toEqual([]);
  expect(loaded.config.theme).toBe(theme as string);
});

test("a config file behind a link is read, a folder in its place is named [K01]", async () => {
  await using ws = await workspace();
  writeFileSync(join(ws.home, "dotfile.json"), `{"theme":"linked"}`);
  mkdirSync(join(ws.home, ".pi-go"));
  symlinkSync(join(ws.home, "dotfile.json"), userFile(ws));
  expect((await loadFrom(ws)).config.theme).toBe("linked");
  ws.write(".pi-go/config.json/x", "");
  expect(said(await loadFrom(ws))).toContain("config.json is not used: it is not a file");
});

test("a config file that is a link to nothing is named: it does not pass for one that was never made [K01]", async () => {
  await using ws = await workspace();
  mkdirSync(join(ws.home, ".pi-go"));
  symlinkSync(join(ws.home, "gone.json"), userFile(ws));
  expect(said(await loadFrom(ws))).toContain(
    `config.json is not used: it is a link to ${join(ws.home, "gone.json")}, which does not exist`,
  );
});

test.if(process.platform !== "win32")(
  "a pipe in the place of a config file does not hold up the start [X01]",
  async () => {
    await using ws = await workspace({ ".pi-go/x": "" });
    await runProcess(["mkfifo", join(ws.path, ".pi-go/config.json")]);
    expect(said(await loadFrom(ws))).toContain("it is not a file");
  },
);

test("keys that pi-go used are understood or said to have no effect [A-CONF-03]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, {
    user: JSON.stringify({
      defaultModel: "gpt-x",
      defaultProvider: "openai",
      maxDailyTokens: 5,
      thinkingLevel: "none",
      extraHeaders: { a: "b" },
      baseURLs: { openai: "http://h/v1" },
      caCertPath: "/c.pem",
      insecureSkipTLS: true,
      memory: { max_pending_observations: 3, context_lookback_hours: 4, compression_model_role: "smol" },
      palace: {},
    }),
  });
  expect(loaded.config).toMatchObject({
    roles: { default: { model: "gpt-x", provider: "openai" } },
    guardrail: { max_daily_tokens: 5 },
    thinking: "off",
    headers: { a: "b" },
    providers: { openai: { baseUrl: "http://h/v1" } },
    caCert: "/c.pem",
    insecure: true,
    memory: { max_pending: 3, lookback_hours: 4 },
  });
  expect(said(loaded)).toContain(`"maxDailyTokens" is read as "guardrail.max_daily_tokens"`);
  expect(said(loaded)).toContain(`"palace" has no effect here`);
  expect(loaded.notices.every((notice) => notice.level === "info")).toBe(true);
});

test("a setting under its own name wins over pi-go's name for it [A-CONF-03]", async () => {
  await using ws = await workspace();
  const { config } = await loadFrom(ws, { user: `{"guardrail":{"max_daily_tokens":1},"maxDailyTokens":2}` });
  expect(config.guardrail.max_daily_tokens).toBe(1);
});

test("a key called __proto__ reaches no prototype [X01]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, {
    user: `{"maxDailyTokens":1,"__proto__":{"insecure":true},"providers":{"__proto__":{"baseUrl":"http://x"}}}`,
  });
  expect(loaded.config.insecure).toBe(false);
  expect(Object.keys(loaded.config.providers)).toEqual([]);
  expect(({} as Record<string, unknown>)["insecure"]).toBeUndefined();
  expect(said(loaded)).toContain(`unknown key "__proto__"`);
});

test("paths are relative to the folder of their file, and ~ is the user's home [A-CONF-01]", async () => {
  await using ws = await workspace();
  const { config } = await loadFrom(ws, {
    user: `{"extensions":["~/a.ts","b.ts"]}`,
    project: { extensions: ["./c.ts"] },
  });
  expect(config.extensions).toEqual([
    join(ws.home, "a.ts"),
    join(ws.home, ".pi-go/b.ts"),
    join(ws.path, ".pi-go/c.ts"),
  ]);
});

test("a key that stands there twice is named, since only its last place counts [K01]", async () => {
  await using ws = await workspace();
  const loaded = await loadFrom(ws, {
    user: '{\n  "permissions": { "deny": ["bash"] },\n  "permissions": {}\n}',
  });
  expect(said(loaded)).toContain(
    '"permissions" stands there twice, again at line 3:3, and only the last one counts',
  );
});
