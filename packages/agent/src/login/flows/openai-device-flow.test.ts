/** OpenAI's own form of a device code, against a service that answers as it does. */
import { expect, test } from "bun:test";
import { type OAuthService, oauthService } from "@pi-ts/testkit";
import { ManualClock } from "../../agent/test-support/manual-clock.ts";
import type { FetchLike } from "../../contract/model.ts";
import { loginService } from "../login-service.ts";
import { OAuthClient } from "../oauth/oauth-client.ts";
import { ShownScreen } from "../test-support/login-bench.ts";
import { openaiDeviceFlow } from "./openai-device-flow.ts";

/** Answers the two addresses that are OpenAI's alone; `pending` questions come before the person has typed the code in. */
function openai(service: OAuthService, pending: number): FetchLike {
  return async (input, init) => {
    const url = new URL(String(input));
    const body = typeof init?.body === "string" ? (JSON.parse(init.body) as Record<string, string>) : {};
    if (url.pathname.endsWith("/deviceauth/usercode"))
      return Response.json({
        device_auth_id: `id of ${body["client_id"]}`,
        user_code: "ABCD-1234",
        interval: "5",
      });
    if (!url.pathname.endsWith("/deviceauth/token")) return fetch(input, init);
    if (body["device_auth_id"] !== "id of mine" || body["user_code"] !== "ABCD-1234")
      return new Response("", { status: 400 });
    if (pending-- > 0) return new Response("", { status: 403 });
    const verifier = "v".repeat(43);
    const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
    const redirect = `${service.url}/deviceauth/callback`;
    const at = await service.endOf(
      `${service.url}/authorize?redirect_uri=${encodeURIComponent(redirect)}&state=s&code_challenge=${challenge}`,
    );
    return Response.json({
      authorization_code: new URL(at).searchParams.get("code"),
      code_verifier: verifier,
    });
  };
}

function parts(service: OAuthService, fetchIt: FetchLike) {
  const found = loginService(
    "openai",
    { clientId: "mine", authorizeUrl: `${service.url}/authorize`, tokenUrl: `${service.url}/token` },
    () => undefined,
  );
  if ("missing" in found) throw new Error(found.missing);
  const clock = new ManualClock();
  const screen = new ShownScreen(() => undefined);
  const client = new OAuthClient(found.service, { fetch: fetchIt, clock });
  const signal = new AbortController().signal;
  return { service: found.service, client, screen, clock, fetch: fetchIt, signal };
}

test("the code is shown with OpenAI's page, and tokens come when it was typed in [A-AUTH-02]", async () => {
  await using service = await oauthService();
  const flow = parts(service, openai(service, 1));
  const done = openaiDeviceFlow(flow);
  for (const _ of [1, 2]) {
    await flow.clock.sleeping(5_000);
    flow.clock.advance(5_000);
  }
  const tokens = await done;
  expect(service.isGood(tokens.accessToken)).toBe(true);
  expect(flow.screen.devices).toEqual([
    { url: `${service.url}/codex/device`, code: "ABCD-1234", expiresInMs: 900_000 },
  ]);
});

test("an account without device codes says so, and names the browser [A-AUTH-02]", async () => {
  await using service = await oauthService();
  const flow = parts(service, async () => new Response("", { status: 404 }));
  await expect(openaiDeviceFlow(flow)).rejects.toMatchObject({
    message: "openai gave no device code (status 404)",
    hint: expect.stringContaining("pi login openai --browser"),
  });
});
