import { errorMessage, isPiError, PiError } from "../contract/errors.ts";
import type { FetchLike } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import type { LoginRecord, LoginSecrets } from "./login-record.ts";
import type { Tokens } from "./oauth/oauth-client.ts";
import type { LoginStore } from "./store/login-store.ts";

/** A token is renewed this long before its end, or in the last fifth of a shorter life. */
const EARLY_MS = 5 * 60_000;
const EARLY_PART = 0.2;

export interface TokenSessionParts {
  provider: string;
  store: LoginStore;
  clock: Clock;
  fetch: FetchLike;
}

/**
 * The token of one login, as it is now: every question reads the store, so that a refresh, a login and a logout of any process
 * act on all. One process renews at a time.
 */
export class TokenSession {
  readonly #parts: TokenSessionParts;
  /** A grant that could not be kept yet: without it the login would be lost. */
  #unsaved: { record: LoginRecord; secrets: LoginSecrets } | null = null;
  #renewing: Promise<string> | undefined;
  /** Secrets out of the keychain, which is a program to be run, until the record is another one. */
  #known: { obtainedAt: number; secrets: LoginSecrets } | null = null;

  constructor(parts: TokenSessionParts) {
    this.#parts = parts;
  }

  /** A token that is good for some minutes, as far as anyone here can tell. Rejects with a PiError that says how to log in. */
  async token(): Promise<string> {
    const { record, secrets } = await this.#current();
    if (!endsSoon(record, this.#parts.clock.now()) || secrets.refreshToken === undefined)
      return secrets.accessToken;
    try {
      return await this.renew(secrets.accessToken);
    } catch (thrown) {
      // It is good for some time yet; the next request tries again.
      if (isEnd(thrown) || isOver(record, this.#parts.clock.now())) throw thrown;
      return secrets.accessToken;
    }
  }

  /** Another token than `used`, which the service did not take: of another process, or renewed now. */
  async renew(used: string): Promise<string> {
    this.#renewing ??= this.#renew(used).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(used: string): Promise<string> {
    const { provider, store, clock } = this.#parts;
    const before = store.read(provider)?.tried?.at;
    return store.locked(
      provider,
      async () => {
        this.#known = null;
        const { record, secrets } = await this.#current();
        if (secrets.accessToken !== used) return secrets.accessToken;
        const { tried } = record;
        // It failed while this one waited: six processes would wait for a dead service one after the other.
        if (tried !== undefined && tried.at !== before) throw failedBefore(tried);
        if (secrets.refreshToken === undefined)
          throw loginEnded(provider, "the service takes its token no more, and gave none to renew it with");
        // What is granted next may be the only token that still counts.
        store.requireWritable(record);
        const granted = await this.#ask(record, secrets, secrets.refreshToken);
        const next = renewed(record, secrets, granted, clock.now());
        await this.#keep(next);
        return granted.accessToken;
      },
      clock,
    );
  }

  async #ask(record: LoginRecord, secrets: LoginSecrets, refreshToken: string): Promise<Tokens> {
    const { provider, store, clock, fetch } = this.#parts;
    const [{ OAuthClient }, { refusalOf }] = await Promise.all([
      import("./oauth/oauth-client.ts"),
      import("./oauth/oauth-failure.ts"),
    ]);
    const { clientSecret } = secrets;
    const party = { provider, ...record.client, ...(clientSecret === undefined ? {} : { clientSecret }) };
    try {
      return await new OAuthClient(party, { fetch, clock }).refresh(refreshToken);
    } catch (thrown) {
      // Anything else may be another time's fault, or a setting's: the refresh token stays.
      if (refusalOf(thrown)?.error !== "invalid_grant") {
        await this.#tell(record, secrets, thrown);
        throw thrown;
      }
      const why = errorMessage(thrown);
      await store.end(record, why);
      throw loginEnded(provider, why, thrown);
    }
  }

  /** Says to those who wait for this renewal that it has failed. */
  async #tell(record: LoginRecord, secrets: LoginSecrets, thrown: unknown): Promise<void> {
    const { store, clock } = this.#parts;
    const hint = isPiError(thrown) && thrown.hint !== undefined ? { hint: thrown.hint } : {};
    const code = isPiError(thrown) ? thrown.code : "login_failed";
    const tried = { at: clock.now(), code, message: errorMessage(thrown), ...hint };
    // Where it cannot be kept, they find out themselves.
    await store.write({ ...record, tried }, secrets).catch(() => undefined);
  }

  async #keep(grant: { record: LoginRecord; secrets: LoginSecrets }): Promise<void> {
    this.#unsaved = grant;
    try {
      await this.#parts.store.write(grant.record, grant.secrets);
      this.#unsaved = null;
    } catch {
      // This process goes on with it, and tries to keep it at each request.
    }
  }

  async #current(): Promise<{ record: LoginRecord; secrets: LoginSecrets }> {
    const { provider, store } = this.#parts;
    const record = store.read(provider);
    const kept = this.#unsaved;
    if (kept !== null && record !== null && record.obtainedAt <= kept.record.obtainedAt) {
      await this.#keep(kept);
      return kept;
    }
    if (record === null) throw notLoggedIn(provider);
    if (record.ended !== undefined) throw loginEnded(provider, record.ended);
    if (this.#known?.obtainedAt === record.obtainedAt) return { record, secrets: this.#known.secrets };
    const secrets = await store.secrets(record);
    if (secrets === null) throw notLoggedIn(provider);
    if (record.keptIn === "keychain") this.#known = { obtainedAt: record.obtainedAt, secrets };
    return { record, secrets };
  }
}

function renewed(record: LoginRecord, secrets: LoginSecrets, granted: Tokens, now: number) {
  const { expiresAt: _old, tried: _tried, ...rest } = record;
  return {
    record: {
      ...rest,
      obtainedAt: now,
      ...(granted.expiresIn === undefined ? {} : { expiresAt: now + granted.expiresIn * 1_000 }),
      ...(granted.scope === undefined ? {} : { scope: granted.scope }),
    },
    // A service that does not rotate gives none: the old one goes on.
    secrets: {
      ...secrets,
      accessToken: granted.accessToken,
      refreshToken: granted.refreshToken ?? secrets.refreshToken!,
    },
  };
}

/** A clock that was set back makes every end look far away: then only the service tells. */
function endsSoon({ obtainedAt, expiresAt }: LoginRecord, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(EARLY_MS, (expiresAt - obtainedAt) * EARLY_PART);
}

function isOver({ expiresAt }: LoginRecord, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

function isEnd(thrown: unknown): boolean {
  return isPiError(thrown) && (thrown.code === "login_ended" || thrown.code === "login_missing");
}

function failedBefore({ code, message, hint }: NonNullable<LoginRecord["tried"]>): PiError {
  return new PiError({ code, message, ...(hint === undefined ? {} : { hint }) });
}

function notLoggedIn(provider: string): PiError {
  return new PiError({
    code: "login_missing",
    message: `nobody is logged in to ${provider} any more`,
    hint: `pi login ${provider}`,
    exitCode: 4,
  });
}

function loginEnded(provider: string, why: string, cause?: unknown): PiError {
  return new PiError({
    code: "login_ended",
    message: `the login to ${provider} has ended: ${why}`,
    hint: `Log in again: pi login ${provider}`,
    exitCode: 4,
    ...(cause === undefined ? {} : { cause }),
  });
}
