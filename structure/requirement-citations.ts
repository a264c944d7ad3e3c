// Which requirements have a test that says so.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { type Owner, REQUIREMENTS, type Requirement } from "./requirements.ts";

/** The folders whose tests count. */
const FOLDERS = ["packages", "structure", "e2e"];
/** The test of this very list; the ids in it prove nothing about the product. */
const OWN_TEST = "structure/requirements.test.ts";
const ID = /\b[A-Z]-[A-Z]+-\d+\b/g;

/** Ids that a test file cites: in square brackets, as titles end with, or by `verifies("A-TOOL-03")`. */
export function citedIds(source: string): string[] {
  const places = [...source.matchAll(/\[([^\]\n]*)\]|\bverifies\(([^)]*)\)/g)];
  return [...new Set(places.flatMap((place) => (place[1] ?? place[2] ?? "").match(ID) ?? []))];
}

/** Each cited id with the test files that cite it, relative to the root of the repository. */
export function citations(root: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of FOLDERS.flatMap((folder) => testFiles(join(root, folder)))) {
    const name = relative(root, file).split(sep).join("/");
    if (name === OWN_TEST) continue;
    for (const id of citedIds(readFileSync(file, "utf8"))) found.set(id, [...(found.get(id) ?? []), name]);
  }
  return found;
}

/** The requirements of an owner that no test cites. */
export function uncited(owner: Owner, cited: ReadonlyMap<string, readonly string[]>): Requirement[] {
  return REQUIREMENTS.filter((requirement) => requirement.owner === owner && !cited.has(requirement.id));
}

/** Cited ids that are no requirement: typing errors, or ids that were dropped. */
export function unknownIds(cited: ReadonlyMap<string, readonly string[]>): string[] {
  const known = new Set(REQUIREMENTS.map((requirement) => requirement.id));
  return [...cited.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `${id} in ${cited.get(id)?.join(", ")}`);
}

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "__fixtures__") return [];
    if (entry.isDirectory()) return testFiles(join(folder, entry.name));
    return entry.name.endsWith(".test.ts") ? [join(folder, entry.name)] : [];
  });
}
