import { expect, test } from "bun:test";
import { createExclusion } from "./excluded.ts";

test("results of excluded tools are not kept [A-MEM-10] [R09]", () => {
  const isExcluded = createExclusion({ tools: ["screen", "Restart"] });
  expect(["screen", "SCREEN", "restart", "read"].map((tool) => isExcluded({ tool }))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test("nothing of a file of secrets is kept, however its path is written [A-MEM-09] [R09] [X04]", () => {
  const isExcluded = createExclusion();
  const paths = [
    ".env",
    "./.env",
    "/srv/app/.env.production",
    "config\\.ENV.local",
    ".env~",
    ".env.bak",
    ".env::$DATA",
    "prod.env",
    ".envrc",
    "~/.ssh/id_rsa",
    ".ssh/deploy",
    "keys/server.pem",
    "a/b.key",
    ".aws/credentials",
    ".docker/config.json",
    "home/.kube/config",
    ".git-credentials",
    "infra/terraform.tfstate",
    "config/credentials.json",
    "service-account-prod.json",
    "/proc/self/environ",
    ".pi-go/.env",
  ];
  expect(paths.filter((path) => !isExcluded({ tool: "read", paths: ["src/app.ts", path] }))).toEqual([]);
});

test("examples, public keys and ordinary files are kept [X04]", () => {
  const isExcluded = createExclusion();
  const paths = [
    ".env.example",
    ".env.sample",
    "example.env",
    "id_rsa.pub",
    ".ssh/known_hosts",
    ".ssh/config",
    "src/environment.ts",
    "src/keys.ts",
    "docs/credentials.md",
    "secrets.ts",
    ".npmrc",
    "monkey.keyboard",
  ];
  expect(paths.filter((path) => isExcluded({ tool: "read", paths: [path] }))).toEqual([]);
});

test("globs of the user's exclude files and folders, wherever they are [A-MEM-10] [R09]", () => {
  const isExcluded = createExclusion({
    paths: ["*.sql", "legal/**", "hr/", "src/*/private/*.md", "/srv/vault"],
  });
  const verdict = (path: string): boolean => isExcluded({ tool: "read", paths: [path] });
  expect(
    [
      "db/dump.SQL",
      "legal/a/b.txt",
      "app/legal/x",
      "hr/pay.csv",
      "a/hr/b/c",
      "src/x/private/n.md",
      "/srv/vault/a",
    ].map(verdict),
  ).toEqual(Array(7).fill(true));
  expect(["dump.sql.md", "illegal/x", "hrx/a", "src/x/y/private/n.md", "a/srv/vault"].map(verdict)).toEqual(
    Array(5).fill(false),
  );
});

test("a glob of many stars costs no more than its length times the path's [A-MEM-10]", () => {
  const isExcluded = createExclusion({ paths: [`${"*a".repeat(40)}b`, `${"**/".repeat(30)}x`] });
  expect(isExcluded({ tool: "read", paths: [`${"a".repeat(4_000)}/${"d/".repeat(200)}e`] })).toBe(false);
});
