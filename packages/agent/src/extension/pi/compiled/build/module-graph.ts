import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { type ModuleReference, packageFolder, realPath, type SeenFile, seen } from "../compiled-set.ts";
import { compileModule, type ModuleImport } from "./compile-module.ts";
import { moduleKind } from "./module-kind.ts";

/** One file that extensions lead to. */
export interface GraphModule {
  readonly path: string;
  /** As it was before it was read. */
  readonly seen: SeenFile;
  /** Its code; null when it is loaded as it is. */
  readonly text: string | null;
  /** Why it cannot be compiled. */
  readonly refused: string | null;
  readonly imports: readonly ModuleImport[];
  readonly references: readonly ModuleReference[];
  readonly order: readonly number[];
}

/** Every file that `entries` lead to, by its real path. `host`: whether a name is a module of ours. */
export async function moduleGraph(
  entries: readonly string[],
  host: (name: string) => boolean,
): Promise<Map<string, GraphModule>> {
  const graph = new Map<string, GraphModule>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (graph.has(path)) continue;
    const module = await readModule(path, host);
    graph.set(path, module);
    for (const [target, kind] of module.references) if (kind === "module") waiting.push(target);
  }
  return graph;
}

async function readModule(path: string, host: (name: string) => boolean): Promise<GraphModule> {
  const before = seen(path)!;
  const source = readFileSync(path, "utf8");
  const compiled = await compileModule(path, source);
  if ("refused" in compiled) {
    const imports = importsOf(path, source);
    const references = imports.map((each) => leadsTo(path, each, host));
    return { path, seen: before, text: null, refused: compiled.refused, imports, references, order: [] };
  }
  const { text, imports, order } = compiled;
  const references = imports.map((each) => leadsTo(path, each, host));
  const missing = imports.find(({ how }, index) => references[index]![1] === "missing" && isTaken(how));
  if (missing !== undefined) {
    const refused = `${missing.name} is not found`;
    return { path, seen: before, text: null, refused, imports: [], references: [], order: [] };
  }
  return {
    path,
    seen: before,
    text,
    refused: null,
    imports,
    references: references as ModuleReference[],
    order,
  };
}

function importsOf(path: string, source: string): ModuleImport[] {
  try {
    const found = new Bun.Transpiler({ loader: /ts$/.test(path) ? "ts" : "js" }).scanImports(source);
    return found.map(({ path: name, kind }) => ({
      name,
      how: kind === "dynamic-import" ? "dynamic" : kind === "require-call" ? "require" : "import",
    }));
  } catch {
    // it cannot be read: nothing of it runs
    return [];
  }
}

/** Whether it is imported before the module's own code runs. */
function isTaken(how: ModuleImport["how"]): boolean {
  return how === "import" || how === "all";
}

/** What the runtime would load. */
function leadsTo(
  path: string,
  { name, how }: ModuleImport,
  host: (name: string) => boolean,
): ModuleReference {
  if (host(name)) return [name, "host"];
  let target: string;
  try {
    target = how === "require" ? createRequire(path).resolve(name) : Bun.resolveSync(name, dirname(path));
  } catch {
    return [name, "missing"];
  }
  // What the runtime brings itself has no path.
  if (!target.startsWith("/") && !/^[A-Za-z]:[\\/]/.test(target)) return [target, "native"];
  const real = realPath(target) ?? target;
  const kind = moduleKind(real, () => readFileSync(real, "utf8"));
  if (kind === "other" || packageFolder(real) === null) return [real, "native"];
  return [real, kind];
}
