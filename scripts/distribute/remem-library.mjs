// agentic-remem as plain JavaScript: Node strips no types below node_modules, so that the source itself cannot be published.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { runBun } from "./bun-build.mjs";
import { REMEM, ROOT } from "./paths.mjs";

const SOURCE = /^\.\/src\/(.+)\/index\.ts$/;

/** The exports of a package.json as they are published: what led to the source leads to what `buildLibrary` writes. */
export function publishedExports(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([name, target]) => {
      const folder = SOURCE.exec(target)?.[1];
      if (folder === undefined) return [name, target];
      const types = `./dist/types/${folder}/index.d.ts`;
      return [name, { types, default: `./dist/lib/${entryName(folder)}.js` }];
    }),
  );
}

/**
 * Writes `dist/lib/` and `dist/types/` into a folder: every entrance of the exports, and `main.js`, the command line. They share their parts,
 * so that a class is the same through all of them. Everything is inside but `pg`, and the vectors, which are found two folders above.
 */
export function buildLibrary(exports, target) {
  const folders = Object.values(exports).flatMap((path) => SOURCE.exec(path)?.[1] ?? []);
  const entries = join(target, ".entries");
  mkdirSync(entries, { recursive: true });
  try {
    const files = folders.map((folder) =>
      entry(entries, entryName(folder), `export * from "${from(entries, `${folder}/index.ts`)}";\n`),
    );
    files.push(entry(entries, "main", `import "${from(entries, "cli/main.ts")}";\n`));
    // jsonc-parser's main entry finds its parts in a way that no bundler follows.
    const flags = ["--target=node", "--format=esm", "--minify", "--main-fields=module", "--main-fields=main"];
    const outside = ["--external=pg", "--external=pg-native", "--external=*.bin"];
    const names = ["--splitting", "--entry-naming=[name].js", "--chunk-naming=part-[hash].js"];
    runBun(["build", ...flags, ...outside, ...names, "--outdir", join(target, "dist", "lib"), ...files]);
  } finally {
    rmSync(entries, { recursive: true, force: true });
  }
  declareTypes(folders, join(target, "dist", "types"));
}

function entryName(folder) {
  return folder.replaceAll("/", "-");
}

function from(folder, path) {
  return relative(folder, join(REMEM, "src", path)).replaceAll("\\", "/");
}

function entry(folder, name, text) {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, text);
  return file;
}

function declareTypes(folders, target) {
  const require = createRequire(join(ROOT, "package.json"));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const source = join(REMEM, "src");
  const language = ["--target", "es2024", "--lib", "es2024,esnext.disposable,esnext.asynciterable"];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--allowImportingTsExtensions"];
  const output = ["--declaration", "--emitDeclarationOnly", "--stripInternal", "--rootDir", source];
  const flags = ["--ignoreConfig", "--strict", "--skipLibCheck", "--types", "bun", ...language, ...modules];
  const files = folders.map((folder) => join(source, folder, "index.ts"));
  const words = [tsc, ...flags, ...output, "--outDir", target];
  const assets = join(source, "embed", "binary-assets.d.ts");
  const { status } = spawnSync(process.execPath, [...words, assets, ...files], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the types of agentic-remem cannot be written");
}
