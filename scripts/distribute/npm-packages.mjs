// The packages as they are published: folders for `npm publish`. Their manifests come from those of the workspace.
import { chmodSync, copyFileSync, cpSync, linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AGENT, REMEM, ROOT, readJson } from "./paths.mjs";
import { PLATFORMS } from "./platforms.mjs";
import { buildLibrary, publishedExports } from "./remem-library.mjs";

/** Pages that pi-ts brings along: all that its README links to. */
const PAGES = ["README.md", "CHANGELOG.md", "docs", ...linkedPages("README.md")];
/** Pages of agentic-remem; its README links to them. */
const MEMORY_PAGES = ["memory.md", "remem.md", "privacy.md", "pi.md", "opencode.md"];

const agent = readJson(join(AGENT, "package.json"));
const remem = readJson(join(REMEM, "package.json"));

export const VERSION = agent.version;

/** `pi-ts-<platform>`: one executable, and the only package that is large. */
export function writePlatformPackage(folder, platform, executable, notices) {
  const file = `pi${platform.suffix}`;
  mkdirSync(join(folder, "bin"), { recursive: true });
  linkOrCopy(executable, join(folder, "bin", file));
  addNotices(folder, notices);
  writeManifest(folder, {
    name: `${agent.name}-${platform.name}`,
    version: agent.version,
    description: `The executable of ${agent.name} for ${platform.name}`,
    license: agent.license,
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.libc === undefined ? {} : { libc: [platform.libc] }),
    // An executable cannot be started inside of an archive (Yarn).
    preferUnplugged: true,
    files: ["bin", ...notices.map(({ name }) => name)],
  });
}

/** `pi-ts`: the launcher, the client of `pi --mode rpc`, and the pages. It names the platform packages, of which npm installs one. */
export function writeAgentPackage(folder, notices) {
  copy(join(AGENT, "bin", "installed-pi.mjs"), join(folder, "bin", "pi.mjs"), 0o755);
  copy(join(AGENT, "bin", "start.mjs"), join(folder, "bin", "start.mjs"), 0o644);
  cpSync(join(AGENT, "dist", "rpc"), join(folder, "dist", "rpc"), { recursive: true });
  for (const page of PAGES) cpSync(join(ROOT, page), join(folder, page), { recursive: true });
  addNotices(folder, notices);
  const { name, version, description, license, type, exports } = agent;
  writeManifest(folder, {
    ...{ name, version, description, license, type },
    engines: { node: ">=20" },
    bin: { pi: "bin/pi.mjs" },
    exports: { ...exports, "./rpc": withoutSource(exports["./rpc"]) },
    files: ["bin", "dist", ...PAGES, ...notices.map((notice) => notice.name)],
    optionalDependencies: Object.fromEntries(
      PLATFORMS.map((platform) => [`${name}-${platform.name}`, version]),
    ),
  });
}

/** `agentic-remem`: the memory engine for Node 22.19 and newer and for Bun, its command, and the extensions for Pi and OpenCode. */
export function writeMemoryPackage(folder, notices) {
  buildLibrary(remem.exports, folder);
  copy(join(REMEM, "bin", "installed-remem.mjs"), join(folder, "bin", "remem.mjs"), 0o755);
  cpSync(join(REMEM, "dist", "hosts"), join(folder, "dist", "hosts"), { recursive: true });
  cpSync(join(REMEM, "assets"), join(folder, "assets"), { recursive: true });
  copy(join(ROOT, "scripts", "distribute", "remem-readme.md"), join(folder, "README.md"), 0o644);
  for (const page of MEMORY_PAGES) copy(join(ROOT, "docs", page), join(folder, "docs", page), 0o644);
  addNotices(folder, notices);
  const { private: _, devDependencies, scripts, dependencies, exports, ...kept } = remem;
  writeManifest(folder, {
    ...kept,
    version: remem.version,
    exports: publishedExports(exports),
    files: ["assets", "bin", "dist", "docs", ...notices.map(({ name }) => name)],
    // All others are inside; pg is loaded where somebody stores in PostgreSQL.
    dependencies: { pg: dependencies.pg },
  });
}

/** The pages beside a page that it links to. */
function linkedPages(page) {
  const links = readFileSync(join(ROOT, page), "utf8").matchAll(/\]\(([\w.-]+\.md)\b[^)]*\)/g);
  const notices = ["LICENSE", "THIRD_PARTY_NOTICES.md"];
  return [...new Set([...links].map(([, path]) => path))].filter((path) => !notices.includes(path));
}

/** The entrance of plain Node: the source, which Bun could run, is not published. */
function withoutSource({ bun: _, ...others }) {
  return others;
}

function addNotices(folder, notices) {
  for (const { name, path } of notices) copy(path, join(folder, name), 0o644);
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function copy(from, to, mode) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, mode);
}

function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    // another disk, or a file system without links
    copyFileSync(from, to);
  }
}
