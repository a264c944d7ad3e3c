/** Logging in, being logged in and logging out, with the built program, a browser of its own and a service with tokens. */
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { call, leftovers, modelServer, oauthService, say, workspace } from "@pi-ts/testkit";
import { ACME, credentials, credentialsFile, describeAcme, run, withBrowser } from "./support/login.ts";
import { builtPi } from "./support/pi.ts";
import { filesBelow, stateFolder } from "./support/state.ts";

const PROMPT = ["-p", "--model", ACME, "hello"];

test("a login in the browser is used by later runs, renewed once after a 401, and ended by a logout [A-AUTH-01][A-AUTH-04][U01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  server.otherwise(() => [say("hello yourself")]);
  const entrance = [builtPi()];
  const login = await run(ws, ["login", "acme"], { entrance, env: withBrowser(ws) });
  expect(login).toMatchObject({ code: 0 });
  expect(login.stdout).toMatch(/^Logged in to acme as ann@example\.com, until .* UTC, renewed by itself\.\n/);
  expect(login.stderr).toContain("A browser opens to authorise pi with acme:");
  expect(statSync(credentialsFile(ws)).mode & 0o777).toBe(0o600);

  expect(await run(ws, PROMPT, { entrance })).toMatchObject({ code: 0, stdout: "hello yourself\n" });
  expect(service.refreshes).toBe(0);
  const old = credentials(ws)!.secrets!;
  service.revoke();
  expect(await run(ws, PROMPT, { entrance })).toMatchObject({ code: 0, stdout: "hello yourself\n" });
  expect([service.refreshes, service.shown.length]).toEqual([1, 3]);
  const fresh = credentials(ws)!.secrets!;
  expect(fresh.refreshToken).not.toBe(old.refreshToken);

  const status = await run(ws, ["login", "--status", "--json"], { entrance });
  expect(JSON.parse(status.stdout).logins).toEqual([
    expect.objectContaining({ provider: "acme", kind: "oauth", account: "ann@example.com", renews: true }),
  ]);
  const doctor = await run(ws, ["doctor"], { entrance });
  expect(doctor.stdout).toMatch(/ok +login +acme: as ann@example\.com, until/);

  const logout = await run(ws, ["logout", "acme"], { entrance });
  expect(logout).toMatchObject({ code: 0, stdout: "The login to acme is removed from this machine.\n" });
  expect(service.revoked).toEqual([fresh.refreshToken]);
  expect(credentials(ws)).toBeNull();
  const after = await run(ws, PROMPT, { entrance });
  expect([after.code, service.shown.at(-1)]).toEqual([1, ""]);
  expect(after.stderr).toContain("pi login acme");
  expect(leftovers(ws.marker)).toEqual([]);
});

test("no token lands anywhere but in its file, and no tool of a run gets at it [X04][X05][B08]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  const { accessToken, refreshToken } = credentials(ws)!.secrets!;
  const file = credentialsFile(ws);
  server.reply(
    call("read", { file_path: ".pi-go/login/acme/credentials.json" }),
    call("grep", { pattern: "access-token", path: ".pi-go" }),
    call("bash", { command: `env; cat ${file}` }),
  );
  server.reply(say("done"));
  // In the home folder the file is one of the project's own.
  const result = await run(ws, [...PROMPT.slice(0, 3), "go"], { cwd: ws.home });
  expect(result.code).toBe(0);
  const confined = (await run(ws, ["doctor"])).stdout.includes("bash is confined");
  const [read, grep, bash] = server.requests.at(-1)!.results;
  const seen = [read, grep, ...(confined ? [bash] : [])].map((each) => each?.text ?? "").join("\n");
  expect(seen).not.toBe("");
  for (const token of [accessToken, refreshToken]) {
    expect(seen).not.toContain(token);
    const holding = filesBelow(ws.home).filter((path) => readFileSync(path, "utf8").includes(token));
    expect(holding.map((path) => path.replace(`${ws.home}/`, ""))).toEqual([
      ".pi-go/login/acme/credentials.json",
    ]);
  }
});

test("six runs that meet one expired token make one renewal [A-AUTH-01][K01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  server.otherwise(() => [say("hello yourself")]);
  await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  service.revoke();
  const ends = await Promise.all(Array.from({ length: 6 }, () => run(ws, PROMPT)));
  expect(ends.map(({ stdout }) => stdout)).toEqual(Array(6).fill("hello yourself\n"));
  expect([service.refreshes, service.refusedRefreshes]).toEqual([1, 0]);
});

test("a subagent uses its parent's login, and what one renews reaches the other [A-SUB-03][A-AUTH-01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  const isTask = (text: string) => text.includes("FIND it");
  server.when(({ userTexts }) => userTexts.some(isTask)).reply(say("it is here"));
  server
    .when(({ results }) => results.length === 0)
    .reply(call("agent", { agent: "explore", task: "FIND it" }));
  server.otherwise(({ results }) => [say(results.map(({ text }) => text).join("\n"))]);
  // Each token is good for one request only: parent, subagent and parent again need one each.
  service.uses = 1;
  const result = await run(ws, [...PROMPT.slice(0, 3), "go"]);
  expect(result.stdout).toContain("it is here");
  expect([service.refreshes, service.refusedRefreshes, server.requests.length]).toEqual([2, 0, 3]);
});

test("a login that the service has ended says so, and what to do; it is not tried again and again [U03]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  service.revoke(true);
  for (const _ of [1, 2]) {
    const { code, stderr } = await run(ws, PROMPT);
    expect(code).toBe(1);
    expect(stderr).toContain("the login to acme has ended: acme refused a fresh token: invalid_grant");
    expect(stderr).toContain("pi login acme");
  }
  expect(service.refusedRefreshes).toBe(1);
  const status = await run(ws, ["login", "--status"]);
  expect([status.code, status.stdout]).toEqual([1, expect.stringContaining("ended:")]);
});

test("a person who says no is told so; nothing is kept and nothing runs on [U01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  service.answer = "no";
  const { code, stderr } = await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  expect([code, credentials(ws)]).toEqual([1, null]);
  expect(stderr).toContain("error: the service did not authorise pi (access_denied: The person said no.)");
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a code is shown where no browser is, and the login waits for it [A-AUTH-02][U01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server, { flow: "browser" });
  service.device = ["pending", "yes"];
  service.interval = 0.01;
  const { code, stderr, stdout } = await run(ws, ["login", "acme"], { env: { SSH_CONNECTION: "1 2 3 4" } });
  expect(stderr).toContain(`open ${service.url}/activate on any device and type in the code WDJB-MJHT`);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Logged in to acme")]);
});

test("a key from stdin is checked with its service and kept for later runs, beside what is in the file already [A-AUTH-04][U03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const file = join(stateFolder(ws), ".env");
  ws.write(file, "# mine\nOTHER_TOKEN=x # keep\n");
  const key = "sk-or-v1-0123456789abcdef";
  const env = { OPENROUTER_BASE_URL: server.baseUrl("openai-chat") };
  const login = await run(ws, ["login", "openrouter", "--key-stdin"], {
    stdin: `${key}\n`,
    env,
  });
  expect(login).toMatchObject({ code: 0, stderr: "" });
  expect(login.stdout).toBe(`The key for openrouter is kept in OPENROUTER_API_KEY in ${file}.\n`);
  expect(readFileSync(file, "utf8")).toBe(`# mine\nOTHER_TOKEN=x # keep\nOPENROUTER_API_KEY=${key}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  server.reply(say("hello yourself"));
  const used = await run(ws, ["-p", "--model", "openrouter/test-model", "hello"], { env });
  expect(used.stdout).toBe("hello yourself\n");
  expect(server.request(1).headers["authorization"]).toBe(`Bearer ${key}`);
  const logout = await run(ws, ["logout"], { env });
  expect(logout.stdout).toBe(`OPENROUTER_API_KEY is taken out of ${file}.\n`);
  expect(readFileSync(file, "utf8")).toBe("# mine\nOTHER_TOKEN=x # keep\n");
});

test("a key that the service refuses, or that is another's, is not kept [A-AUTH-04][U03]", async () => {
  await using service = await oauthService();
  await using ws = await workspace();
  const env = { OPENAI_BASE_URL: service.api };
  const refused = await run(ws, ["login", "openai", "--key-stdin"], {
    stdin: "sk-proj-0123456789",
    env,
  });
  expect([refused.code, refused.stdout]).toEqual([4, ""]);
  expect(refused.stderr).toMatch(/the key was not kept: openai answered 401/);
  expect(refused.stderr).not.toContain("sk-proj-0123456789");
  const other = await run(ws, ["login", "gemini", "--key-stdin"], {
    stdin: "sk-ant-0123456789",
  });
  expect(other.stderr).toContain("looks like a key of anthropic");
  expect(ws.exists(join(stateFolder(ws), ".env"))).toBe(false);
});

test("bytes on stdin that are no key are refused without the advice to put them into the project [A-AUTH-04][X05]", async () => {
  await using ws = await workspace();
  const result = await run(ws, ["login", "openai", "--key-stdin"], { stdin: new Uint8Array([107, 0, 101]) });
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toContain("what came on stdin is no key: stdin holds binary data (3 bytes)");
  expect(result.stderr).not.toContain("project");
});

test.each([
  ["a code on another device", ["--device"]],
  ["a key on stdin", ["--key-stdin"]],
])("a login that --timeout ends while it waits for %s exits with 124 and says so [H03]", async (_, way) => {
  await using service = await oauthService();
  await using server = await modelServer();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  service.device = Array(50).fill("pending");
  const argv = ["login", "acme", ...way, "--timeout", "0.3"];
  const { code, stderr } = await run(ws, argv, { stdin: "", input: "open" });
  expect([code, stderr]).toEqual([124, expect.stringContaining("the time of --timeout is over")]);
});

test("a variable of the environment wins over a login, and a login says so [U03]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  const env = { ...withBrowser(ws), ACME_API_KEY: "key-of-the-environment" };
  const login = await run(ws, ["login", "acme"], { env });
  expect(login.stdout).toContain("ACME_API_KEY in the environment wins over it in this shell.");
  expect((await run(ws, PROMPT, { env })).code).toBe(1);
  expect(service.shown.at(-1)).toBe("");
});

test("a token is sent to the place that it is for, and to none that --url names [X01][X05]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using other = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  const { code } = await run(ws, ["--url", other.api, ...PROMPT]);
  expect([code, other.shown]).toEqual([1, [""]]);
});

test("without a terminal and without a name the providers are named, and OAuth without a client says what to set [U03]", async () => {
  await using ws = await workspace();
  const nobody = await run(ws, ["login"]);
  expect([nobody.code, nobody.stdout]).toEqual([1, expect.stringContaining("One of: anthropic, openai,")]);
  const { stdout } = await run(ws, ["login", "anthropic", "--browser"]);
  expect(stdout).toContain("set oauth.anthropic.clientId in your config file");
});

test("a project can set nothing about logins, trusted or not [X01]", async () => {
  await using service = await oauthService();
  await using ws = await workspace();
  ws.write(".pi-go/config.json", JSON.stringify({ oauth: { acme: { issuer: service.url, clientId: "x" } } }));
  const { stdout, stderr } = await run(ws, ["login", "acme", "--trust"]);
  expect(`${stdout}${stderr}`).toContain('There is no provider "acme".');
});
