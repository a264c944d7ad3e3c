import { isAbsolute, join, relative, resolve } from "node:path";

/** The project folder of a session under its two names: editors often know it by a link. */
export interface SessionFolder {
  /** Its real path, which the tools know. */
  readonly real: string;
  /** The path that the editor named. */
  readonly shown: string;
}

/** The absolute path by which the editor knows a file that the tools name. */
export function editorPath(path: string, { real, shown }: SessionFolder): string {
  const full = resolve(real, path);
  const inside = below(full, real);
  return inside === null ? full : join(shown, inside);
}

/** A path of the project without the folder, by whichever name it has it; any other as it is. */
export function projectPath(path: string, { real, shown }: SessionFolder): string {
  if (!isAbsolute(path)) return path;
  const short = below(path, real) ?? below(path, shown);
  return short === "" ? "." : (short ?? path);
}

function below(path: string, folder: string): string | null {
  const short = relative(folder, path);
  return short === ".." || short.startsWith("../") || short.startsWith("..\\") || isAbsolute(short)
    ? null
    : short;
}
