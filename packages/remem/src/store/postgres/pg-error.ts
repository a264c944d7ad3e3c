import { StoreError, type StoreErrorCode } from "../../core/errors.ts";

/** SQLSTATE codes (or their first two digits, their class) and codes of Node, and what they mean for a person. */
const KNOWN: Readonly<Record<string, readonly [StoreErrorCode, string, string]>> = {
  "55P03": ["busy", "other programs held the memory store for too long", "try again"],
  "57014": ["busy", "the database took too long", "try again; ask its administrator when it stays so slow"],
  "40001": ["busy", "another program changed the same rows", "try again"],
  "40P01": ["busy", "another program changed the same rows", "try again"],
  "53": ["full", "the database has no room left", "ask its administrator"],
  "25006": ["read_only", "the database is read-only", "use the address of the primary server"],
  "42501": [
    "read_only",
    "the database user may not do this",
    "grant it CREATE on the database, or have the schema made for it",
  ],
  "28": [
    "unavailable",
    "the database refused the user or the password",
    "check the user and the password of the database URL",
  ],
  "3D000": [
    "unavailable",
    "there is no such database",
    "check the name of the database in its URL, or make it",
  ],
  "57": ["unavailable", "the database is shutting down or starting", "try again in a moment"],
  "08": [
    "unavailable",
    "the connection to the database broke",
    "check that the server runs and can be reached",
  ],
  XX: ["corrupt", "the database is damaged", "ask its administrator; restore a backup"],
  ECONNREFUSED: [
    "unavailable",
    "no database answers there",
    "check that the server runs, and the host and port of the database URL",
  ],
  ENOENT: ["unavailable", "no database answers there", "check the socket folder of the database URL"],
  ENOTFOUND: ["unavailable", "the database's host is not known", "check the host of the database URL"],
  EAI_AGAIN: [
    "unavailable",
    "the database's host is not known",
    "check the host of the database URL, and the network",
  ],
  ETIMEDOUT: ["unavailable", "the database does not answer", "check that the server can be reached"],
  ECONNRESET: [
    "unavailable",
    "the connection to the database broke",
    "check that the server runs and can be reached",
  ],
  EPIPE: [
    "unavailable",
    "the connection to the database broke",
    "check that the server runs and can be reached",
  ],
  ERR_INVALID_URL: [
    "unavailable",
    "the database URL is none",
    "write it as postgres://user:password@host:5432/name",
  ],
};

/** What `pg` says in words only. */
const IN_WORDS =
  /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i;

/**
 * An error of the database as one of ours; errors of programming come back as they are. The original is not kept as the cause: it may hold the
 * address with its password, or the text of a memory.
 */
export function pgError(error: unknown): unknown {
  if (StoreError.is(error) || typeof error !== "object" || error === null) return error;
  const code = String((error as { code?: unknown }).code ?? "");
  const words = error instanceof Error && IN_WORDS.test(error.message) ? KNOWN["08"] : undefined;
  const known = KNOWN[code] ?? (code.length === 5 ? KNOWN[code.slice(0, 2)] : undefined) ?? words;
  if (known !== undefined)
    return new StoreError(known[0], `${known[1]}${code === "" ? "" : ` (${code})`}`, known[2]);
  if (code.length !== 5) return error;
  return new StoreError("unavailable", `the database answered with an error (${code})`, "run remem doctor");
}
