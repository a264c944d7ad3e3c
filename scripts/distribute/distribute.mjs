// Everything that is published: executables and archives for each platform with their checksums, and the npm packages.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildTime } from "./build-stamp.mjs";
import { writeChecksums } from "./checksums.mjs";
import { compileFor, PROGRAMS, ripgrepOf } from "./compile.mjs";
import { executableFault } from "./executable-format.mjs";
import { licenceTexts } from "./licences.mjs";
import { VERSION, writeAgentPackage, writeMemoryPackage, writePlatformPackage } from "./npm-packages.mjs";
import { DIST, REMEM, ROOT } from "./paths.mjs";
import { PLATFORMS, platformNamed, thisPlatform } from "./platforms.mjs";
import { storedPackage } from "./stored-package.mjs";
import { writeTarGz } from "./tar.mjs";
import { writeZip } from "./zip.mjs";

export const USAGE = `usage: node scripts/distribute.mjs [--all | PLATFORM ...] [--out FOLDER] [--fetch]
  writes FOLDER/release and FOLDER/npm (default: dist), for this platform or for those named
  platforms: ${PLATFORMS.map(({ name }) => name).join(", ")}
  --fetch only fetches what the platforms need from the npm registry
`;

/** Makes what these words ask for. Throws an Error when an executable cannot be made or is not what it should be. */
export async function distribute(words) {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { all: { type: "boolean" }, fetch: { type: "boolean" }, out: { type: "string" } },
  });
  const platforms = values.all ? PLATFORMS : positionals.map(platformNamed);
  if (platforms.length === 0) {
    const here = thisPlatform();
    if (here === undefined) throw new Error(`there is no executable for this platform\n${USAGE}`);
    platforms.push(here);
  }
  for (const { bun, ripgrep } of platforms) for (const name of [`@oven/${bun}`, ripgrep]) storedPackage(name);
  if (!values.fetch) await writeAll(resolve(values.out ?? DIST), platforms);
}

async function writeAll(folder, platforms) {
  const release = join(folder, "release");
  const packages = join(folder, "npm");
  for (const each of [release, packages]) {
    rmSync(each, { recursive: true, force: true });
    mkdirSync(each, { recursive: true });
  }
  buildParts();
  const notices = writeNotices(release);
  const files = [];
  for (const platform of platforms) {
    files.push(...(await writeRelease(release, platform, notices)));
    const executable = join(release, platform.name, `pi${platform.suffix}`);
    writePlatformPackage(join(packages, `pi-ts-${platform.name}`), platform, executable, notices);
  }
  await writeChecksums(release, files);
  writeAgentPackage(join(packages, "pi-ts"), notices);
  writeMemoryPackage(join(packages, "agentic-remem"), notices);
  process.stdout.write(`${release}\n${packages}\n`);
}

/** The parts of packages that `npm run build` makes for the checkout, too. */
function buildParts() {
  const { status } = spawnSync(process.execPath, [join(ROOT, "scripts", "build.mjs"), "hosts", "rpc"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("the extensions for hosts and the RPC client cannot be built");
}

/** The executables of a platform, checked, and the archive with them; gives the files' names in the release folder. */
async function writeRelease(release, platform, notices) {
  const vectors = readFileSync(join(REMEM, "assets", "static-20k.bin"));
  const made = [];
  for (const [name, { ripgrep }] of Object.entries(PROGRAMS)) {
    const file = `${name}${platform.suffix}`;
    const path = join(release, platform.name, file);
    compileFor(name, platform, path);
    const contents = {
      "word vectors": vectors,
      ...(ripgrep ? { ripgrep: readFileSync(ripgrepOf(platform)) } : {}),
    };
    const fault = executableFault(readFileSync(path), platform, contents);
    if (fault !== undefined) throw new Error(`${path}: ${fault}`);
    made.push({ name: file, path, executable: true });
  }
  const title = `pi-ts-${VERSION}-${platform.name}`;
  const entries = [...made, ...notices].map((entry) => ({ ...entry, name: `${title}/${entry.name}` }));
  const [archive, write] =
    platform.os === "win32" ? [`${title}.zip`, writeZip] : [`${title}.tar.gz`, writeTarGz];
  await write(join(release, archive), entries, buildTime());
  return [archive, ...made.map(({ name }) => `${platform.name}/${name}`)];
}

/** The files about rights, which go into every archive and package. */
function writeNotices(release) {
  const texts = join(release, "THIRD_PARTY_LICENSES.txt");
  const mains = Object.values(PROGRAMS).map(({ main }) => main);
  writeFileSync(texts, licenceTexts(mains, [storedPackage("@vscode/ripgrep")]));
  return [
    ...["LICENSE", "THIRD_PARTY_NOTICES.md"].map((name) => ({ name, path: join(ROOT, name) })),
    { name: "THIRD_PARTY_LICENSES.txt", path: texts },
  ];
}
