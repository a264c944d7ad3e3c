/** What `node scripts/distribute.mjs` makes, and what a machine has that installs it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProcess, testNode, type Workspace, workspace } from "@pi-ts/testkit";
import { type NpmRegistry, npmRegistry, type PackedPackage } from "./npm-registry.ts";
import { ROOT } from "./pi.ts";

/** The platform of this machine, as the packages are named. */
export const HERE = `${process.platform}-${process.arch}`;

/** The platform that is built on others as a proof: of all, the one that needs most after the compiler. */
export const FOREIGN = "darwin-x64";
const FOREIGN_PACKAGES = ["@oven+bun-darwin-x64", "@vscode+ripgrep-darwin-x64"];

/** Whether its parts were fetched before: tests use no network. */
export const FOREIGN_FETCHED = FOREIGN_PACKAGES.every((name) => {
  const { packages } = readJson(join(ROOT, "package-lock.json")) as {
    packages: Record<string, { version: string }>;
  };
  const { version } = packages[`node_modules/${name.replace("+", "/")}`]!;
  return existsSync(join(ROOT, "dist", ".packages", `${name}@${version}`));
});

/** A JSON file. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** What is published, in a temp folder. */
export interface Published extends AsyncDisposable {
  readonly release: string;
  readonly npm: string;
}

/** Makes everything that is published for this platform and those named. */
export async function publish(...platforms: readonly string[]): Promise<Published> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pi-ts-published-")));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const script = join(ROOT, "scripts", "distribute.mjs");
  const made = await runProcess(["node", script, "--out", folder, HERE, ...platforms], {
    timeoutMs: 900_000,
  });
  if (made.code !== 0) {
    remove();
    throw new Error(`distribute.mjs ended with ${made.code}: ${made.stderr}`);
  }
  return {
    release: join(folder, "release"),
    npm: join(folder, "npm"),
    [Symbol.asyncDispose]: async () => remove(),
  };
}

/** The packages, packed, with everything they need, in a registry. */
export async function registryWith(npm: string): Promise<NpmRegistry> {
  const tarballs = join(dirname(npm), "tarballs");
  mkdirSync(tarballs);
  const ours = ["pi-ts", `pi-ts-${HERE}`, "agentic-remem"].map((name) => join(npm, name));
  const theirs = closure("pg").map((name) => join(ROOT, "node_modules", name));
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", tarballs];
  const packed = await runProcess(["npm", ...words, ...ours, ...theirs], {
    cwd: npm,
    timeoutMs: 600_000,
  });
  if (packed.code !== 0) throw new Error(`npm pack ended with ${packed.code}: ${packed.stderr}`);
  const told = JSON.parse(packed.stdout) as unknown;
  const list = Object.values(told as object) as Omit<PackedPackage, "manifest">[];
  const folders = [...ours, ...theirs];
  return npmRegistry(
    tarballs,
    list.map((each) => {
      const folder = folders.find((path) => path.replaceAll("\\", "/").endsWith(`/${each.name}`))!;
      return { ...each, manifest: readJson(join(folder, "package.json")) as object };
    }),
  );
}

/** A package of the checkout with all that it depends on. */
function closure(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [...seen];
  seen.add(name);
  const { dependencies = {} } = readJson(join(ROOT, "node_modules", name, "package.json")) as {
    dependencies?: Record<string, string>;
  };
  for (const each of Object.keys(dependencies)) closure(each, seen);
  return [...seen];
}

/** The settings of npm on a machine that knows no registry but this one, has nothing stored, and forbids install scripts. */
export function npmEnv(ws: Workspace, registry: NpmRegistry | undefined, node: string | null = null) {
  const { PATH } = ws.env();
  return ws.env({
    PATH: node === null ? PATH : `${dirname(node)}:${PATH}`,
    npm_config_registry: registry?.url ?? "http://127.0.0.1:9/",
    npm_config_cache: join(ws.temp, "npm"),
    npm_config_ignore_scripts: "true",
    npm_config_update_notifier: "false",
    npm_config_fetch_retries: "0",
    npm_config_audit: "false",
    npm_config_fund: "false",
  });
}

/** An empty folder into which packages were installed. */
export async function installed(registry: NpmRegistry, ...words: readonly string[]): Promise<Workspace> {
  const ws = await workspace({ "package.json": '{ "name": "a-project", "private": true }' });
  const result = await runProcess(["npm", "install", ...words], {
    cwd: ws.path,
    env: npmEnv(ws, registry, MODERN_NODE),
    timeoutMs: 600_000,
  });
  if (result.code === 0) return ws;
  await ws[Symbol.asyncDispose]();
  throw new Error(`npm install ended with ${result.code}: ${result.stderr}`);
}

/** A Node that agentic-remem runs on; null where there is none on this machine. */
export const MODERN_NODE: string | null = modernNode();

function modernNode(): string | null {
  const path = testNode() ?? Bun.which("node");
  if (path === null) return null;
  const version = Bun.spawnSync([path, "--version"]).stdout.toString();
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19) ? path : null;
}
