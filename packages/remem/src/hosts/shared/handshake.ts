import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "../../runtime/config/places.ts";

/** The hosts that load the memory engine as an extension of their own. */
export type HostName = "pi" | "opencode";

/**
 * What an adapter writes down when a host has loaded it, so that `remem doctor` can tell a host that loads it from one that only has it
 * in its settings. No memory's text and no secret is in it.
 */
export interface Handshake {
  readonly host: HostName;
  /** As the host says it; null where it does not. */
  readonly hostVersion: string | null;
  /** The version of this package. */
  readonly adapterVersion: string;
  /** The file that was loaded. */
  readonly adapterPath: string;
  /** `node 24.1.0`, `bun 1.4.5`. */
  readonly runtime: string;
  /** The store it uses: its kind, and its file (null for one that has an address). */
  readonly store: { readonly kind: string; readonly path: string | null };
  /** When it was loaded last, ISO 8601. */
  readonly loadedAt: string;
}

/** The version of the file's form; a reader of another one takes it for none. */
const FORM = 1;
const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
const LARGEST_BYTES = 16_384;

/** Where a host's handshake lies: beside the store that all hosts share. */
export function handshakeFile(places: Pick<Places, "globalFolder">, host: HostName): string {
  return join(places.globalFolder, "memory", "hosts", `${host}.json`);
}

/** Writes it, readable by the user only; readers see the old one or the new one whole. Throws the system's error when it cannot. */
export function writeHandshake(places: Pick<Places, "globalFolder">, handshake: Handshake): void {
  const path = handshakeFile(places, handshake.host);
  mkdirSync(join(path, ".."), { recursive: true, mode: OWNER_FOLDER });
  const fresh = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(fresh, `${JSON.stringify({ form: FORM, ...handshake })}\n`, { mode: OWNER_FILE });
    chmodSync(fresh, OWNER_FILE);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** The last handshake of a host; null when it never loaded the adapter, or what lies there is none. */
export function readHandshake(places: Pick<Places, "globalFolder">, host: HostName): Handshake | null {
  try {
    const text = readFileSync(handshakeFile(places, host), "utf8");
    if (text.length > LARGEST_BYTES) return null;
    const value: unknown = JSON.parse(text);
    return isHandshake(value, host) ? value : null;
  } catch {
    // Not there, not readable, no JSON: nothing is known.
    return null;
  }
}

/** This program's runtime, as handshakes name it. */
export function runtimeName(): string {
  const bun = process.versions["bun"];
  return bun === undefined ? `node ${process.versions.node}` : `bun ${bun}`;
}

function isHandshake(value: unknown, host: HostName): value is Handshake {
  if (typeof value !== "object" || value === null) return false;
  const { form, host: from, hostVersion, store, ...texts } = value as Record<string, unknown>;
  const { kind, path } = (typeof store === "object" && store !== null ? store : {}) as Record<
    string,
    unknown
  >;
  return (
    form === FORM &&
    from === host &&
    (hostVersion === null || typeof hostVersion === "string") &&
    typeof kind === "string" &&
    (path === null || typeof path === "string") &&
    ["adapterVersion", "adapterPath", "runtime", "loadedAt"].every((key) => typeof texts[key] === "string") &&
    !Number.isNaN(Date.parse(String(texts["loadedAt"])))
  );
}
