import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { packageFolder, realPath, type SeenFile, seen } from "../compiled-set.ts";
import type { GraphModule } from "./module-graph.ts";

/** What an import leads to hangs on these, beside the files themselves; see `CompiledSet`. */
export interface ResolutionInputs {
  readonly inputs: readonly SeenFile[];
  readonly absent: readonly string[];
  readonly links: readonly (readonly [link: string, target: string])[];
}

/** Everything that decides where the imports of these modules lead. */
export function resolutionInputs(modules: Iterable<GraphModule>): ResolutionInputs {
  const inputs = new Set<string>();
  const absent = new Set<string>();
  const links = new Map<string, string>();
  for (const { path, imports, references } of modules) {
    manifestsAbove(path, inputs, absent);
    for (const [index, [target, kind]] of references.entries()) {
      const { name } = imports[index]!;
      if (kind === "host" || packageFolder(target) === null) continue;
      manifestsAbove(target, inputs, absent);
      if (kind !== "module") inputs.add(target);
      // Where the name says less than the file's, another file may come first one day.
      if (basename(name) !== basename(target)) inputs.add(dirname(target));
      if (!name.startsWith(".") && !name.startsWith("#") && !name.startsWith("/"))
        lookedUp(dirname(path), name, absent, links);
    }
  }
  return {
    inputs: [...inputs].flatMap((path) => {
      const now = seen(path);
      return now === null ? [] : [now];
    }),
    absent: [...absent],
    links: [...links],
  };
}

/** The `package.json` of every folder from the file's up to its package's: those that are there, and those that are not. */
function manifestsAbove(path: string, inputs: Set<string>, absent: Set<string>): void {
  const top = packageFolder(path);
  if (top === null) return;
  for (let folder = dirname(path); folder.length >= top.length; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    (existsSync(manifest) ? inputs : absent).add(manifest);
  }
}

/** The way up through `node_modules` to where a package was found. */
function lookedUp(folder: string, name: string, absent: Set<string>, links: Map<string, string>): void {
  const [first = "", second = ""] = name.split("/");
  const parts = first.startsWith("@") ? [first, second] : [first];
  for (let at = folder; ; at = dirname(at)) {
    if (basename(at) !== "node_modules") {
      const place = join(at, "node_modules", ...parts);
      if (existsSync(place)) {
        const real = realPath(place);
        if (real !== null && real !== place) links.set(place, real);
        return;
      }
      absent.add(place);
    }
    if (dirname(at) === at) return;
  }
}
