// Compiles the executables, for this platform or another one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildStamp } from "./build-stamp.mjs";
import { bunBuild } from "./bun-build.mjs";
import { signedAdHoc } from "./mach-o-signature.mjs";
import { AGENT, REMEM } from "./paths.mjs";
import { storedPackage } from "./stored-package.mjs";

/** The executables: where each begins, and whether ripgrep travels inside. */
export const PROGRAMS = {
  pi: { main: join(AGENT, "src", "cli", "main.ts"), ripgrep: true },
  remem: { main: join(REMEM, "src", "cli", "main.ts"), ripgrep: false },
};

const FLAGS = [
  "--compile",
  "--minify",
  "--bytecode",
  "--splitting",
  // A run is short: less compiling ahead starts and steps faster (measured: 10 to 20 % less), and hot loops still get compiled.
  "--compile-jit-policy=20",
  "--format=esm",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  // Extensions import packages that lie beside them, which only a package.json can name; nothing else is resolved at run time.
  "--compile-autoload-package-json",
  // pg looks for a faster sibling that nobody needs.
  "--external=pg-native",
];

/** Writes `dist/pi` or `dist/remem` for the machine this runs on. Without ripgrep it goes on: searching then uses the built-in engine. */
export function compileHere(name, target) {
  const { main, ripgrep } = PROGRAMS[name];
  const asset = ripgrep ? installedRipgrep() : undefined;
  bunBuild(target, [...FLAGS, ...stamp(), ...(asset === undefined ? [] : ["--asset", asset]), main]);
}

/**
 * The same for a platform of the table, as it is given to others: its Bun and its ripgrep come from npm, pinned and checked by
 * package-lock.json, and their absence is an Error.
 */
export function compileFor(name, platform, target) {
  const { main, ripgrep } = PROGRAMS[name];
  const bun = join(storedPackage(`@oven/${platform.bun}`), "bin", `bun${platform.suffix}`);
  // With a Bun that lies here, nothing is downloaded.
  const words = [`--target=${platform.bun}`, `--compile-executable-path=${bun}`];
  if (ripgrep) words.push("--asset", ripgrepOf(platform));
  bunBuild(target, [...FLAGS, ...stamp(), ...words, main]);
  // For arm64 Bun signs what it writes; for x64 it leaves the signature of its own executable, which does not fit any more.
  if (platform.name === "darwin-x64") writeFileSync(target, signedAdHoc(readFileSync(target), name));
}

/** The ripgrep that goes into a platform's `pi`. */
export function ripgrepOf(platform) {
  return join(storedPackage(platform.ripgrep), "bin", `rg${platform.suffix}`);
}

function stamp() {
  return ["--define", `PI_BUILD_STAMP=${JSON.stringify(buildStamp())}`];
}

function installedRipgrep() {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "rg.exe" : "rg";
  const places = createRequire(join(AGENT, "package.json")).resolve.paths(name) ?? [];
  const found = places.map((place) => join(place, name, "bin", file)).find((path) => existsSync(path));
  if (found === undefined)
    process.stderr.write(`build: ${name} is not installed; pi will search with its built-in engine\n`);
  return found;
}
