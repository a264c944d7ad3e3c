// The licence texts of every package that a program is made of, as its bundle really holds them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runBun } from "./bun-build.mjs";
import { ROOT, readJson } from "./paths.mjs";

const LICENCE = /^(licen[cs]e|copying|notice|thirdpartynotices)/i;
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** What an executable holds besides the packages of the bundle. */
const RUNTIME = `Bun
MIT. The executables contain Bun, which is linked statically with JavaScriptCore and other parts of WebKit and with TinyCC (both under the
GNU Lesser General Public License 2.1), and with libraries under MIT, BSD, Apache-2.0, zlib and similar licences. Their list, their texts and
how to link Bun anew with another WebKit: https://github.com/oven-sh/bun/blob/main/LICENSE.md. The executables of this project can be made
anew with any Bun: npm run build.
`;

/** One text: name, version, licence and licence text of each package in the bundles of these programs, by name. */
export function licenceTexts(mains, extra = []) {
  const folders = new Set([...mains.flatMap(bundledFolders), ...extra]);
  const parts = [...folders]
    .map((folder) => ({ folder, ...readJson(join(folder, "package.json")) }))
    .sort((one, other) => compare(`${one.name}@${one.version}`, `${other.name}@${other.version}`))
    .map(({ folder, name, version, license, author }) => {
      const texts = readdirSync(folder).filter((file) => LICENCE.test(file));
      const written = texts.map((file) => readFileSync(join(folder, file), "utf8").trim());
      const byline = typeof author === "string" ? author : author?.name;
      const told =
        written.length > 0
          ? written
          : [
              `Copyright ${byline ?? name}. The package comes without the text, which stands in THIRD_PARTY_NOTICES.md.`,
            ];
      return [`${name} ${version}`, license, "", ...told].join("\n");
    });
  return [RUNTIME, ...parts].join(`\n${"-".repeat(80)}\n\n`).concat("\n");
}

function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

function bundledFolders(main) {
  const folder = mkdtempSync(join(tmpdir(), "pi-ts-bundle-"));
  try {
    const metadata = join(folder, "bundle.json");
    const flags = ["--target=bun", "--splitting", "--external=pg-native", `--metafile=${metadata}`];
    runBun(["build", ...flags, "--outdir", join(folder, "out"), main], "ignore");
    const paths = Object.keys(readJson(metadata).inputs);
    const found = paths.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []).map((path) => join(ROOT, path));
    return [...new Set(found)].filter((path) => existsSync(join(path, "package.json")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
