import { expect, test } from "bun:test";
import { childEnvironment } from "./child-environment.ts";

test("keys, tokens, secrets and passwords are not handed to children, whatever their provider [B08]", () => {
  const secrets = {
    ANTHROPIC_API_KEY: "a",
    OPENAI_API_KEYS: "a",
    MY_APIKEY: "a",
    GITHUB_TOKEN: "a",
    "npm_config_//registry": "a",
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "a",
    AWS_SESSION_TOKEN: "a",
    GOOGLE_APPLICATION_CREDENTIALS: "/a.json",
    AZURE_CLIENT_SECRET: "a",
    DB_PASSWORD: "a",
    PGPASSWORD: "a",
    CLOUDFLARE_API_TOKEN_FILE: "/a",
    db_password: "a",
    STRIPE_SECRET: "a",
  };
  expect(childEnvironment({ ...secrets, PATH: "/bin" })).toEqual({
    "npm_config_//registry": "a",
    PATH: "/bin",
  });
});

test("ordinary variables pass, also those that only sound secret [B08]", () => {
  const ordinary = {
    HOME: "/h",
    LANG: "C",
    MAX_TOKENS: "4096",
    TOKENIZERS_PARALLELISM: "false",
    SECRETARY: "ann",
    KEYBOARD: "de",
    SSH_AUTH_SOCK: "/s",
    DATABASE_URL: "postgres://localhost/x",
    TESTKIT_MARKER: "m",
    AUTHOR: "ann",
  };
  expect(childEnvironment(ordinary)).toEqual(ordinary);
});

test("a key is found by its form and by its value under a harmless name [B08]", () => {
  const environment = {
    SETTINGS: `{"key":"sk-ant-${"x1".repeat(20)}"}`,
    FORGE: "ghp_abcdefghijklmnopqrstuvwxyz012345",
    OWN: "prefix-our-own-secret-suffix",
    NOTE: "the sky-scraper",
  };
  const child = childEnvironment(environment, { secretValues: ["our-own-secret", "short"] });
  expect(child).toEqual({ NOTE: "the sky-scraper" });
});

test("an allow-list passes what a user's tools need, with wildcards and nothing besides [B08]", () => {
  const child = childEnvironment(
    { NPM_TOKEN: "1", NPM_AUTH_TOKEN: "2", XNPM_TOKEN: "3", GH_TOKEN: "4" },
    { allow: ["NPM_*", "GH_TOKEN"] },
  );
  expect(child).toEqual({ NPM_TOKEN: "1", NPM_AUTH_TOKEN: "2", GH_TOKEN: "4" });
});

test("what steers Bun or ourselves stays with us, and the user's NODE_OPTIONS reach their tools", () => {
  const child = childEnvironment({
    BUN_OPTIONS: "--x",
    NODE_OPTIONS: "--experimental-vm-modules",
    PI_HOME: "/p",
    PIP_INDEX: "i",
  });
  expect(child).toEqual({ NODE_OPTIONS: "--experimental-vm-modules", PIP_INDEX: "i" });
});
