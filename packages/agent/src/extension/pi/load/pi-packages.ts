import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { isJsonObject } from "../../../contract/json.ts";
import { readSmallFile } from "../../../platform/read-small-file.ts";

/** Where packages that somebody has named may lie. */
export interface PackagePlaces {
  /** `~/.pi-go`: our own settings lie in it, and `npm/node_modules`. */
  readonly root: string;
  /** Pi's folder, `~/.pi/agent`. */
  readonly agent: string;
  readonly userHome: string;
  /** The project's `.pi-go`, when it is trusted. */
  readonly project: string | null;
}

/** A package of the settings: its folder, or why it is not there and what to do. */
export type NamedPackage =
  | { readonly spec: string; readonly folder: string; readonly source: string }
  | { readonly spec: string; readonly missing: string };

/** Finds the folder of `npm:NAME[@VERSION]`, `git:HOST/USER/REPO[@REF]` or a path. Nothing is ever downloaded. */
export function findPackage(spec: string, places: PackagePlaces): NamedPackage {
  const [, scheme, rest = ""] = /^(npm|git):(.+)$/.exec(spec) ?? [];
  if (scheme === "git") return findCheckout(spec, rest, places);
  if (scheme === "npm") return findInstalled(spec, rest, places);
  for (const path of pathsOf(spec, places))
    if (existsSync(path)) return { spec, folder: path, source: "local" };
  if (/^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~-]+)?$/.test(spec)) return findInstalled(spec, spec, places);
  return {
    spec,
    missing: `the package "${spec}" is not there: ${pathsOf(spec, places).join(" or ")} does not exist`,
  };
}

function findInstalled(spec: string, named: string, { root, agent }: PackagePlaces): NamedPackage {
  const name = named.replace(/(?!^)@[^@/]*$/, "");
  const places = [join(root, "npm"), join(agent, "npm")];
  for (const place of places) {
    const folder = join(place, "node_modules", ...name.split("/"));
    if (existsSync(join(folder, "package.json"))) return { spec, folder, source: `npm:${name}` };
  }
  return {
    spec,
    missing: `the package "${named}" is not installed; to install it: npm install --prefix ${places[0]} --omit=peer --ignore-scripts ${named}`,
  };
}

function findCheckout(spec: string, named: string, { root, agent }: PackagePlaces): NamedPackage {
  const path = named.replace(/^https?:\/\//, "").replace(/(?:\.git)?(?:@[^@/]*)?$/, "");
  const places = [join(root, "git"), join(agent, "git")];
  for (const place of places) {
    const folder = join(place, ...path.split("/"));
    if (existsSync(folder)) return { spec, folder, source: `git:${path}` };
  }
  return {
    spec,
    missing: `the package "${spec}" is not there; to get it: git clone https://${path} ${join(places[0]!, ...path.split("/"))}`,
  };
}

function pathsOf(spec: string, { userHome, root, project }: PackagePlaces): string[] {
  if (spec === "~" || spec.startsWith("~/")) return [join(userHome, spec.slice(1))];
  if (isAbsolute(spec)) return [spec];
  return [...(project === null ? [] : [resolve(project, spec)]), resolve(root, spec)];
}

/** The packages of Pi's own settings that are not told to stay unloaded; none when there are no settings that can be read. */
export function packagesOfPi(agent: string): string[] {
  try {
    const value: unknown = JSON.parse(readSmallFile(join(agent, "settings.json")));
    const packages = isJsonObject(value) ? value["packages"] : undefined;
    if (!Array.isArray(packages)) return [];
    return packages.flatMap((each) => {
      if (typeof each === "string") return [each];
      const source = isJsonObject(each) && each["autoload"] !== false ? each["source"] : undefined;
      return typeof source === "string" ? [source] : [];
    });
  } catch {
    // no settings, or none that Pi itself could read
    return [];
  }
}
