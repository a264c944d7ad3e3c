import { expect, test } from "bun:test";
import { configRemotes, mainRemote } from "./config-remotes.ts";
import { remoteAlias } from "./remote-alias.ts";

const aliases = (urls: readonly string[]): (string | undefined)[] => urls.map(remoteAlias);

test("all ways to write one remote give one name, without user, password and ending [R02] [C1] [C2]", () => {
  const urls = [
    "git@github.com:Acme/Shop.git",
    "github.com:acme/shop",
    "https://github.com/acme/shop",
    "https://me:pass-word@GitHub.com/Acme/shop.git/",
    "http://www.github.com:80/acme//shop.git",
    "ssh://git@github.com:22/acme/shop.git",
    "ssh://git@ssh.github.com:443/acme/shop.git",
    "git+ssh://git@github.com/acme/shop",
    "git://github.com:9418/acme/shop.git",
    "https://github.com./acme/shop?x=1#readme",
    "https://github.com/acme/%73hop.git",
  ];
  expect([...new Set(aliases(urls))]).toEqual(["github.com/acme/shop"]);
});

test("what may be another repository keeps another name [R02]", () => {
  const urls = [
    "https://forge.acme.dev/acme/shop",
    "https://forge.acme.dev:8443/acme/shop",
    "ssh://git@forge.acme.dev:2222/acme/shop",
    "https://forge.acme.dev/acme/Shop",
    "https://forge.acme.dev/other/shop",
    "https://forge.acme.dev/acme/shop.wiki.git",
    "git@[2001:db8::1]:acme/shop.git",
  ];
  expect(new Set(aliases(urls)).size).toBe(urls.length);
  expect(remoteAlias("https://user@dev.azure.com/org/project/_git/repo")).toBe(
    "dev.azure.com/org/project/repo",
  );
  expect(remoteAlias("git@ssh.dev.azure.com:v3/org/project/repo")).toBe("dev.azure.com/org/project/repo");
});

test("paths, this machine, transports that are programs and addresses to be filled in are no names [R02]", () => {
  expect(
    aliases([
      "/srv/git/shop.git",
      "../shop",
      "./a:b/c",
      "C:\\code\\shop",
      "C:/code/shop",
      "file:///srv/git/shop.git",
      "\\\\server\\share\\shop",
      "http://localhost:3000/a/b",
      "git@127.0.0.1:a/b",
      "ssh://[::1]/a/b",
      "ext::sh -c touch% /tmp/x",
      "codecommit::eu-west-1://shop",
      "https://github.com/your-org/your-repo.git",
      "https://github.com/OWNER/REPO",
      "git@github.com:{{owner}}/{{repo}}.git",
      "https://example.com/acme/shop",
      "https://github.com/",
      "https://github.com/../x",
      "",
      "origin",
    ]),
  ).toEqual(Array(20).fill(undefined));
});

test("the configuration is read as git writes it, and nothing that it points to [R02] [X01]", () => {
  const config = [
    "[core]\n\turl = no",
    "[include]\n\tpath = /tmp/other",
    '[url "git@evil.test:"]\n\tinsteadOf = https://github.com/\n\turl = no',
    '[remote "upstream"]\n\turl = https://github.com/up/stream ; the source',
    '[REMOTE "origin"] url = "https://github.com/acme/\\\nshop"\n\tURL = second\n\tpushurl = third',
  ].join("\n");
  const remotes = configRemotes(config);
  expect([...remotes]).toEqual([
    ["upstream", "https://github.com/up/stream"],
    ["origin", "https://github.com/acme/shop"],
  ]);
  expect(mainRemote(remotes)).toBe("https://github.com/acme/shop");
  expect(mainRemote(new Map([["upstream", "a"]]))).toBe("a");
  expect(
    mainRemote(
      new Map([
        ["one", "a"],
        ["two", "b"],
      ]),
    ),
  ).toBeUndefined();
});
