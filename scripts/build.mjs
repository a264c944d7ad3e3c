// `npm run build`: writes dist/pi and dist/remem, executables for this platform, and packages/remem/dist/hosts/, the extensions that Pi and
// OpenCode load, and packages/agent/dist/rpc/, the client of `pi --mode rpc`. `npm run build remem` (or `pi`, `hosts`, `rpc`) writes one of
// these. `npm run build -- --all` makes everything that is published, for every platform (scripts/distribute.mjs).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bunBuild } from "./distribute/bun-build.mjs";
import { compileHere, PROGRAMS } from "./distribute/compile.mjs";
import { DIST, ROOT as root } from "./distribute/paths.mjs";

const suffix = process.platform === "win32" ? ".exe" : "";

/** The extensions for other programs: one ES module each, for Node and Bun. */
const HOSTS = {
  pi: ["pi", "index.ts"],
  opencode: ["opencode", "v2.ts"],
  "opencode-v1": ["opencode", "v1.ts"],
};

/**
 * Everything is inside but `pg`, which most people never need: it is loaded from the package's own folder where storage says postgres. The
 * word vectors stay a file of their own beside the code (`assets/`), found by its own address.
 */
function buildHost(name, path) {
  const main = join(root, "packages", "remem", "src", "hosts", ...path);
  if (!existsSync(main)) return;
  const target = join(root, "packages", "remem", "dist", "hosts", `${name}.js`);
  // jsonc-parser's main entry finds its parts in a way that no bundler follows.
  const flags = ["--target=node", "--format=esm", "--minify", "--main-fields=module", "--main-fields=main"];
  bun(target, [...flags, "--external=pg", "--external=pg-native", "--external=*.bin", main]);
}

/** The client of `pi --mode rpc` (`pi-ts/rpc`): one ES module that plain Node loads, with its types. */
function buildClient() {
  const main = join(root, "packages", "agent", "src", "client", "index.ts");
  const folder = join(root, "packages", "agent", "dist", "rpc");
  bun(join(folder, "index.js"), ["--target=node", "--format=esm", main]);
  const require = createRequire(join(root, "package.json"));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const language = ["--target", "es2022", "--lib", "es2022,esnext.disposable", "--types", "node"];
  const modules = ["--module", "nodenext", "--allowImportingTsExtensions", "--verbatimModuleSyntax"];
  const output = ["--declaration", "--emitDeclarationOnly", "--stripInternal", "--outDir", folder];
  const flags = ["--ignoreConfig", "--strict", "--skipLibCheck", ...language, ...modules, ...output];
  const result = spawnSync(process.execPath, [tsc, ...flags, main], { cwd: root, stdio: "inherit" });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function bun(target, words) {
  bunBuild(target, words);
  process.stdout.write(`${target}\n`);
}

function build(name) {
  const target = join(DIST, `${name}${suffix}`);
  compileHere(name, target);
  process.stdout.write(`${target}\n`);
}

const wanted = process.argv.slice(2);
if (wanted.includes("--all")) {
  const { distribute } = await import("./distribute/distribute.mjs");
  await distribute(wanted);
} else {
  for (const name of Object.keys(PROGRAMS)) if (wanted.length === 0 || wanted.includes(name)) build(name);
  if (wanted.length === 0 || wanted.includes("hosts"))
    for (const [name, path] of Object.entries(HOSTS)) buildHost(name, path);
  if (wanted.length === 0 || wanted.includes("rpc")) buildClient();
}
