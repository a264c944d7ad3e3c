/** A certificate that is not accepted is told apart before a person is sent out, and what to do about it. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { oauthService, workspace } from "@pi-ts/testkit";
import { ManualClock } from "../agent/test-support/manual-clock.ts";
import { createFetch } from "../provider/registry/fetch.ts";
import { certificateProblem } from "./certificate-problem.ts";
import { settingOf, startLogin } from "./test-support/login-bench.ts";
import { tlsPreflight } from "./tls-preflight.ts";

const FIXTURES = join(import.meta.dir, "../provider/registry/__fixtures__");
const CERTIFICATE = join(FIXTURES, "localhost.cert.pem");

/** A service whose certificate nobody here knows, and that tells a date. */
function unknownService(date: Date) {
  const server = Bun.serve({
    port: 0,
    tls: {
      cert: readFileSync(CERTIFICATE, "utf8"),
      key: readFileSync(join(FIXTURES, "localhost.key.pem"), "utf8"),
    },
    fetch: () => new Response("", { headers: { date: date.toUTCString() } }),
  });
  return { url: `https://localhost:${server.port}/token`, [Symbol.dispose]: () => void server.stop(true) };
}

test("a certificate of an unknown authority stops the login before anyone is sent out, and names --ca-cert [A-AUTH-03]", async () => {
  await using ws = await workspace();
  await using oauth = await oauthService();
  using unknown = unknownService(new Date());
  const { fetch } = await createFetch({ environment: {} });
  const setting = settingOf(oauth, { tokenUrl: unknown.url });
  const { end, screen } = startLogin(ws, oauth, { setting, fetch });
  await expect(end).rejects.toMatchObject({
    code: "login_tls",
    message: expect.stringMatching(/^https:\/\/localhost:\d+: its certificate .* \([A-Z_]+\)$/),
    hint: expect.stringContaining("--ca-cert"),
  });
  expect(screen.browsers).toEqual([]);
});

test("with its authority the same service passes, and a clock that is hours off is told [A-AUTH-03]", async () => {
  const clock = new ManualClock();
  using service = unknownService(new Date(clock.now() + 3 * 3_600_000));
  const { fetch } = await createFetch({ environment: {}, caCert: CERTIFICATE });
  expect(await tlsPreflight(service.url, { fetch, clock })).toMatch(/are 180 minutes apart/);
  clock.advance(3 * 3_600_000);
  expect(await tlsPreflight(service.url, { fetch, clock })).toBeNull();
});

test("a service that does not answer is not waited for beyond four seconds: the login itself tells of it [A-AUTH-03]", async () => {
  const clock = new ManualClock();
  const silent = createTcpServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = silent.address() as { port: number };
    const done = tlsPreflight(`https://127.0.0.1:${port}/`, {
      fetch: (url, init) => fetch(url, init),
      clock,
    });
    await clock.sleeping(4_000);
    clock.advance(4_000);
    expect(await done).toBeNull();
  } finally {
    silent.close();
  }
});

test.each([
  ["SELF_SIGNED_CERT_IN_CHAIN", "--ca-cert"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "--ca-cert"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "--ca-cert"],
  ["CERT_HAS_EXPIRED", "clock"],
  ["CERT_NOT_YET_VALID", "clock"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "another machine"],
] as const)("%s comes with what to do about it, however deep it lies [A-AUTH-03]", (code, advice) => {
  const thrown = new Error("fetch failed", { cause: Object.assign(new Error("tls"), { code }) });
  expect(certificateProblem(thrown)?.message).toContain(code);
  expect(certificateProblem(thrown)?.hint).toContain(advice);
  expect(certificateProblem(Object.assign(new Error("no"), { code: "ECONNREFUSED" }))).toBeUndefined();
});
