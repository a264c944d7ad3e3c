/** Servers that want an authorisation: logging in, keeping and refreshing what was granted. */
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { systemClock } from "../../../platform/clock.ts";
import type { HttpSetting } from "../server-config.ts";
import { type OAuthServer, oauthServer } from "../test-support/oauth-server.ts";
import { address, type OpenHub, openHub } from "../test-support/open-hub.ts";
import { type LoginPorts, McpAuth } from "./mcp-auth.ts";
import { TokenStore } from "./token-store.ts";

/** Logs in as a person who says yes. */
async function login(open: OpenHub, service: OAuthServer, show?: LoginPorts["show"]): Promise<void> {
  await open.hub.login(open.hub.find("web")!, {
    signal: new AbortController().signal,
    show: show ?? ((url) => void service.browse(url)),
  });
}

function kept(ws: Workspace): string {
  return join(ws.home, ".pi-go", "mcp-auth");
}

test("a start never waits for a person: the server says that it needs a login, and how [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  await using open = openHub(ws, [address("web", service.url)]);
  await open.hub.start("all");
  expect(open.hub.find("web")!.state).toBe("login");
  expect(open.notices.map(({ message }) => message)).toEqual([
    'the MCP server "web" is not available: it wants an authorisation; /mcp login web in the terminal',
  ]);
  expect(service.registrations).toBe(0);
});

test("after a login the server is ready, and the next start needs none; the file is private [A-EXT-03][X05]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  const config = address("web", service.url);
  {
    await using open = openHub(ws, [config]);
    await open.hub.start("all");
    await login(open, service);
    expect((await open.call("web__t")).text).toBe("let in");
  }
  const [file] = readdirSync(kept(ws));
  expect(statSync(join(kept(ws), file!)).mode & 0o777).toBe(0o600);
  expect(statSync(kept(ws)).mode & 0o777).toBe(0o700);
  await using open = openHub(ws, [config]);
  await open.hub.start("all");
  expect(open.hub.find("web")!.state).toBe("ready");
});

test("what was granted for one address is not sent to another [X05]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  using other = oauthServer();
  {
    await using open = openHub(ws, [address("web", service.url)]);
    await login(open, service);
  }
  await using open = openHub(ws, [address("web", other.url)]);
  await open.hub.start("all");
  expect(open.hub.find("web")!.state).toBe("login");
});

test("only an answer with the right state counts; a false one is turned away and waited on [X05]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  await using open = openHub(ws, [address("web", service.url)]);
  let status = 0;
  await login(open, service, async (url) => {
    const callback = new URL(url).searchParams.get("redirect_uri")!;
    expect(callback).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    status = (await fetch(`${callback}?code=stolen&state=guessed`)).status;
    await service.browse(url);
  });
  expect(status).toBe(400);
  expect(open.hub.find("web")!.state).toBe("ready");
});

test("the address that the browser ended at can be typed in instead [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  await using open = openHub(ws, [address("web", service.url)]);
  const taken: boolean[] = [];
  await login(open, service, async (url, take) => {
    const { headers } = await fetch(url, { redirect: "manual" });
    taken.push(
      take("http://127.0.0.1:1/callback?code=x&state=y"),
      take("no address"),
      take(headers.get("location")!),
    );
  });
  expect(taken).toEqual([false, false, true]);
  expect(open.hub.find("web")!.state).toBe("ready");
});

test("a person who says no, or stops it, leaves everything as it was, and nothing listens any more [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  await using open = openHub(ws, [address("web", service.url)]);
  let callback = "";
  const refused = login(open, service, (url) => {
    callback = new URL(url).searchParams.get("redirect_uri")!;
    void service.browse(url, "no");
  });
  await expect(refused).rejects.toThrow("the service did not authorise pi (access_denied)");
  await expect(fetch(callback)).rejects.toThrow();
  const stop = new AbortController();
  const stopped = open.hub.login(open.hub.find("web")!, { signal: stop.signal, show: () => stop.abort() });
  await expect(stopped).rejects.toThrow();
  expect(open.hub.find("web")!.state).toBe("waiting");
});

test("a token that is no longer good is refreshed by one process only, however many meet it [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  const config = address("web", service.url);
  await using one = openHub(ws, [config]);
  await login(one, service);
  await using two = openHub(ws, [config]);
  await two.hub.start("all");
  service.revoke();
  const calls = await Promise.all([one, two, one, two].map((open) => open.call("web__t")));
  expect(calls.map(({ text }) => text)).toEqual(["let in", "let in", "let in", "let in"]);
  expect(service.refreshes).toBe(1);
});

test("a refusal that comes after another process has refreshed is of the token before: nothing is refreshed again [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  await using open = openHub(ws, [address("web", service.url)]);
  await login(open, service);
  const store = new TokenStore(join(kept(ws), "web.json"), service.url);
  const { transport: setting } = address("web", service.url);
  const late = new McpAuth({ setting: setting as HttpSetting, store, fetch, clock: systemClock });
  const headers = { authorization: `Bearer ${await late.token()}` };
  service.revoke();
  const response = await late.fetch(service.url, { method: "POST", headers });
  expect((await open.call("web__t")).text).toBe("let in");
  await late.onUnauthorized({ response, serverUrl: new URL(service.url), fetchFn: fetch });
  expect(service.refreshes).toBe(1);
});

test("a token that ends soon is refreshed before it is used [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  service.lifetime = 30;
  await using open = openHub(ws, [address("web", service.url)]);
  await login(open, service);
  expect(service.refreshes).toBeGreaterThan(0);
  expect((await open.call("web__t")).text).toBe("let in");
});

test("where nothing can be refreshed any more a call says that a login is needed [A-EXT-03]", async () => {
  await using ws = await workspace();
  using service = oauthServer();
  await using open = openHub(ws, [address("web", service.url)]);
  await login(open, service);
  service.revoke(true);
  const outcome = await open.call("web__t");
  expect(outcome).toMatchObject({ outcome: "not_looked", isError: true });
  expect(outcome.text).toContain("/mcp login web");
});
