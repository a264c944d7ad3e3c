import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AuditedKind } from "../contract/audit.ts";
import { gitTop } from "../platform/git-top.ts";
import type { HomeFolders } from "../platform/home.ts";
import { realFolder } from "../platform/real-folder.ts";

/** A file or folder from which text comes before a model. */
export interface Place {
  path: string;
  kind: AuditedKind;
  /** Real path of the folder that links may not lead out of. */
  within: string;
  /** Links that lead out may be read all the same (they are the user's own), but nothing behind them is changed. */
  mayReadOutside: boolean;
}

export interface Places {
  places: Place[];
  /** More folders of the project than this were not searched; null: all were. */
  cutAt: number | null;
}

const INSTRUCTION_FILES = ["AGENTS.md", "CLAUDE.md"];
const MOST_FOLDERS = 20_000;
/** Folders of other people's packages and of tools: nobody starts pi in them. */
const NOT_SEARCHED = /^(?:node_modules|__pycache__|venv|\..*)$/;

/**
 * Every place that instructions come from: of each folder of the project, from the top of its repository on (without a repository: of
 * `cwd` alone), then the user's own. What is not there is left out; nothing is read but the names in folders.
 */
export function auditPlaces(cwd: string, home: HomeFolders): Places {
  const start = realFolder(cwd);
  const top = gitTop(start);
  const { places, cutAt } = top === null ? oneFolder(start, home) : wholeProject(top, start, home);
  return { places: [...places, ...ownPlaces(home)], cutAt };
}

function oneFolder(folder: string, home: HomeFolders): Places {
  return { places: placesOf(folder, folder, names(folder), home), cutAt: null };
}

function wholeProject(top: string, start: string, home: HomeFolders): Places {
  const above: string[] = [];
  for (let folder = start; folder !== top; folder = dirname(folder)) above.unshift(dirname(folder));
  const places = above.flatMap((folder) => placesOf(folder, top, names(folder), home));
  const waiting = [start];
  let searched = 0;
  while (waiting.length > 0 && searched < MOST_FOLDERS) {
    const folder = waiting.pop()!;
    searched++;
    const entries = listing(folder);
    places.push(...placesOf(folder, top, new Set(entries.map(({ name }) => name)), home));
    const inner = entries.filter((entry) => entry.isDirectory() && !NOT_SEARCHED.test(entry.name));
    waiting.push(...inner.map(({ name }) => join(folder, name)).reverse());
  }
  return { places, cutAt: waiting.length > 0 ? MOST_FOLDERS : null };
}

function placesOf(folder: string, top: string, present: ReadonlySet<string>, home: HomeFolders): Place[] {
  const places: Place[] = [];
  const add = (name: string, kind: AuditedKind) =>
    places.push({ path: join(folder, name), kind, within: top, mayReadOutside: false });
  for (const name of INSTRUCTION_FILES) if (present.has(name)) add(name, "instructions");
  if (present.has(".pi-go") && realFolder(join(folder, ".pi-go")) !== realFolder(home.root))
    add(".pi-go", "config");
  const addInside = (parent: string, name: string, kind: AuditedKind) => {
    if (present.has(parent) && names(join(folder, parent)).has(name)) add(join(parent, name), kind);
  };
  addInside(".agents", "skills", "skill");
  addInside(".claude", "skills", "skill");
  addInside(".claude", "agents", "agent");
  if (present.has(".mcp.json")) add(".mcp.json", "mcp");
  return places;
}

function ownPlaces(home: HomeFolders): Place[] {
  const places: Place[] = [];
  const agents = join(home.user, ".agents");
  const add = (folder: string, name: string, kind: AuditedKind) => {
    if (names(folder).has(name))
      places.push({ path: join(folder, name), kind, within: realFolder(folder), mayReadOutside: true });
  };
  for (const name of INSTRUCTION_FILES) add(home.root, name, "instructions");
  add(home.root, "config.json", "config");
  add(home.root, "mcp.json", "mcp");
  add(home.root, "skills", "skill");
  add(home.root, "prompts", "skill");
  add(home.root, "agents", "agent");
  add(home.root, "sops", "sop");
  add(agents, "skills", "skill");
  add(join(home.user, ".claude"), "agents", "agent");
  return places;
}

function names(folder: string): Set<string> {
  return new Set(listing(folder).map(({ name }) => name));
}

function listing(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // not there, no folder, or not ours to enter: nothing in it can be read, by us or by a run
    return [];
  }
}
