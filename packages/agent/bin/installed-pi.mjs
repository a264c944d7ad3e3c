#!/usr/bin/env node
// The command `pi` of the published package: starts the executable that npm chose for this platform, which lies in a package of its own. No
// install script is needed, and nothing of the current folder is looked at.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { start } from "./start.mjs";

const require = createRequire(import.meta.url);
const platform = `${process.platform}-${process.arch}`;
const name = `pi-ts-${platform}`;

function executable() {
  try {
    const folder = dirname(require.resolve(`${name}/package.json`));
    return join(folder, "bin", process.platform === "win32" ? "pi.exe" : "pi");
  } catch {
    // npm left it out
    return undefined;
  }
}

function missing() {
  const { version, optionalDependencies } = require("../package.json");
  const names = Object.keys(optionalDependencies);
  if (!names.includes(name)) {
    const platforms = names.map((each) => each.slice("pi-ts-".length)).join(", ");
    return `pi-ts: there is no executable for ${platform}\n  there are executables for ${platforms}; elsewhere pi runs from a checkout`;
  }
  return `pi-ts: the package ${name} with the executable is not installed\n  npm leaves it out with --omit=optional, with a lock file of another platform, and on systems without glibc (Alpine)\n  install it beside pi-ts: npm install ${name}@${version} (with -g where pi-ts is global)`;
}

const found = executable();
if (found === undefined) {
  process.stderr.write(`${missing()}\n`);
  process.exit(1);
}
start([found, ...process.argv.slice(2)]);
