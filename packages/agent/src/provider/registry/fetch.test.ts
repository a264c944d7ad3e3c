import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { createFetch } from "./fetch.ts";

const CERTIFICATE = join(import.meta.dir, "__fixtures__/localhost.cert.pem");
const KEY = join(import.meta.dir, "__fixtures__/localhost.key.pem");

function serve(answer: (request: Request) => Response | Promise<Response>, tls = false) {
  const seen: Headers[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(tls ? { tls: { cert: readFileSync(CERTIFICATE, "utf8"), key: readFileSync(KEY, "utf8") } } : {}),
    fetch(request) {
      seen.push(new Headers(request.headers));
      return answer(request);
    },
  });
  return { seen, url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) };
}

test.each([301, 302, 303, 307, 308])(
  "a redirect (%d) is refused: the key does not follow it to another host [A-PROV-06]",
  async (status) => {
    await using other = serve(() => new Response("caught"));
    await using service = serve(
      () => new Response("", { status, headers: { location: `${other.url}v1/x?key=1` } }),
    );
    const { fetch } = await createFetch({ environment: {} });
    const response = await fetch(`${service.url}v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "secret" },
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      error: {
        type: "redirect",
        message: `${service.url}v1/messages redirects to ${other.url}v1/x, which is not followed because the API key would go along`,
      },
    });
    expect(other.seen).toHaveLength(0);
  },
);

test("this machine is reached directly although the environment names a proxy [P19]", async () => {
  await using service = serve(() => new Response("direct"));
  await using proxy = serve(() => new Response("through the proxy"));
  const before = process.env["HTTP_PROXY"];
  process.env["HTTP_PROXY"] = proxy.url; // Bun's own fetch looks at it
  try {
    const { fetch } = await createFetch({ environment: { HTTP_PROXY: proxy.url } });
    expect(await (await fetch(service.url)).text()).toBe("direct");
  } finally {
    if (before === undefined) delete process.env["HTTP_PROXY"];
    else process.env["HTTP_PROXY"] = before;
  }
});

test("any other address is reached through the proxy that was handed in", async () => {
  await using proxy = serve(() => new Response("through the proxy"));
  const { fetch } = await createFetch({ environment: { HTTP_PROXY: proxy.url } });
  const response = await fetch("http://model.invalid/v1/x", { headers: { authorization: "Bearer k" } });
  expect(await response.text()).toBe("through the proxy");
  expect(proxy.seen[0]?.get("authorization")).toBe("Bearer k");
});

test("a certificate of the user's own is trusted when its file is named, and only then", async () => {
  await using service = serve(() => new Response("secure"), true);
  const plain = await createFetch({ environment: {} });
  await expect(plain.fetch(service.url)).rejects.toThrow();
  const trusting = await createFetch({ environment: {}, caCert: CERTIFICATE });
  expect(await (await trusting.fetch(service.url)).text()).toBe("secure");
  expect(trusting.notices).toEqual([]);
});

test("insecure takes any certificate and warns once", async () => {
  await using service = serve(() => new Response("secure"), true);
  const { fetch, notices } = await createFetch({ environment: {}, insecure: true });
  expect(await (await fetch(service.url)).text()).toBe("secure");
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({ level: "warning", message: expect.stringContaining("not checked") });
});

test("a certificate file that is missing or holds none is named with its path", async () => {
  await using ws = await workspace({ "c.pem": "hello" });
  await expect(createFetch({ environment: {}, caCert: "/nowhere/c.pem" })).rejects.toMatchObject({
    code: "ca_cert",
    exitCode: 2,
    message: "the certificate file /nowhere/c.pem cannot be read: ENOENT",
  });
  const file = join(ws.path, "c.pem");
  await expect(createFetch({ environment: {}, caCert: file })).rejects.toMatchObject({
    code: "ca_cert",
    message: expect.stringContaining(`${file} holds no certificate`),
  });
});

test("a caller's signal ends the request", async () => {
  const arrived = Promise.withResolvers<void>();
  await using service = serve((request) => {
    arrived.resolve();
    return new Promise((resolve) => {
      request.signal.addEventListener("abort", () => resolve(new Response("gone")));
    });
  });
  const { fetch } = await createFetch({ environment: {} });
  const controller = new AbortController();
  const response = fetch(service.url, { signal: controller.signal });
  await arrived.promise;
  controller.abort();
  await expect(response).rejects.toMatchObject({ name: "AbortError" });
});
