import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { type ExtensionSources, findExtensions } from "./find-extensions.ts";

function sources(ws: Workspace, more: Partial<ExtensionSources> = {}): ExtensionSources {
  const places = {
    root: join(ws.home, ".pi-go"),
    agent: join(ws.home, ".pi", "agent"),
    userHome: ws.home,
    project: join(ws.path, ".pi-go"),
  };
  return { given: [], cwd: ws.path, modules: [], packages: [], places, ...more };
}

test.skipIf(process.platform === "win32")(
  "a link that leads nowhere or to itself is told and hides nothing, and a module with a link to it is loaded once",
  async () => {
    await using ws = await workspace();
    const folder = join(ws.home, ".pi-go/extensions");
    ws.write(join(folder, "real.ts"), "");
    for (const [name, target] of [
      ["again.ts", "real.ts"],
      ["gone.ts", "nowhere.ts"],
      ["loop", "loop"],
    ] as const)
      symlinkSync(target, join(folder, name));
    const { entries, problems } = findExtensions(sources(ws));
    expect(entries.map(({ name }) => name)).toEqual(["again"]);
    expect(problems).toEqual(
      ["gone.ts", "loop"].map((name) => `the extension ${join(folder, name)} is a link that leads nowhere`),
    );
  },
);

const PACKAGE = JSON.stringify({
  name: "the-pkg",
  pi: { extensions: ["./src/*.ts"], skills: ["./skills"], prompts: ["./prompts"] },
});

test("modules are found in the order command line, project, user, settings, packages, each once", async () => {
  await using ws = await workspace({
    "given.ts": "",
    ".pi-go/extensions/p.ts": "",
    ".pi-go/extensions/note.txt": "",
    ".pi-go/extensions/types.d.ts": "",
  });
  ws.write(join(ws.home, ".pi-go/extensions/u.js"), "");
  ws.write(join(ws.home, ".pi-go/extensions/folder/index.ts"), "");
  ws.write(join(ws.home, "set.ts"), "");
  ws.write(join(ws.home, ".pi-go/npm/node_modules/@me/pkg/package.json"), PACKAGE);
  ws.write(join(ws.home, ".pi-go/npm/node_modules/@me/pkg/src/one.ts"), "");
  const found = findExtensions(
    sources(ws, {
      given: ["given.ts", "./given.ts"],
      modules: [join(ws.home, "set.ts")],
      packages: ["npm:@me/pkg@1.2.3"],
    }),
  );
  expect(found.entries.map(({ name, scope, source }) => [name, scope, source])).toEqual([
    ["given", "temporary", "cli"],
    ["p", "project", "auto"],
    ["folder", "user", "auto"],
    ["u", "user", "auto"],
    ["set", "user", "local"],
    ["the-pkg", "user", "npm:@me/pkg"],
  ]);
  expect(found.problems).toEqual([
    'the-pkg: "./skills" in pi.skills does not exist',
    'the-pkg: "./prompts" in pi.prompts does not exist',
  ]);
});

test("a package brings modules by a glob, skills and prompts; a path out of it is refused", async () => {
  await using ws = await workspace({
    "pkg/package.json": JSON.stringify({
      pi: { extensions: ["./src/*.ts", "../evil.ts"], skills: ["./skills"] },
    }),
    "pkg/src/a.ts": "",
    "pkg/src/b.ts": "",
    "pkg/skills/x/SKILL.md": "",
    "evil.ts": "",
  });
  const { entries, resources, problems } = findExtensions(sources(ws, { given: ["pkg"] }));
  expect(entries.map(({ name, base }) => [name, base])).toEqual([
    ["pkg (a)", join(ws.path, "pkg")],
    ["pkg (b)", join(ws.path, "pkg")],
  ]);
  expect(resources.skills).toEqual([join(ws.path, "pkg/skills")]);
  expect(problems).toEqual(['pkg: "../evil.ts" in pi.extensions lies outside of the package']);
});

test("without a manifest the usual folders of a package count", async () => {
  await using ws = await workspace({
    "pkg/extensions/a.ts": "",
    "pkg/extensions/b/index.ts": "",
    "pkg/prompts/p.md": "",
  });
  const { entries, resources } = findExtensions(sources(ws, { given: ["pkg"] }));
  expect(entries.map(({ file }) => file)).toEqual([
    join(ws.path, "pkg/extensions/a.ts"),
    join(ws.path, "pkg/extensions/b/index.ts"),
  ]);
  expect(resources.prompts).toEqual([join(ws.path, "pkg/prompts")]);
});

test("packages that Pi has installed are found by its settings; one that says autoload false is not", async () => {
  await using ws = await workspace();
  const agent = join(ws.home, ".pi", "agent");
  const packages = ["npm:one", { source: "npm:two", autoload: false }, { source: "npm:three" }];
  ws.write(join(agent, "settings.json"), JSON.stringify({ packages }));
  for (const name of ["one", "two", "three"]) {
    ws.write(
      join(agent, "npm/node_modules", name, "package.json"),
      JSON.stringify({ name, pi: { extensions: ["index.ts"] } }),
    );
    ws.write(join(agent, "npm/node_modules", name, "index.ts"), "");
  }
  expect(findExtensions(sources(ws)).entries.map(({ name }) => name)).toEqual(["one", "three"]);
});

test("what is named and not there is told with the way out, and nothing is fetched", async () => {
  await using ws = await workspace();
  const { entries, problems } = findExtensions(
    sources(ws, {
      given: ["nowhere.ts"],
      modules: ["/no/such.ts"],
      packages: ["npm:absent@2", "./gone", "git:github.com/u/r@v1"],
    }),
  );
  expect(entries).toEqual([]);
  const npm = join(ws.home, ".pi-go/npm");
  expect(problems).toEqual([
    `the extension "nowhere.ts" was not loaded: ${ws.path}/nowhere.ts does not exist`,
    "the extension /no/such.ts of the settings does not exist",
    `the package "absent@2" is not installed; to install it: npm install --prefix ${npm} --omit=peer --ignore-scripts absent@2`,
    `the package "./gone" is not there: ${ws.path}/.pi-go/gone or ${ws.home}/.pi-go/gone does not exist`,
    `the package "git:github.com/u/r@v1" is not there; to get it: git clone https://github.com/u/r ${ws.home}/.pi-go/git/github.com/u/r`,
  ]);
});

test("settings and manifests that cannot be read stop nothing", async () => {
  await using ws = await workspace({ "pkg/package.json": "{", "pkg/index.ts": "" });
  ws.write(join(ws.home, ".pi/agent/settings.json"), "[1,");
  const { entries, problems } = findExtensions(sources(ws, { given: ["pkg"] }));
  expect(entries.map(({ name }) => name)).toEqual(["pkg"]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toStartWith(`${ws.path}/pkg/package.json cannot be read: `);
});
