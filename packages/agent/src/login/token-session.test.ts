/** One token for many requests and processes: renewed once, never lost. */
import { expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type OAuthService, oauthService, runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import type { ManualClock } from "../agent/test-support/manual-clock.ts";
import { systemClock } from "../platform/clock.ts";
import { openLogins } from "./logins.ts";
import { PROVIDER, startLogin, storeIn } from "./test-support/login-bench.ts";
import { TokenSession } from "./token-session.ts";

/** Somebody who is logged in: the way to the protected address, and what is kept. */
async function loggedIn(ws: Workspace, service: OAuthService) {
  const { clock, store, end } = startLogin(ws, service);
  const record = await end;
  const session = () => new TokenSession({ provider: PROVIDER, store, clock, fetch });
  const way = () => openLogins(store, clock).find(PROVIDER)!.through(fetch);
  const secrets = async () => (await store.secrets(store.read(PROVIDER)!))!;
  return { clock, store, record, session, way, secrets };
}

const REQUEST = { method: "POST", body: "{}" };

test("a request carries the token to the service it is for, and to no other place [X05][X01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  await using other = await oauthService();
  const { way } = await loggedIn(ws, service);
  expect((await way()(`${service.api}/v1`, REQUEST)).status).toBe(200);
  expect((await way()(`${other.api}/v1`, REQUEST)).status).toBe(401);
  expect([service.shown.length, other.shown]).toEqual([1, [""]]);
});

test("a token that ends within five minutes is renewed before it is used, and kept before it is used [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { clock, way, secrets } = await loggedIn(ws, service);
  const first = await secrets();
  clock.advance(3_600_000 - 299_000);
  await way()(service.api, REQUEST);
  const second = await secrets();
  expect([service.refreshes, service.shown]).toEqual([1, [second.accessToken]]);
  expect(second.refreshToken).not.toBe(first.refreshToken!);
});

test("a 401 renews the token once and asks once more; a second 401 is the answer, without the token in it [A-AUTH-01][X05]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { way, secrets } = await loggedIn(ws, service);
  service.revoke();
  expect((await way()(service.api, REQUEST)).status).toBe(200);
  expect([service.refreshes, service.shown.length]).toEqual([1, 2]);
  const base: typeof fetch = Object.assign(
    async (...parts: Parameters<typeof fetch>) => {
      service.revoke();
      return fetch(...parts);
    },
    { preconnect: fetch.preconnect },
  );
  const login = openLogins(storeIn(ws), systemClock).find(PROVIDER)!;
  const response = await login.through(base)(service.api, REQUEST);
  expect(response.status).toBe(401);
  const text = await response.text();
  expect(text).toContain("no: …");
  expect(text).not.toContain((await secrets()).accessToken);
});

test("requests side by side that meet the same end make one renewal [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { clock } = await loggedIn(ws, service);
  expect(clock.now()).toBeGreaterThan(0);
  service.revoke();
  const logins = openLogins(storeIn(ws), systemClock);
  const ways = [1, 2, 3, 4].map(() => logins.find(PROVIDER)!.through(fetch));
  const answers = await Promise.all(ways.map((way) => way(service.api, REQUEST)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([service.refreshes, service.refusedRefreshes]).toEqual([1, 0]);
});

test("who waited for a renewal that failed is told the same at once, and the next one tries again [A-AUTH-01][K01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store, secrets } = await loggedIn(ws, service);
  const { accessToken } = await secrets();
  const renewal = () =>
    new TokenSession({ provider: PROVIDER, store, clock: systemClock, fetch }).renew(accessToken);
  service.fault = "broken";
  const asked = service.contentTypes.length;
  const failures = await Promise.all(
    Array.from({ length: 4 }, () => renewal().catch((thrown: Error) => thrown.message)),
  );
  expect(new Set(failures).size).toBe(1);
  expect(service.contentTypes.length).toBe(asked + 1);
  service.fault = null;
  expect(service.isGood(await renewal())).toBe(true);
  expect(store.read(PROVIDER)!.tried).toBeUndefined();
});

test("a folder that no provider has is no login, and hides none", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store } = await loggedIn(ws, service);
  mkdirSync(join(dirname(dirname(store.file(PROVIDER))), "100%"));
  expect(store.list()).toEqual([PROVIDER]);
});

test("six processes that meet one expired token make one renewal [A-AUTH-01][K01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store } = await loggedIn(ws, service);
  service.revoke();
  const modules = ["./logins.ts", "./store/login-store.ts", "../platform/clock.ts"].map((name) =>
    JSON.stringify(import.meta.resolve(name)),
  );
  const code = `
    const [{ openLogins }, { LoginStore }, { systemClock }] = await Promise.all([${modules.map((name) => `import(${name})`)}]);
    const store = new LoginStore(${JSON.stringify(dirname(dirname(store.file(PROVIDER))))}, async () => { throw 0; });
    const way = openLogins(store, systemClock).find("${PROVIDER}").through(fetch);
    console.log((await way("${service.api}", { method: "POST", body: "{}" })).status);`;
  const run = () =>
    runProcess([process.execPath, "--no-env-file", "-e", code], { cwd: ws.path, env: ws.env() });
  const ends = await Promise.all(Array.from({ length: 6 }, run));
  expect(ends.map(({ stdout, stderr }) => `${stdout.trim()}${stderr}`)).toEqual(Array(6).fill("200"));
  expect([service.refreshes, service.refusedRefreshes]).toEqual([1, 0]);
});

test("the lock of a process that was killed while it renewed does not keep the others from it [A-AUTH-01][C03]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store, session, secrets } = await loggedIn(ws, service);
  const lock = JSON.stringify(`${store.file(PROVIDER)}.lock`);
  const code = `(await import(${JSON.stringify(import.meta.resolve("../platform/lock.ts"))})).acquireLock(${lock}); process.kill(process.pid, "SIGKILL");`;
  await runProcess([process.execPath, "--no-env-file", "-e", code], { cwd: ws.path, env: ws.env() });
  expect(readFileSync(JSON.parse(lock), "utf8")).toContain("pid");
  const { accessToken } = await secrets();
  expect(await session().renew(accessToken)).not.toBe(accessToken);
});

test("a service that does not rotate: the old refresh token goes on [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.rotates = false;
  const { session, secrets } = await loggedIn(ws, service);
  const first = await secrets();
  await session().renew(first.accessToken);
  const second = await secrets();
  expect(second.refreshToken).toBe(first.refreshToken!);
  expect(second.accessToken).not.toBe(first.accessToken);
});

/** Makes a file one that can be read and not replaced, for root, too: it is a link to an open file whose folder is gone. */
function unwritable(ws: Workspace, file: string): Disposable {
  const folder = join(ws.temp, "gone");
  mkdirSync(folder);
  const elsewhere = join(folder, "file");
  copyFileSync(file, elsewhere);
  const fd = openSync(elsewhere, "r");
  rmSync(folder, { recursive: true });
  rmSync(file);
  symlinkSync(`/proc/self/fd/${fd}`, file);
  return { [Symbol.dispose]: () => closeSync(fd) };
}

test.skipIf(process.platform !== "linux")(
  "where the disk takes nothing, no refresh token is given up for one that could not be kept [A-AUTH-01]",
  async () => {
    await using ws = await workspace();
    await using service = await oauthService();
    const { store, session, secrets } = await loggedIn(ws, service);
    const { accessToken } = await secrets();
    using _ = unwritable(ws, store.file(PROVIDER));
    await expect(session().renew(accessToken)).rejects.toThrow("cannot write");
    expect([(await secrets()).accessToken, service.refreshes]).toEqual([accessToken, 0]);
  },
);

test("a token whose end is beyond all dates can be used, and its end be told [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.lifetime = 1e18;
  const { clock, way, record } = await loggedIn(ws, service);
  expect((await way()(service.api, REQUEST)).status).toBe(200);
  expect(record.expiresAt! - clock.now()).toBe(10 * 365 * 86_400_000);
});

test.each([["soon"], [1e300], [null]])("a kept login with %p for its end is none", async (expiresAt) => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store } = await loggedIn(ws, service);
  const file = store.file(PROVIDER);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), expiresAt }));
  expect([store.read(PROVIDER), store.list()]).toEqual([null, []]);
});

test("a service that cannot be reached before the end leaves the token in use, and after it says so [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { clock, session, secrets } = await loggedIn(ws, service);
  const { accessToken } = await secrets();
  service.fault = "cut";
  clock.advance(3_600_000 - 200_000);
  expect(await session().token()).toBe(accessToken);
  clock.advance(200_000);
  await expect(session().token()).rejects.toThrow("acme could not be reached for a fresh token");
  service.fault = null;
  expect(service.isGood(await session().token())).toBe(true);
});

test("a renewal that the service refuses for good ends the login, and says how to log in again [A-AUTH-01][U03]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store, way, record } = await loggedIn(ws, service);
  service.revoke(true);
  for (const _ of [1, 2])
    await expect(way()(service.api, REQUEST)).rejects.toMatchObject({
      code: "login_ended",
      message: expect.stringContaining(
        "the login to acme has ended: acme refused a fresh token: invalid_grant",
      ),
      hint: "Log in again: pi login acme",
    });
  expect(service.refusedRefreshes).toBe(1);
  expect(await store.secrets(record)).toBeNull();
});

test("a client that is not known any more does not cost the refresh token [A-AUTH-01]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { session, secrets } = await loggedIn(ws, service);
  const { accessToken } = await secrets();
  service.fault = "invalid_client";
  await expect(session().renew(accessToken)).rejects.toThrow("refused a fresh token: invalid_client");
  service.fault = null;
  expect(service.isGood(await session().renew(accessToken))).toBe(true);
});

test.each([
  ["set back", -86_400_000],
  ["set forward", 86_400_000],
] as const)("a clock that was %s by a day costs a renewal at most [A-AUTH-01]", async (_how, ms) => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { clock, way } = await loggedIn(ws, service);
  service.revoke();
  (clock as ManualClock).advance(ms);
  expect((await way()(service.api, REQUEST)).status).toBe(200);
  expect((await way()(service.api, REQUEST)).status).toBe(200);
  expect(service.refreshes).toBe(1);
});

test("a logout in another process is seen by the next request [A-AUTH-04]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { store, way, record } = await loggedIn(ws, service);
  const open = way();
  await open(service.api, REQUEST);
  await store.remove(record);
  await expect(open(service.api, REQUEST)).rejects.toMatchObject({
    code: "login_missing",
    hint: "pi login acme",
  });
});

test("what is kept can be read by its owner alone [X05]", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace();
  await using service = await oauthService();
  const { store } = await loggedIn(ws, service);
  const file = store.file(PROVIDER);
  const modes = [file, dirname(file), join(dirname(file), "..")].map((path) => statSync(path).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});
