import type { GraphModule } from "./module-graph.ts";

/** Imports that tie two modules: the one runs as part of the other. */
const TIES: ReadonlySet<string> = new Set(["import", "all", "require"]);

/** Which modules are compiled, and why entries are not. */
export interface Compilable {
  readonly modules: readonly GraphModule[];
  readonly refused: readonly (readonly [file: string, why: string])[];
}

/**
 * Chooses what is compiled, so that no file can be there twice: a module that is loaded as it is must not be tied to a compiled one, and
 * everything that extensions share goes the same way. A refused module without ties (an entry that waits for the rest, say) does no harm.
 */
export function compilable(graph: ReadonlyMap<string, GraphModule>, entries: readonly string[]): Compilable {
  const groups = new Groups();
  const why = new Map<string, string>();
  for (const module of graph.values()) {
    groups.root(module.path);
    const trouble = troubleOf(module, graph);
    for (const [target, kind] of module.references) if (kind === "module") groups.join(module.path, target);
    if (trouble !== null) why.set(module.path, trouble);
  }
  const spoilt = new Map<string, string>();
  for (const [path, trouble] of why) spoilt.set(groups.root(path), `${path}: ${trouble}`);
  const modules = [...graph.values()].filter(
    ({ path, text }) => text !== null && !spoilt.has(groups.root(path)),
  );
  const refused = entries.flatMap((file) => {
    const trouble = spoilt.get(groups.root(file));
    return trouble === undefined ? [] : [[file, trouble] as const];
  });
  return { modules, refused };
}

/** Why nothing that hangs together with this module can be compiled; null when all is well. */
function troubleOf(module: GraphModule, graph: ReadonlyMap<string, GraphModule>): string | null {
  const { path, refused, imports, references } = module;
  for (const [index, [target, kind]] of references.entries()) {
    const { how, name } = imports[index]!;
    if (!TIES.has(how)) continue;
    if (refused !== null && kind === "module") return refused;
    if (refused !== null) continue;
    const other = graph.get(target);
    if (kind === "module" && other?.refused != null) return `${name}: ${other.refused}`;
    if (kind === "native" && isPath(target)) return `${name} is no module that can be compiled`;
    if (how !== "all") continue;
    if (kind !== "module" && kind !== "host") return `it exports all of ${name}`;
    if (kind === "module" && leadsBack(target, path, graph))
      return `it exports all of ${name}, which imports it`;
  }
  return null;
}

function isPath(target: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(target);
}

function leadsBack(from: string, to: string, graph: ReadonlyMap<string, GraphModule>): boolean {
  const found = new Set([from]);
  for (const path of found) {
    const module = graph.get(path);
    for (const [index, [target, kind]] of (module?.references ?? []).entries())
      if (kind === "module" && TIES.has(module!.imports[index]!.how)) found.add(target);
  }
  return found.has(to);
}

/** Modules that hang together. */
class Groups {
  readonly #parent = new Map<string, string>();

  root(path: string): string {
    let at = path;
    for (let next = this.#parent.get(at); next !== undefined && next !== at; next = this.#parent.get(at))
      at = next;
    this.#parent.set(path, at);
    return at;
  }

  join(one: string, other: string): void {
    this.#parent.set(this.root(one), this.root(other));
  }
}

/** The modules that run while the entries load; the others are asked for later, if ever. */
export function runAtOnce(
  graph: ReadonlyMap<string, GraphModule>,
  entries: readonly string[],
): ReadonlySet<string> {
  const found = new Set(entries);
  for (const path of found) {
    const module = graph.get(path);
    // An entry that is no compiled module may wait for what it asks for.
    for (const [index, [target, kind]] of (module?.references ?? []).entries())
      if (kind === "module" && (TIES.has(module!.imports[index]!.how) || module!.refused !== null))
        found.add(target);
  }
  return found;
}
