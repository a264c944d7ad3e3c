import { realpathSync } from "node:fs";
import { resolve } from "node:path";

/** The real path of a folder, or the path made absolute when it is not there. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // not there, or deleted while we ran: its name is all there is
    return resolve(path);
  }
}
