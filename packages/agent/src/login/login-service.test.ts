/** What a login service is made of: the preset, the user's entry, and nothing that was made up. */
import { expect, test } from "bun:test";
import { flowsOf, loginService } from "./login-service.ts";
import { loginPreset, PRESET_PROVIDERS } from "./presets.ts";

const nothing = () => undefined;

test("no client id comes with pi: OAuth says what to set, for every provider [A-AUTH-01]", () => {
  for (const provider of PRESET_PROVIDERS) {
    expect(Object.keys(loginPreset(provider)!.oauth ?? {})).not.toContain("clientId");
    const found = loginService(provider, undefined, nothing);
    expect("missing" in found && found.missing).toContain(`oauth.${provider}`);
  }
});

test.each([
  ["anthropic", "browser"],
  ["gemini", "browser"],
  ["openai", "device"],
  ["openai-codex", "device"],
] as const)(
  "with a client of the user's own %s logs in by its usual flow, %s [A-AUTH-01][A-AUTH-02]",
  (provider, flow) => {
    const found = loginService(provider, { clientId: "mine" }, nothing);
    if ("missing" in found) throw new Error(found.missing);
    expect(found.service).toMatchObject({
      clientId: "mine",
      flow,
      header: "Authorization",
      scheme: "Bearer",
    });
    expect(flowsOf(found.service)[0]).toBe(flow);
  },
);

test("what the user sets wins over what is known, and parameters come together", () => {
  const setting = {
    clientId: "mine",
    scopes: ["a"],
    parameters: { prompt: "login" },
    scheme: "",
    header: "x-token",
  };
  const found = loginService("gemini", setting, nothing);
  expect(found).toMatchObject({
    service: {
      issuer: "https://accounts.google.com",
      scopes: ["a"],
      parameters: { access_type: "offline", prompt: "login" },
      header: "x-token",
      scheme: "",
    },
  });
});

test("a secret can be named by its variable, and one that is not set is told", () => {
  const setting = { clientId: "mine", clientSecret: "$" + "{MY_SECRET}" };
  const set = loginService("gemini", setting, (name) => (name === "MY_SECRET" ? "s" : undefined));
  expect(set).toMatchObject({ service: { clientSecret: "s" } });
  expect(() => loginService("gemini", setting, nothing)).toThrow("names MY_SECRET, which is not set");
});

test("tokens travel encrypted, except on this machine [X05]", () => {
  const setting = (tokenUrl: string) => ({ clientId: "mine", tokenUrl, authorizeUrl: tokenUrl });
  expect(() => loginService("acme", setting("http://acme.example/t"), nothing)).toThrow("unencrypted");
  for (const url of ["http://127.0.0.1:1/t", "http://localhost:1/t", "https://acme.example/t"])
    expect("service" in loginService("acme", setting(url), nothing)).toBe(true);
});
