/** What extensions make of requests on their way to a service, over every wire of the built program. */
import { expect, test } from "bun:test";
import { modelServer, oauthService, say, workspace } from "@pi-ts/testkit";
import { ACME, credentials, describeAcme, run, withBrowser } from "./support/login.ts";
import { pi, WIRES } from "./support/pi.ts";

const ON_THE_WAY = `export default (pi) => {
  pi.on("before_provider_request", ({ payload }) => JSON.parse(JSON.stringify(payload).replaceAll("secret name", "plain name")));
  const again = (value) => { for (const [key, each] of Object.entries(value ?? {})) if (typeof each === "string") value[key] = each.replace("plain name", "last name"); else if (typeof each === "object") again(each); };
  pi.on("before_provider_request", ({ payload }) => { again(payload); });
  pi.on("before_provider_headers", ({ headers }) => { headers["x-trace"] = "t-1"; headers["user-agent"] = null; headers.accept = "*/*"; });
  pi.on("after_provider_response", ({ status, headers }) => { console.error("answered", status, typeof headers["content-type"]); });
};`;

for (const wire of WIRES)
  test(`handlers replace the payload and change the headers of a request over ${wire}, and hear of the answer`, async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "x.ts": ON_THE_WAY });
    server.reply(say("done"));
    const result = await pi(ws, ["-e", "x.ts", "-p", "the secret name"], { server, wire });
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    const { headers, text } = server.request(1);
    expect(text).toContain("the last name");
    expect(text).not.toContain("secret name");
    expect([headers["x-trace"], headers["accept"]]).toEqual(["t-1", "*/*"]);
    expect(headers["user-agent"] ?? "").not.toContain("pi-ts");
    expect(result.stderr).toContain("answered 200 string");
  });

test("a payload that is no JSON, headers that cannot be sent, and a handler that fails are told; the request goes as it was", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "x.ts": `export default (pi) => {
      pi.on("before_provider_request", ({ payload }) => { const round = { ...payload }; round.self = round; return round; });
      pi.on("before_provider_request", ({ payload }) => { payload.half = true; throw new Error("changed my mind"); });
      pi.on("before_provider_headers", ({ headers }) => { headers["bad name"] = "x"; });
    };`,
  });
  server.reply(say("done"));
  const result = await pi(ws, ["-e", "x.ts", "-p", "go"], { server });
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(Object.keys(server.request(1).body as object)).not.toContain("half");
  for (const words of [
    "made a request that is no JSON object; it is sent without that change",
    "failed in before_provider_request: changed my mind",
    "wants headers that cannot be sent",
  ])
    expect(result.stderr).toContain(`warning: the extension "x" ${words}`);
});

test("an extension asks a model with the person's login, and does not get its token [A-AUTH-01]", async () => {
  await using server = await modelServer();
  await using service = await oauthService();
  await using ws = await workspace({
    "x.ts": `export default (pi) => { pi.registerCommand("ask", { async handler(_, { modelRegistry, ui }) {
      const model = modelRegistry.getAvailable().find(({ provider }) => provider === "acme");
      const answer = await modelRegistry.complete(model, { messages: [{ role: "user", content: "hi", timestamp: 1 }] }, {});
      ui.notify(JSON.stringify([modelRegistry.isUsingOAuth(model), answer.content[0]?.text ?? answer.errorMessage, await modelRegistry.getApiKeyAndHeaders(model)]));
    } }); };`,
  });
  describeAcme(ws, service, server);
  const login = await run(ws, ["login", "acme"], { env: withBrowser(ws) });
  expect(login.code).toBe(0);
  server.reply(say("from the model"));
  const { stdout } = await run(ws, ["-e", "x.ts", "--model", ACME, "-p", "/ask"]);
  expect(JSON.parse(stdout)).toMatchObject([
    true,
    "from the model",
    { ok: false, error: expect.stringContaining("is used with a login") },
  ]);
  const token = credentials(ws)!.secrets!.accessToken;
  expect(stdout).not.toContain(token);
});
