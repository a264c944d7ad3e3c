/** Logging in with a code that is typed in elsewhere, against a service with every fault. */
import { expect, test } from "bun:test";
import { type DeviceAnswer, oauthService, workspace } from "@pi-ts/testkit";
import { PROVIDER, startLogin } from "../test-support/login-bench.ts";

/** Runs a device login to its end; `waits` are the seconds between its questions. */
async function deviceLogin(answers: DeviceAnswer[], waits: readonly number[], interval = 1) {
  await using ws = await workspace();
  await using service = await oauthService();
  service.device = answers;
  service.interval = interval;
  const login = startLogin(ws, service, { flow: "device" });
  for (const seconds of waits) {
    await login.clock.sleeping(seconds * 1_000);
    login.clock.advance(seconds * 1_000);
  }
  const outcome = await login.end.then(
    (record) => ({ provider: record.provider, message: "" }),
    (thrown: Error) => ({ provider: "", message: thrown.message }),
  );
  return { ...outcome, screen: login.screen, kept: login.store.list() };
}

test("the code and its page are shown, and the token is kept when the person has typed it in [A-AUTH-02][U01]", async () => {
  const { provider, screen, kept } = await deviceLogin(["pending", "pending", "yes"], [1, 1, 1]);
  expect(provider).toBe(PROVIDER);
  expect(kept).toEqual([PROVIDER]);
  const [question] = screen.devices;
  expect(question).toMatchObject({ code: "WDJB-MJHT", expiresInMs: 300_000 });
  expect(question!.completeUrl).toContain("user_code=WDJB-MJHT");
});

test("a service that wants fewer questions gets five seconds more between them, each time it says so [A-AUTH-02]", async () => {
  const { provider } = await deviceLogin(["slow_down", "slow_down", "pending", "yes"], [1, 6, 11, 11]);
  expect(provider).toBe(PROVIDER);
});

test("a service that names no sensible time between questions is neither flooded nor left waiting for ever [A-AUTH-02]", async () => {
  expect(await deviceLogin(["pending", "yes"], [1, 1], 0.001)).toMatchObject({ provider: PROVIDER });
  const { message } = await deviceLogin([], [15 * 60], 1e10);
  expect(message).toBe("the code for acme has expired before it was typed in");
});

test("a service that wants long pauses is not asked more often after a failure [A-AUTH-02]", async () => {
  expect(await deviceLogin(["cut", "yes"], [100, 100], 100)).toMatchObject({ provider: PROVIDER });
});

test.each([
  ["denied", "the login to acme was refused in the browser (access_denied)"],
  ["expired", "the code for acme has expired before it was typed in"],
] as const)(
  "a code that was %s ends the login with that reason, and keeps nothing [A-AUTH-02][U01]",
  async (answer, message) => {
    const outcome = await deviceLogin(["pending", answer], [1, 1]);
    expect([outcome.message, outcome.kept]).toEqual([message, []]);
  },
);

test("a connection that is lost and a service that is busy are told once and asked again, more slowly [A-AUTH-02]", async () => {
  const { provider, screen } = await deviceLogin(["cut", "broken", "yes"], [1, 2, 4]);
  expect(provider).toBe(PROVIDER);
  expect(screen.notices).toEqual([
    expect.stringMatching(
      /^acme could not be reached for the tokens: .*; it is asked again until the code expires$/,
    ),
  ]);
});

test("a code that nobody types in ends the login when it expires, however often the service says pending [A-AUTH-02][U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.device = ["pending"];
  const { end, clock } = startLogin(ws, service, { flow: "device" });
  await clock.sleeping(1_000);
  clock.advance(1_000);
  await clock.sleeping(1_000);
  clock.advance(300_000);
  await expect(end).rejects.toThrow("the code for acme has expired before it was typed in");
});

test("Esc ends the waiting at once [A-AUTH-02][U01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.device = ["pending"];
  const stop = new AbortController();
  const { end, clock } = startLogin(ws, service, { flow: "device", signal: stop.signal });
  await clock.sleeping(1_000);
  stop.abort();
  await expect(end).rejects.toThrow("the login was stopped");
});

test("a service without a page for codes says what to set [A-AUTH-02]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const setting = {
    clientId: "pi-test",
    authorizeUrl: `${service.url}/authorize`,
    tokenUrl: `${service.url}/token`,
  };
  const { end } = startLogin(ws, service, { flow: "device", setting });
  await expect(end).rejects.toThrow("acme publishes no address for a device code");
});

const PAGES = [
  "file:///etc/passwd",
  "http://login.example/device",
  "vscode://open?x",
  "javascript:alert(1)",
  "no address",
];

test.each(PAGES.flatMap((page) => [[page, "device"] as const, [page, "browser"] as const]))(
  "nobody is sent to %j, in a login by %s: it would open a file or another program, or travel in the clear [X05]",
  async (page, flow) => {
    await using ws = await workspace();
    await using service = await oauthService();
    service.page = page;
    const { end, screen, store } = startLogin(ws, service, { flow });
    await expect(end).rejects.toThrow("acme gave an address that is no encrypted page");
    expect([screen.devices, screen.browsers, store.list()]).toEqual([[], [], []]);
  },
);

test.each([["AB\u001b[2JCD"], ["AB\u202eCD"], ["A".repeat(65)], ["\u00c4\u00d6"]])(
  "a code such as %j is not shown: nobody can type it in [X05]",
  async (code) => {
    await using ws = await workspace();
    await using service = await oauthService();
    service.userCode = code;
    const { end, screen } = startLogin(ws, service, { flow: "device" });
    await expect(end).rejects.toThrow("acme gave a code that nobody can type in");
    expect(screen.devices).toEqual([]);
  },
);
