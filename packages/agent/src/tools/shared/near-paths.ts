import type { FileDoor } from "../../contract/files.ts";
import { editDistance } from "../../platform/edit-distance.ts";

/** Most names shown; a folder with more is better listed. */
const SHOWN = 3;

/**
 * What to try instead of a path that does not exist: names like it in the last folder of it that does exist. One sentence for
 * a tool's hint; never throws.
 */
export function nearPaths(files: FileDoor, path: string): string {
  try {
    const names = files.display(path).split("/");
    let folder = ".";
    for (const name of names) {
      const next = folder === "." ? name : `${folder}/${name}`;
      if (files.exists(next)) {
        folder = next;
        continue;
      }
      const there = files.list(folder, { sizes: false }).map((entry) => entry.name);
      const near = rank(name, there).slice(0, SHOWN);
      const prefix = folder === "." ? "" : `${folder}/`;
      if (near.length > 0) return `Did you mean ${near.map((one) => prefix + one).join(", ")}?`;
      if (there.length === 0) return `The folder ${folder} is empty.`;
      return `Nothing in ${folder === "." ? "the project's top folder" : folder} has a name like ${name}; use ls or find.`;
    }
  } catch {
    // A hint is worth no second error.
  }
  return "Use ls or find to see what is there.";
}

function rank(wanted: string, names: readonly string[]): string[] {
  const goal = wanted.toLowerCase();
  const stem = stemOf(goal);
  const scored: [score: number, name: string][] = [];
  for (const name of names) {
    const lower = name.toLowerCase();
    const allowed = Math.max(1, Math.floor(goal.length / 3));
    if (lower === goal) scored.push([0, name]);
    else if (stem.length > 1 && stemOf(lower) === stem) scored.push([1, name]);
    else if (Math.abs(lower.length - goal.length) <= allowed) {
      const distance = editDistance(goal, lower);
      if (distance <= allowed) scored.push([1 + distance, name]);
    } else if (stem.length > 2 && lower.includes(stem)) scored.push([8, name]);
  }
  return scored.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)).map(([, name]) => name);
}

function stemOf(name: string): string {
  const dot = name.indexOf(".", 1);
  return dot === -1 ? name : name.slice(0, dot);
}
