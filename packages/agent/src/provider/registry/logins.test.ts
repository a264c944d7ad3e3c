/** Logins in the resolution of a model: which wins, and where a token may go. */
import { expect, test } from "bun:test";
import type { LoginLookup, ProviderLogin } from "../../contract/logins.ts";
import type { FetchLike } from "../../contract/model.ts";
import type { KeyLookup } from "../../contract/settings.ts";
import { keysIn, resolveWith, said } from "./test-support/resolve-with.ts";

const through: FetchLike = async () => new Response("through the login");

function loginAt(origin: string): LoginLookup {
  const login: ProviderLogin = { provider: "openai", source: "a file", origin, through: () => through };
  return { find: (provider) => (provider === "openai" ? login : undefined) };
}

const logins = loginAt("https://api.openai.com");
const inFile: KeyLookup = {
  find: (variable) => ({ variable, value: "sk-proj-of-the-file", source: "/home/u/.pi-go/.env" }),
};

test("a login stands for a key: requests go through it, and no key is sent [A-AUTH-01][A-PROV-06]", async () => {
  const resolved = await resolveWith({}, { request: "openai/gpt-6.2-sol", logins });
  expect([resolved.key, resolved.login?.source, resolved.settings.apiKey]).toEqual([
    null,
    "a file",
    undefined,
  ]);
  expect(await (await resolved.settings.fetch("https://api.openai.com")).text()).toBe("through the login");
});

test("a key of the environment wins over a login, and a login over a key of the file [U03]", async () => {
  const request = "openai/gpt-6.2-sol";
  const environment = { OPENAI_API_KEY: "sk-proj-of-the-shell" };
  const shell = await resolveWith(environment, { request, logins, keys: keysIn(environment) });
  expect([shell.login, shell.key?.value]).toEqual([null, "sk-proj-of-the-shell"]);
  const file = await resolveWith({}, { request, logins, keys: inFile });
  expect([file.login?.provider, file.key]).toEqual(["openai", null]);
});

test("a key that the config names wins over a login [U03]", async () => {
  const providers = { openai: { apiKey: "sk-proj-of-the-config" } };
  const resolved = await resolveWith({}, { request: "openai/gpt-6.2-sol", logins, providers });
  expect([resolved.login, resolved.key?.value]).toEqual([null, "sk-proj-of-the-config"]);
});

test("a login for another place than the requests' counts as none, and the message says why [X01][X05]", async () => {
  const options = { request: "openai/gpt-6.2-sol", logins, url: "https://gateway.example/v1" };
  await expect(resolveWith({}, options)).rejects.toMatchObject({
    code: "no_key",
    hint: expect.stringContaining(
      "is for https://api.openai.com, and is not sent to https://gateway.example/v1",
    ),
  });
});

test("without a model the one of a provider that one is logged in to runs [A-PROV-06]", async () => {
  const resolved = await resolveWith({}, { logins });
  expect(resolved.model.provider).toBe("openai");
  expect(said(resolved)).toContain("(you are logged in there)");
});

test("a missing key names pi login [U03]", async () => {
  await expect(resolveWith({}, { request: "anthropic/claude-sonnet-5-5" })).rejects.toMatchObject({
    hint: expect.stringContaining("`pi login anthropic` asks for it."),
  });
});
