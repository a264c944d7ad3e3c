import { StoreError, type StoreErrorCode } from "../../core/errors.ts";

const KNOWN: Readonly<Record<string, readonly [StoreErrorCode, string]>> = {
  EACCES: ["read_only", "check the owner and the permissions of the folder"],
  EPERM: ["read_only", "check the owner and the permissions of the folder"],
  EROFS: ["read_only", "the disk is read-only; choose another folder"],
  ENOSPC: ["full", "free some space on its disk"],
  EDQUOT: ["full", "free some space on its disk"],
  ENOENT: ["unavailable", "check that the folder is still there"],
  ENOTDIR: ["unavailable", "name a folder, not a file"],
  EEXIST: ["unavailable", "name a folder, not a file"],
};

/** An error of the file system as one of ours; others come back as they are. */
export function fileError(error: unknown): unknown {
  const known = KNOWN[(error as NodeJS.ErrnoException | null)?.code ?? ""];
  if (StoreError.is(error) || known === undefined) return error;
  const [code, hint] = known;
  return new StoreError(
    code,
    `the folder of notes cannot be used (${(error as Error).message})`,
    hint,
    error,
  );
}
