/** Logging in with the browser, against a service with every fault. */
import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { oauthService, workspace } from "@pi-ts/testkit";
import { isFree, PROVIDER, portOf, settingOf, startLogin } from "../test-support/login-bench.ts";

test("a login in the browser keeps a token, proven by PKCE, and closes its port [A-AUTH-01][U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { end, screen, store } = startLogin(ws, service);
  const record = await end;
  expect(record).toMatchObject({ provider: PROVIDER, account: "ann@example.com", keptIn: "file" });
  expect(record.use).toEqual({ origin: service.url, header: "Authorization", scheme: "Bearer" });
  const secrets = await store.secrets(record);
  expect(service.isGood(secrets!.accessToken)).toBe(true);
  const question = screen.browsers[0]!;
  const asked = new URL(question.url).searchParams;
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(asked.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(asked.get("scope")).toBe("models");
  expect(isFree(portOf(question))).toBe(true);
});

test("an answer with a wrong state is turned away and waited on; the right one still counts [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  let status = 0;
  const { end } = startLogin(ws, service, {
    async act({ url }) {
      service.answer = "wrong_state";
      status = (await service.browse(url)).status;
      service.answer = "yes";
      await service.browse(url);
    },
  });
  expect((await end).provider).toBe(PROVIDER);
  expect(status).toBe(400);
});

test.each([
  ["no", /did not authorise pi \(access_denied: The person said no\.\)/],
  ["wrong_issuer", /the answer of acme .*"iss"/],
  ["no_issuer", /the answer of acme .*"iss"/],
] as const)(
  "an answer %s ends the login with its reason, keeps nothing and closes the port [U01]",
  async (answer, message) => {
    await using ws = await workspace();
    await using service = await oauthService();
    service.answer = answer;
    const { end, screen, store } = startLogin(ws, service);
    await expect(end).rejects.toThrow(message);
    expect(store.list()).toEqual([]);
    expect(isFree(portOf(screen.browsers[0]!))).toBe(true);
  },
);

test("where only addresses are set, an issuer of another place is refused, and one of the same is believed [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const setting = {
    clientId: "pi-test",
    authorizeUrl: `${service.url}/authorize`,
    tokenUrl: `${service.url}/token`,
  };
  service.answer = "wrong_issuer";
  await expect(startLogin(ws, service, { setting }).end).rejects.toThrow('"iss"');
  service.answer = "yes";
  expect((await startLogin(ws, service, { setting }).end).client.tokenUrl).toBe(setting.tokenUrl);
});

test.each([
  ["cut", /could not be reached for the tokens/],
  ["broken", /refused the tokens: status 500/],
  ["page", /the answer of acme to the tokens cannot be used/],
  ["no_token", /the answer of acme to the tokens cannot be used/],
  ["invalid_client", /refused the tokens: invalid_client: Who are you\?/],
  ["odd_token", /a token that cannot be sent in a header/],
] as const)("a token address that is %s ends the login with that reason [U01]", async (fault, message) => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.fault = fault;
  const { end, screen, store } = startLogin(ws, service);
  await expect(end).rejects.toThrow(message);
  expect(store.list()).toEqual([]);
  expect(isFree(portOf(screen.browsers[0]!))).toBe(true);
});

test("a token address that never answers ends the login after fifteen seconds of its clock [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.fault = "hang";
  const { end, clock, screen } = startLogin(ws, service);
  await clock.sleeping(300_000);
  while (service.contentTypes.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.sleeping(15_000);
  clock.advance(15_000);
  await expect(end).rejects.toThrow("acme did not answer within 15 s to the request for the tokens");
  expect(isFree(portOf(screen.browsers[0]!))).toBe(true);
});

test("a person who went away ends the login after five minutes, and one who presses Esc at once; no port stays open [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const away = startLogin(ws, service, { act: () => undefined });
  await away.clock.sleeping(300_000);
  away.clock.advance(300_000);
  await expect(away.end).rejects.toThrow("nobody authorised pi with acme within 5 minutes");
  const stop = new AbortController();
  const stopped = startLogin(ws, service, { act: () => stop.abort(), signal: stop.signal });
  await expect(stopped.end).rejects.toThrow("the login was stopped");
  for (const { screen } of [away, stopped]) expect(isFree(portOf(screen.browsers[0]!))).toBe(true);
});

test("the address that the browser ended at, its query, or the code alone can be pasted instead [U01]", async () => {
  for (const form of ["address", "query", "code", "code#state"]) {
    await using ws = await workspace();
    await using service = await oauthService();
    const taken: boolean[] = [];
    const { end } = startLogin(ws, service, {
      async act({ url, take }) {
        const at = new URL(await service.endOf(url));
        const { searchParams } = at;
        const code = searchParams.get("code")!;
        const text = {
          address: at.href,
          query: at.search,
          code,
          "code#state": `${code}#${searchParams.get("state")}`,
        }[form]!;
        taken.push(
          take("what do you want"),
          take("http://127.0.0.1:1/callback?code=x&state=y"),
          take(` ${text}\n`),
        );
      },
    });
    expect((await end).provider).toBe(PROVIDER);
    expect(taken).toEqual([false, false, true]);
  }
});

test("a service with a page of its own for the code needs no port [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const setting = {
    clientId: "pi-test",
    authorizeUrl: `${service.url}/authorize`,
    tokenUrl: `${service.url}/token`,
    redirectUrl: "https://console.example/code",
  };
  const { end, screen } = startLogin(ws, service, {
    setting,
    act: async ({ url, take }) => take(new URL(await service.endOf(url)).searchParams.get("code")!),
  });
  expect((await end).provider).toBe(PROVIDER);
  expect(screen.browsers[0]!.pasteOnly).toBe("the service shows a code on a page of its own");
});

test("a fixed port that another program has leaves the paste, and says which port [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const other = createServer().listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const { end, screen } = startLogin(ws, service, {
      setting: settingOf(service, { redirectPort: port }),
      act: async ({ url, take }) => take(await service.endOf(url)),
    });
    await end;
    expect(screen.browsers[0]!.pasteOnly).toContain(`port ${port}`);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});

test("a way back by name is listened to on IPv4 and IPv6, where the machine has it [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
  const { port } = probe;
  await probe.stop(true);
  const redirectUrl = `http://localhost:${port}/auth/callback`;
  const { end } = startLogin(ws, service, {
    setting: settingOf(service, { redirectUrl }),
    async act({ url }) {
      const at = new URL(await service.endOf(url));
      expect(at.href).toStartWith(redirectUrl);
      at.hostname = isFree(0, "::1") ? "[::1]" : "127.0.0.1";
      expect(await (await fetch(at)).text()).toContain("Authorised.");
    },
  });
  await end;
  expect([isFree(port!), isFree(port!, isFree(0, "::1") ? "::1" : "127.0.0.1")]).toEqual([true, true]);
});

test("parameters of the configuration go along, and a service that reads JSON is sent JSON [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const setting = {
    clientId: "pi-test",
    authorizeUrl: `${service.url}/authorize`,
    tokenUrl: `${service.url}/token`,
    parameters: { access_type: "offline" },
    tokenFormat: "json" as const,
  };
  const { end, screen } = startLogin(ws, service, { setting });
  await end;
  expect(new URL(screen.browsers[0]!.url).searchParams.get("access_type")).toBe("offline");
  expect(service.contentTypes).toEqual(["application/json"]);
});

test("metadata that are another service's are refused before anyone is sent out [U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.issuer = "https://other.example";
  const { end, screen } = startLogin(ws, service);
  await expect(end).rejects.toThrow("the answer of acme to its addresses cannot be used");
  expect(screen.browsers).toEqual([]);
});
