// Packages of other platforms, which `npm install` leaves out: fetched once, through npm, and checked by package-lock.json.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./npm.mjs";
import { DIST, ROOT, readJson } from "./paths.mjs";

const STORE = join(DIST, ".packages");
let locked;

/**
 * The folder with an npm package in the version that package-lock.json pins: the installed one, else one that was fetched before, else it
 * is fetched. Throws an Error when it is not pinned, cannot be fetched, or is not what was pinned.
 */
export function storedPackage(name) {
  locked ??= readJson(join(ROOT, "package-lock.json")).packages;
  const pin = locked[`node_modules/${name}`];
  if (pin?.integrity === undefined) throw new Error(`package-lock.json pins no ${name}`);
  const installed = join(ROOT, "node_modules", name);
  if (existsSync(join(installed, "package.json"))) return installed;
  const stored = join(STORE, `${name.replace("/", "+")}@${pin.version}`);
  if (!existsSync(stored)) fetchPackage(`${name}@${pin.version}`, pin.integrity, stored);
  return stored;
}

function fetchPackage(spec, integrity, target) {
  process.stderr.write(`fetching ${spec} from the npm registry\n`);
  mkdirSync(STORE, { recursive: true });
  const folder = mkdtempSync(join(STORE, "fetching-"));
  try {
    npm(["pack", spec, "--silent", "--pack-destination", folder], { cwd: folder });
    const file = readdirSync(folder)[0];
    const found = `sha512-${createHash("sha512")
      .update(readFileSync(join(folder, file)))
      .digest("base64")}`;
    if (found !== integrity)
      throw new Error(`${spec} is not what package-lock.json pins: ${found} instead of ${integrity}`);
    const { status, stderr } = spawnSync("tar", ["-xzf", file], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`${spec} cannot be unpacked: ${stderr}`);
    renameSync(join(folder, "package"), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
