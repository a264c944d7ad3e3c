import { expect, test } from "bun:test";
import { oauthService, workspace } from "@pi-ts/testkit";
import { logOut } from "./log-out.ts";
import { PROVIDER, startLogin } from "./test-support/login-bench.ts";

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
