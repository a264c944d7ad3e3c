/** Logging in and out in a terminal: within the program, and with the sub-command. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer, oauthService, say, startTerminal, type Workspace, workspace } from "@pi-ts/testkit";
import { ACME, credentials, describeAcme, withBrowser } from "../support/login.ts";
import { anyPi } from "../support/pi.ts";
import { stateFolder } from "../support/state.ts";
import { isReady, openPi, send, talk } from "./support.ts";

const KEY = "sk-or-v1-0123456789abcdef";

function environmentFile(ws: Workspace): string {
  const file = join(stateFolder(ws), ".env");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

test("/login asks for a key, shows dots, and the running program goes on with it; /logout takes it out again [A-AUTH-04][U03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("hello yourself")]);
  const env = { OPENROUTER_BASE_URL: server.baseUrl("openai-chat") };
  await using program = await openPi(ws, undefined, { env, until: "frame", cols: 120 });
  await program.waitFor("no API key is set");
  send(program, "/login");
  await program.waitFor("Log in to");
  program.type("OpenRouter");
  program.press("enter");
  await program.waitFor("API key for OpenRouter (OPENROUTER_API_KEY");
  program.type(KEY);
  await program.waitFor(/[•*●]{10}/);
  expect(program.screen().join("\n")).not.toContain(KEY);
  program.press("enter");
  await program.waitFor("The key for OpenRouter is kept in OPENROUTER_API_KEY");
  await program.waitFor("Requests go to openrouter/openrouter/auto with it from now on.");
  await program.waitFor(isReady);
  await talk(program, "hello", "hello yourself");
  expect(server.request(1).headers["authorization"]).toBe(`Bearer ${KEY}`);
  expect(environmentFile(ws)).toBe(`OPENROUTER_API_KEY=${KEY}\n`);
  send(program, "/logout openrouter");
  await program.waitFor("OPENROUTER_API_KEY is taken out of");
  expect(environmentFile(ws)).toBe("");
});

test("/logout ends a login by OAuth at the service, and the next request says how to log in again [A-AUTH-04]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  server.otherwise(() => [say("hello yourself")]);
  const args = ["--model", ACME];
  await using program = await openPi(ws, undefined, {
    args,
    env: withBrowser(ws),
    until: "frame",
    cols: 120,
  });
  send(program, "/login acme browser");
  await program.waitFor("Logged in to acme as ann@example.com");
  await talk(program, "hello", "hello yourself");
  expect(service.shown.length).toBe(1);
  send(program, "/login status");
  await program.waitFor(/acme +as ann@example\.com, until/);
  const { refreshToken } = credentials(ws)!.secrets!;
  send(program, "/logout acme");
  await program.waitFor("The login to acme is removed from this machine.");
  await program.waitFor(/Requests to acme\/\S+ carry no key from now on\./);
  expect([service.revoked, credentials(ws)]).toEqual([[refreshToken], null]);
  send(program, "again");
  await program.waitFor("pi login acme");
});

test("/login over SSH shows the address and takes what the browser ended at; Esc changes nothing [U01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace();
  describeAcme(ws, service, server);
  const args = ["--model", ACME];
  const env = { SSH_CONNECTION: "1 2 3 4" };
  await using program = await openPi(ws, undefined, { args, env, until: "frame", cols: 400 });
  send(program, "/login acme browser");
  await program.waitFor(/Open this address in a browser[\s\S]*paste the address that it ended at/);
  program.press("escape");
  await program.waitFor("Nothing was changed.");
  send(program, "/login acme browser");
  await program.waitFor(
    (shown) =>
      (
        shown
          .screen()
          .join("")
          .match(/\/authorize\?\S+/g) ?? []
      ).length === 2,
  );
  const url = program
    .screen()
    .join("")
    .match(/http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+/g)!
    .at(-1)!;
  program.type(await service.endOf(url));
  program.press("enter");
  await program.waitFor("Logged in to acme");
  expect(credentials(ws)?.secrets).toBeDefined();
});

test("/login never repeats what stands behind its words, and keeps no key out of a prompt [X05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, `/login openrouter ${KEY}`);
  await program.waitFor("A key is asked for, and never typed into the prompt.");
  expect(environmentFile(ws)).toBe("");
});

test("pi login in a terminal asks for provider and key, shows dots, and leaves the terminal as it was [A-AUTH-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const env = ws.env({ OPENROUTER_BASE_URL: server.baseUrl("openai-chat") });
  await using program = startTerminal([...anyPi(), "login"], { cwd: ws.path, env, cols: 140, rows: 40 });
  await program.waitFor(/ {2}\d+ {2}OpenRouter/);
  const number = /(\d+) {2}OpenRouter/.exec(program.screen().join("\n"))![1]!;
  await program.waitFor(/1 to \d+:/);
  program.type(number);
  program.press("enter");
  await program.waitFor("API key for OpenRouter");
  program.type(`${KEY}x`);
  program.press("backspace");
  await program.waitFor("•".repeat(KEY.length));
  program.press("enter");
  expect((await program.exited).code).toBe(0);
  expect(program.screen().join("\n")).not.toContain(KEY.slice(0, 12));
  expect(environmentFile(ws)).toBe(`OPENROUTER_API_KEY=${KEY}\n`);
});

test("Ctrl+C at the question for a key ends pi login with 130 and keeps nothing [U01]", async () => {
  await using ws = await workspace();
  await using program = startTerminal([...anyPi(), "login", "openrouter"], { cwd: ws.path, env: ws.env() });
  await program.waitFor("API key for OpenRouter");
  program.press("ctrl+c");
  expect((await program.exited).code).toBe(130);
  expect(environmentFile(ws)).toBe("");
});
