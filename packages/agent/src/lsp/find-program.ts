import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isInside } from "./inside.ts";
import type { ServerDefinition } from "./server-definition.ts";

/** Where programs are looked for. */
export interface SearchPlaces {
  /** The PATH of the environment. */
  path: string;
  /** The user's home folder. */
  home: string;
  /** Extensions of programs on Windows (PATHEXT); elsewhere empty. */
  extensions: readonly string[];
  /** Go's own folders, from GOBIN, GOPATH and GOROOT. */
  go: readonly string[];
  /** The project folder, and whether programs in it may run. */
  project: string;
  trusted: boolean;
}

/** A server that can be started. */
export interface FoundProgram {
  /** The first word is an absolute path. */
  argv: string[];
  /** The real file behind it. */
  real: string;
}

/** The places by an environment. */
export function searchPlaces(
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
  project: string,
  trusted: boolean,
): SearchPlaces {
  const bins = (name: string) =>
    (environment[name] ?? "")
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => join(folder, "bin"));
  const own = environment["GOBIN"] ?? "";
  const go = [...(own === "" ? [] : [own]), ...bins("GOPATH"), ...bins("GOROOT")];
  const extensions =
    process.platform === "win32" ? (environment["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";") : [];
  return {
    path: environment["PATH"] ?? environment["Path"] ?? "",
    home,
    extensions,
    go,
    project,
    trusted,
  };
}

/**
 * The first of a server's commands that is there: in the project's `node_modules/.bin` (a trusted project only), in PATH, then in
 * the folders where toolchains put programs. What lies in a project that is not trusted is passed over, however it got into PATH.
 */
export function findProgram(
  definition: ServerDefinition,
  root: string,
  places: SearchPlaces,
): FoundProgram | null {
  const folders = [
    ...(definition.inProject && places.trusted ? modulesAbove(root, places.project) : []),
    ...safePath(places),
    ...places.go,
    ...["go/bin", ".cargo/bin", ".local/bin"].map((folder) => join(places.home, folder)),
  ];
  for (const [program = "", ...rest] of definition.commands) {
    const candidates = isAbsolute(program)
      ? [program]
      : program.includes("/")
        ? []
        : folders.map((folder) => join(folder, program));
    for (const candidate of candidates) {
      const found = runnable(candidate, places);
      if (found !== null) return { argv: [found.path, ...rest], real: found.real };
    }
  }
  return null;
}

/** The folders of PATH that may be used: absolute ones, and none of a project that is not trusted. */
export function safePath({ path, project, trusted }: SearchPlaces): string[] {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && (trusted || !isInside(folder, project)));
}

function modulesAbove(root: string, project: string): string[] {
  const folders: string[] = [];
  for (let folder = root; isInside(folder, project); folder = dirname(folder)) {
    folders.push(join(folder, "node_modules", ".bin"));
    if (folder === dirname(folder)) break;
  }
  return folders;
}

/** The program at a path, its extension left out on Windows; null where there is none that may be run. */
export function runnable(path: string, places: SearchPlaces): { path: string; real: string } | null {
  for (const extension of places.extensions.length > 0 ? ["", ...places.extensions] : [""]) {
    try {
      const full = path + extension;
      if (!statSync(full).isFile()) continue;
      accessSync(full, constants.X_OK);
      const real = realpathSync(full);
      if (places.trusted || !isInside(real, places.project)) return { path: full, real };
    } catch {
      // not there, or not ours to run
    }
  }
  return null;
}
