import { existsSync, renameSync } from "node:fs";
import { keptName, newOwnFile } from "./kept-file.ts";

/** The files of one database. */
const PARTS = ["", "-wal", "-shm"] as const;

/** Moves a store that cannot be used to another name, its log with it, so that a new one can be made; gives that name. Nothing is deleted. */
export function setAsideStore(path: string, now: number): string {
  const aside = newOwnFile(keptName(path, "damaged", now));
  for (const part of PARTS) if (existsSync(`${path}${part}`)) renameSync(`${path}${part}`, `${aside}${part}`);
  return aside;
}
