import { expect, test } from "bun:test";
import { isSecretPath, secretGlobs } from "./secrets.ts";

const SECRET = [
  ".env",
  "app/.env",
  ".ENV",
  ".env.local",
  ".env.production",
  ".env.production.local",
  ".env.bak",
  ".env~",
  "..env.swp",
  "config/prod.env",
  ".pi-go/.env",
  "id_rsa",
  "keys/id_ed25519",
  "id_ecdsa_sk",
  "id_rsa.old",
  "server.pem",
  "tls/private.key",
  "release.keystore",
  ".netrc",
  ".pypirc",
  ".git-credentials",
  ".aws/credentials",
  "credentials.json",
  "client_secret_123.json",
  "service-account.json",
  ".docker/config.json",
  ".kube/config",
  ".ssh/work",
  ".gnupg/private-keys-v1.d/a.key",
];

const FREE = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
  ".env.schema",
  ".env.defaults",
  ".env.production.example",
  "example.env",
  "app.sample.env",
  "id_rsa.pub",
  ".ssh/known_hosts",
  ".ssh/id_ed25519.pub",
  "src/credentials.ts",
  "src/credentials/index.ts",
  "environment.ts",
  "src/env.ts",
  "src/key.ts",
  "keyboard.json",
  ".npmrc",
  ".envrc",
  "docker/config.json",
  "monkey",
];

test("environment files, private keys and credentials are secret in any folder and case [X04]", () => {
  expect(SECRET.filter((path) => !isSecretPath(path))).toEqual([]);
});

test("examples, public keys and source files of similar names are free [X04]", () => {
  expect(FREE.filter(isSecretPath)).toEqual([]);
});

test("the process environment is secret where the project is the whole file system [X04]", () => {
  expect(isSecretPath("proc/self/environ")).toBe(true);
  expect(isSecretPath("proc/12/task/12/environ")).toBe(true);
  expect(isSecretPath("proc/12/status")).toBe(false);
});

test("the globs find every secret file", () => {
  const globs = secretGlobs.map((glob) => new Bun.Glob(glob));
  const matches = (path: string) => globs.some((glob) => glob.match(path.toLowerCase()));
  expect(SECRET.filter((path) => !matches(path))).toEqual([]);
});
