import { isAbsolute, relative, sep } from "node:path";

/** Whether an absolute path is a folder, or lies in it. */
export function isInside(path: string, folder: string): boolean {
  const between = relative(folder, path);
  return between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}
