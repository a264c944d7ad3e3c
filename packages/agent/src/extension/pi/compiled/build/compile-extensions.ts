import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { writeFileAtomic } from "../../../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../../../platform/private-folder.ts";
import { randomHex } from "../../../../platform/random.ts";
import type { ExtensionEntry } from "../../load/extension-entry.ts";
import {
  type CompiledCode,
  type CompiledModule,
  type CompiledPlace,
  type CompiledSet,
  installedEntries,
  packageFolder,
  realPath,
  seen,
  setName,
} from "../compiled-set.ts";
import { compilable, runAtOnce } from "./compilable.ts";
import { type GraphModule, moduleGraph } from "./module-graph.ts";
import { resolutionInputs } from "./resolution-inputs.ts";

/** Sets that are kept: those made last. */
const MOST_SETS = 4;
/** Source text of one set; more is not compiled. */
const MOST_BYTES = 32 * 1024 * 1024;
/** A package that writes into its own folder at each start is not compiled more often in a day. */
const MOST_A_DAY = 6;
const DAY_MS = 24 * 60 * 60_000;
/** A folder that no set names may be in the making for so long. */
const MAKING_MS = 10 * 60_000;

/**
 * Compiles the installed ones of these extensions, together, for the next start. `host`: whether a name is a module of ours. Returns what
 * was made; null when none of them is installed, or their files change too often for it. Throws when the cache cannot be written.
 */
export async function compileExtensions(
  entries: readonly ExtensionEntry[],
  place: CompiledPlace,
  host: (name: string) => boolean,
): Promise<CompiledSet | null> {
  const installed = installedEntries(entries);
  if (installed.length === 0) return null;
  const description = join(place.folder, `${setName(installed, place.program)}.json`);
  const now = Date.now();
  const before = madeBefore(description).filter((time) => now - time < DAY_MS);
  if (before.length >= MOST_A_DAY) return null;
  const named = installed.map(({ file }) => [file, realPath(file)!] as const);
  const roots = named.map(([, real]) => real);
  const graph = await moduleGraph(roots, host);
  const { inputs, absent, links } = resolutionInputs(graph.values());
  const { modules, refused } = compilable(graph, roots);
  const size = modules.reduce((sum, { text }) => sum + text!.length, 0);
  ensurePrivateFolder(place.folder);
  const folder = join(place.folder, `${setName(installed, place.program)}-${randomHex(8)}`);
  const written =
    size > MOST_BYTES
      ? { code: [], modules: [] }
      : await writeCode(folder, modules, roots, runAtOnce(graph, roots));
  const set: CompiledSet = {
    program: place.program,
    entries: named,
    inputs: [...[...graph.values()].map((module) => module.seen), ...inputs],
    absent,
    links,
    made: [...before, now],
    refused,
    ...written,
  };
  writeFileAtomic(description, JSON.stringify(set), { mode: 0o600, durable: false });
  prune(place.folder);
  return set;
}

function madeBefore(description: string): readonly number[] {
  try {
    return (JSON.parse(readFileSync(description, "utf8")) as Partial<CompiledSet>).made ?? [];
  } catch {
    // There is none, or it is cut short.
    return [];
  }
}

/** Code files for the package of each entry, by whose name faults are known, and for what they depend on; what runs later has its own. */
async function writeCode(
  folder: string,
  modules: readonly GraphModule[],
  roots: readonly string[],
  atOnce: ReadonlySet<string>,
): Promise<Pick<CompiledSet, "code" | "modules">> {
  const bases = [...new Set(roots.map(packageFolder))];
  const parts = new Map<string, { base: string | null; late: boolean; all: GraphModule[] }>();
  for (const module of modules) {
    const own = packageFolder(module.path);
    const base = bases.includes(own) ? own : null;
    const late = !atOnce.has(module.path);
    const key = `${String(late)} ${String(base)}`;
    const part = parts.get(key) ?? { base, late, all: [] };
    part.all.push(module);
    parts.set(key, part);
  }
  if (parts.size > 0) mkdirSync(folder, { mode: 0o700 });
  const code: CompiledCode[] = [];
  const placed: CompiledModule[] = [];
  for (const { base, late, all } of parts.values()) {
    const name = `${base === null ? "dependencies" : basename(base)}-${code.length}`;
    const file = await writeBytecode(folder, name, all);
    for (const [at, { path, references, order }] of all.entries())
      placed.push({ path, code: code.length, at, references, order });
    code.push({ file: seen(file)!, bytecode: seen(`${file}.jsc`)!, base, late });
  }
  return { code, modules: placed };
}

async function writeBytecode(folder: string, name: string, modules: readonly GraphModule[]): Promise<string> {
  const contents = `module.exports = [\n${modules.map(({ text }) => text!).join(",\n")}\n];\n`;
  await Bun.build({
    entrypoints: [name],
    outdir: folder,
    naming: `${name}.[ext]`,
    target: "bun",
    format: "cjs",
    bytecode: true,
    minify: { whitespace: true },
    ignoreDCEAnnotations: true,
    plugins: [
      {
        name: "pi-compiled-code",
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
            kind.startsWith("entry-point") ? { path, namespace: "pi" } : { path, external: true },
          );
          build.onLoad({ filter: /.*/, namespace: "pi" }, () => ({ contents, loader: "js" }));
        },
      },
    ],
  });
  const file = join(folder, `${name}.js`);
  for (const path of [file, `${file}.jsc`]) chmodSync(path, 0o600);
  return file;
}

/** Takes away all but the newest sets, and folders that none of them uses. What another process has taken away already is fine. */
function prune(folder: string): void {
  const aged = readdirSync(folder).flatMap((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat === undefined ? [] : [{ name, mtimeMs: stat.mtimeMs }];
  });
  const sets = aged.filter(({ name }) => name.endsWith(".json")).sort((a, b) => b.mtimeMs - a.mtimeMs);
  const nameOf = (name: string) => name.split(/[.-]/)[0]!;
  const old = new Set(sets.slice(MOST_SETS).map(({ name }) => nameOf(name)));
  const kept = new Set(sets.slice(0, MOST_SETS).map(({ name }) => nameOf(name)));
  for (const { name, mtimeMs } of aged) {
    const set = nameOf(name);
    const newest = aged.every((other) => !other.name.startsWith(`${set}-`) || other.mtimeMs <= mtimeMs);
    const unused = !name.endsWith(".json") && (!kept.has(set) || !newest);
    if (old.has(set) || (unused && Date.now() - mtimeMs > MAKING_MS))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
