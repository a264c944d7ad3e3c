import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { PiError, systemCode } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Clock } from "../../contract/services.ts";
import type { TokenPlace } from "../../contract/settings.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { LOGIN_FILE } from "../../platform/home.ts";
import { withLock } from "../../platform/lock.ts";
import { parseObject } from "../../platform/parse-object.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
import { type LoginRecord, type LoginSecrets, readRecord, readSecrets } from "../login-record.ts";
import type { Keychain } from "./keychain.ts";

/** Longer than a refresh may take. */
const LOCK_WAIT_MS = 30_000;

/** Logins on disk: a private folder (0700) for each provider, with one private file (0600). */
export class LoginStore {
  readonly #folder: string;
  readonly #keychain: () => Promise<Keychain>;

  /** `folder` need not exist. `keychain` is asked for only where tokens are kept there; it may reject with a PiError. */
  constructor(folder: string, keychain: () => Promise<Keychain>) {
    this.#folder = folder;
    this.#keychain = keychain;
  }

  /** Providers that have a login. */
  list(): string[] {
    try {
      return readdirSync(this.#folder)
        .flatMap((name) => providerOf(name) ?? [])
        .filter((provider) => this.read(provider) !== null)
        .sort();
    } catch (thrown) {
      if (["ENOENT", "ENOTDIR"].includes(systemCode(thrown) ?? "")) return [];
      throw thrown;
    }
  }

  /** Null when there is none, or none that can be read. */
  read(provider: string): LoginRecord | null {
    const record = readRecord(this.#content(provider));
    return record?.provider === provider ? record : null;
  }

  /** Null where they are gone. Rejects with a PiError when the keychain cannot be asked. */
  async secrets(record: LoginRecord): Promise<LoginSecrets | null> {
    if (record.keptIn === "file") return readSecrets(this.#content(record.provider)?.["secrets"]);
    const text = await (await this.#keychain()).read(record.provider);
    return text === null ? null : readSecrets(parseObject(text));
  }

  /** Keeps a login; what was kept before is gone only when the new one is there. Rejects with a PiError when the disk or the keychain refuses. */
  async write(record: LoginRecord, secrets: LoginSecrets): Promise<void> {
    if (record.keptIn === "keychain")
      await (await this.#keychain()).write(record.provider, JSON.stringify(secrets));
    this.#save(record, record.keptIn === "file" ? secrets : undefined);
  }

  /** Rejects with a PiError when a new login could not be kept: known before a person is sent out to authorise. */
  async requirePlace(provider: string, keptIn: TokenPlace): Promise<void> {
    ensurePrivateFolder(dirname(this.file(provider)));
    if (keptIn === "keychain") await (await this.#keychain()).read(provider);
  }

  /** Rewrites the file as it is: shows that what comes next can be kept. Throws a PiError when it cannot. */
  requireWritable(record: LoginRecord): void {
    const content = this.#content(record.provider);
    if (content !== null)
      writeFileAtomic(this.file(record.provider), JSON.stringify(content), { mode: 0o600 });
  }

  /** The service takes it no more: the secrets go, and the record says why. */
  async end(record: LoginRecord, why: string): Promise<void> {
    this.#save({ ...record, ended: why }, undefined);
    if (record.keptIn === "keychain") await (await this.#keychain()).remove(record.provider);
  }

  async remove(record: LoginRecord): Promise<void> {
    if (record.keptIn === "keychain") await (await this.#keychain()).remove(record.provider);
    rmSync(this.file(record.provider), { force: true });
  }

  /** Does something while no other process changes this login; a crash of its owner frees it. */
  locked<T>(provider: string, work: () => Promise<T>, clock: Clock): Promise<T> {
    const file = this.file(provider);
    ensurePrivateFolder(this.#folder);
    ensurePrivateFolder(dirname(file));
    return withLock(`${file}.lock`, work, { clock, waitMs: LOCK_WAIT_MS });
  }

  /** Where a login is kept. */
  file(provider: string): string {
    // The first letter keeps `.` and `..` from being folders of their own.
    const name = encodeURIComponent(provider).replace(/^\./, "%2E");
    if (name !== "") return join(this.#folder, name, LOGIN_FILE);
    throw new PiError({ code: "login_provider", message: "a provider needs a name" });
  }

  #save(record: LoginRecord, secrets: LoginSecrets | undefined): void {
    const file = this.file(record.provider);
    ensurePrivateFolder(this.#folder);
    ensurePrivateFolder(dirname(file));
    const content = { version: 1, ...record, ...(secrets === undefined ? {} : { secrets }) };
    writeFileAtomic(file, JSON.stringify(content), { mode: 0o600 });
  }

  #content(provider: string): JsonObject | null {
    try {
      return parseObject(readSmallFile(this.file(provider)));
    } catch {
      return null;
    }
  }
}

/** The provider whose folder has this name; null for a folder that is none of ours. */
function providerOf(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
