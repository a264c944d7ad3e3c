/** The current folder's own package files beside extensions of the user's: packages are found beside an extension, and nowhere else. */
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { modelServer, runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { pi } from "./support/pi.ts";

const NAMES = ["absent", "dep", "#x", "hostile", "hostile/sub", "left-pad"];

/** Says which of these it could import, and which `require` finds. */
const IMPORTS = `const found = [];
for (const name of ${JSON.stringify(NAMES)}) {
  try { await import(name); found.push(name); } catch {}
  try { require.resolve(name); found.push("require " + name); } catch {}
}
export default (pi) => { pi.registerCommand("found", { handler: (_, ctx) => ctx.ui.notify(JSON.stringify(found)) }); };`;

async function found(ws: Workspace, env: Record<string, string> = {}): Promise<unknown> {
  const file = join(ws.outside, "own", "x.ts");
  ws.write(file, IMPORTS);
  await using server = await modelServer();
  const { code, stdout, stderr } = await pi(ws, ["-e", file, "-p", "/found"], { server, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const evil = (marker: string) => `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "ran");\n`;

const MANIFESTS: Record<string, object> = {
  "its own name and exports": { name: "hostile", exports: { ".": "./evil.js", "./sub": "./evil.js" } },
  imports: { imports: { "#x": "./evil.js", "#*": "./evil.js" } },
  "main, module and browser": {
    main: "evil.js",
    module: "evil.js",
    browser: { dep: "./evil.js", "node:fs": "./evil.js", typebox: "./evil.js" },
  },
  "type and a module of that type": { type: "commonjs" },
  "dependencies, overrides and workspaces": {
    dependencies: { absent: "file:./evil", "left-pad": "1.0.0" },
    overrides: { typebox: "file:./evil" },
    resolutions: { typebox: "file:./evil" },
    workspaces: ["*"],
  },
  "patches and scripts": {
    patchedDependencies: { "left-pad@1.0.0": "evil.patch" },
    trustedDependencies: ["dep"],
    scripts: { preinstall: "node evil.js", postinstall: "node evil.js", start: "node evil.js" },
  },
  "Bun's own keys": { bun: { preload: ["./evil.js"] }, bunfig: { preload: ["./evil.js"] } },
};

test.each(Object.entries(MANIFESTS))(
  "%s in the current folder's package.json do nothing for an extension that lies elsewhere [X01]",
  async (_, manifest) => {
    await using ws = await workspace({ "package.json": JSON.stringify(manifest) });
    const marker = join(ws.outside, "ran");
    for (const name of [
      "evil.js",
      "evil/index.js",
      "node_modules/dep/index.js",
      "node_modules/left-pad/index.js",
    ])
      ws.write(name, evil(marker));
    expect(await found(ws)).toEqual([]);
    expect(ws.exists(marker)).toBe(false);
  },
);

test.each([
  ["is no JSON", "{ name: "],
  ["is empty", ""],
  ["holds a name that is no text", '{"name": {"toString": 1}, "exports": 7, "imports": []}'],
])("a package.json that %s stops nothing [X01]", async (_, text) => {
  await using ws = await workspace({ "package.json": text });
  expect(await found(ws)).toEqual([]);
});

test("a folder or a pipe in the place of package.json stops nothing [X01]", async () => {
  await using ws = await workspace();
  mkdirSync(ws.at("package.json"));
  expect(await found(ws)).toEqual([]);
  await using other = await workspace();
  await runProcess(["mkfifo", other.at("package.json")]);
  expect(await found(other)).toEqual([]);
});

test("a package that is not there is not fetched, whatever .npmrc and bunfig.toml say [X01]", async () => {
  const asked: string[] = [];
  const registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(request.url);
      return new Response("{}", { status: 404 });
    },
  });
  try {
    const url = registry.url.href;
    await using ws = await workspace({
      ".npmrc": `registry=${url}\n`,
      "bunfig.toml": `[install]\nauto = "force"\nregistry = "${url}"\n`,
    });
    expect(await found(ws, { BUN_CONFIG_REGISTRY: url })).toEqual([]);
    expect(asked).toEqual([]);
  } finally {
    await registry.stop(true);
  }
});
