import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { isJsonObject } from "../../../contract/json.ts";
import type { Clock } from "../../../contract/services.ts";
import { writeFileAtomic } from "../../../platform/atomic-file.ts";
import { withLock } from "../../../platform/lock.ts";
import { ensurePrivateFolder } from "../../../platform/private-folder.ts";
import { readSmallFile } from "../../../platform/read-small-file.ts";

/** What was granted for one server. */
export interface Grant {
  tokens: StoredOAuthTokens;
  /** The client that they were granted to: only it can refresh them. */
  client: StoredOAuthClientInformation | null;
  /** Milliseconds since 1970. */
  obtainedAt: number;
}

/** A private file (0600) with the grant for one server. */
export class TokenStore {
  readonly #file: string;
  readonly #url: string;

  /** A grant counts only for the address that it was given for. */
  constructor(file: string, url: string) {
    this.#file = file;
    this.#url = url;
  }

  /** Null when there is none, or none that can be read. */
  read(): Grant | null {
    try {
      const value = JSON.parse(readSmallFile(this.#file)) as unknown;
      if (!isJsonObject(value) || value["url"] !== this.#url || !isJsonObject(value["tokens"])) return null;
      return value as unknown as Grant;
    } catch {
      return null;
    }
  }

  /** Throws a PiError with a FileErrorCode when the disk refuses. */
  write(grant: Grant): void {
    ensurePrivateFolder(dirname(this.#file));
    writeFileAtomic(this.#file, JSON.stringify({ version: 1, url: this.#url, ...grant }), { mode: 0o600 });
  }

  /** Forgets what was granted. */
  clear(): void {
    rmSync(this.#file, { force: true });
  }

  /** Does something while no other process changes the grant. */
  locked<T>(work: () => Promise<T>, clock: Clock): Promise<T> {
    ensurePrivateFolder(dirname(this.#file));
    return withLock(`${this.#file}.lock`, work, { clock, waitMs: 30_000 });
  }
}
