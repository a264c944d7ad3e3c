import { realpathSync } from "node:fs";
import { dirname, join, parse, relative, sep } from "node:path";
import { systemCode } from "../../contract/errors.ts";
import { clip, fileError } from "./file-error.ts";

/** A folder in which walks start and stay. */
export interface Anchor {
  /** Absolute real path. */
  path: string;
  writable: boolean;
}

/** Where a walk starts, and the names still to go. */
export interface Start {
  anchor: Anchor;
  rest: string[];
}

/** The names of a path; `.` and empty ones are kept (a final one asks for a folder). */
export function namesOf(path: string): string[] {
  return path.split(sep === "\\" ? /[\\/]/ : "/");
}

function below(anchor: Anchor, path: string): string[] | null {
  if (path === anchor.path) return [];
  const prefix = anchor.path.endsWith(sep) ? anchor.path : anchor.path + sep;
  return path.startsWith(prefix) ? namesOf(relative(anchor.path, path)) : null;
}

/** A path that leaves every anchor. The caller knows what was asked and adds the hint. */
export class Outside extends Error {}

/**
 * Follows `rest` from `current`, an absolute real path outside of all anchors, until it enters one. What lies outside is only
 * compared, never opened, so that swapping it gains nothing: from the anchor on the walk goes by handle. This is how a
 * project reached through a link, or a link that leaves and comes back, works. Throws {@link Outside}.
 */
export function enterAnchor(anchors: readonly Anchor[], current: string, rest: readonly string[]): Start {
  const queue = [...rest];
  let place = current;
  for (let steps = 0; steps < 10_000; steps++) {
    for (const anchor of anchors) {
      const names = below(anchor, place);
      if (names) return { anchor, rest: [...names, ...queue] };
    }
    const name = queue.shift();
    if (name === undefined) throw new Outside();
    if (name === "" || name === ".") continue;
    if (name === "..") place = dirname(place);
    else place = realOrJoined(join(place, name));
  }
  throw new Outside();
}

function realOrJoined(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (thrown) {
    if (systemCode(thrown) === "ELOOP")
      throw fileError("file_loop", `${clip(path)} is a chain of links without end`, undefined, thrown);
    // Missing or closed to us: its name may still lead, by `..`, to where we may go.
    return path;
  }
}

/** Where an absolute path starts. Throws {@link Outside}. */
export function startOf(anchors: readonly Anchor[], absolute: string): Start {
  for (const anchor of anchors) {
    // Not normalised: `..` after a link is the parent of the link's target.
    const prefix = anchor.path.endsWith(sep) ? anchor.path : anchor.path + sep;
    if (absolute === anchor.path) return { anchor, rest: [] };
    if (absolute.startsWith(prefix)) return { anchor, rest: namesOf(absolute.slice(prefix.length)) };
  }
  const { root } = parse(absolute);
  return enterAnchor(anchors, root, namesOf(absolute.slice(root.length)));
}
