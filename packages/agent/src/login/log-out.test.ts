import { expect, test } from "bun:test";
import { oauthService, workspace } from "@pi-ts/testkit";
import { logOut } from "./log-out.ts";
import { PROVIDER, settingOf, startLogin } from "./test-support/login-bench.ts";
import { TokenSession } from "./token-session.ts";

test("a logout gives the refresh token back, and removes everything here [A-AUTH-04]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  const { end, store, clock } = startLogin(ws, service);
  const record = await end;
  const { refreshToken } = (await store.secrets(record))!;
  const parts = { store, clock, fetch, signal: new AbortController().signal };
  expect(await logOut(record, parts)).toEqual({ state: "revoked" });
  expect([service.revoked, store.list()]).toEqual([[refreshToken!], []]);
});

test("a service that cannot be told, or offers no such thing, keeps nobody logged in here [A-AUTH-04]", async () => {
  for (const offers of [true, false]) {
    await using ws = await workspace();
    await using service = await oauthService();
    service.revocation = offers;
    const { end, store, clock } = startLogin(ws, service);
    const record = await end;
    const broken = () => Promise.reject(Object.assign(new Error("no way"), { code: "ECONNREFUSED" }));
    const parts = { store, clock, fetch: broken, signal: new AbortController().signal };
    const revoked = await logOut(record, parts);
    expect(revoked.state).toBe(offers ? "failed" : "not_offered");
    expect(store.read(PROVIDER)).toBeNull();
  }
});

test("a service that takes the client's secret in a header alone gets it there: at the login, a renewal and the end [A-AUTH-01][A-AUTH-04]", async () => {
  await using ws = await workspace();
  await using service = await oauthService();
  service.secretInHeader = "confidential";
  const setting = settingOf(service, { clientSecret: "confidential" });
  const { end, store, clock } = startLogin(ws, service, { setting });
  const { accessToken } = (await store.secrets(await end))!;
  const session = new TokenSession({ provider: PROVIDER, store, clock, fetch });
  expect(service.isGood(await session.renew(accessToken))).toBe(true);
  const parts = { store, clock, fetch, signal: new AbortController().signal };
  expect(await logOut(store.read(PROVIDER)!, parts)).toEqual({ state: "revoked" });
});
