import { stat } from "node:fs/promises";

/** Keeps the first commit of repositories, so that git need not be asked for it each time. */
export interface RootMemo {
  /** What was kept for the repository with this stamp. */
  read(stamp: string): Promise<string | undefined>;
  /** Never rejects. */
  keep(stamp: string, commit: string): Promise<void>;
}

/**
 * What tells a repository's folder from any other one, also from a later one at its place; undefined where the system does not say when
 * a folder was made.
 */
export async function repositoryStamp(commonDir: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeNs, ctimeNs } = await stat(commonDir, { bigint: true });
    // Some systems give the time of the last change for the one of the making.
    return birthtimeNs === 0n || birthtimeNs === ctimeNs
      ? undefined
      : `${commonDir}\n${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return undefined;
  }
}
