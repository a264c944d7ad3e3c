import { errorMessage } from "../contract/errors.ts";
import type { FetchLike } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import type { LoginRecord, LoginSecrets } from "./login-record.ts";
import type { LoginStore } from "./store/login-store.ts";

/** What a logout came to at the service: told, it offers no such thing, or why it could not be told. */
export type Revoked = { state: "revoked" | "not_offered" } | { state: "failed"; why: string };

/**
 * Tells the service that its tokens are no longer wanted, where it can be told, and forgets them here in any case. Rejects with a
 * PiError only when they could not be removed.
 */
export async function logOut(
  record: LoginRecord,
  parts: { store: LoginStore; fetch: FetchLike; clock: Clock; signal: AbortSignal },
): Promise<Revoked> {
  const { store, clock } = parts;
  return store.locked(
    record.provider,
    async () => {
      // Another process may have renewed it since.
      const now = store.read(record.provider) ?? record;
      const revoked = await revoke(now, parts);
      await store.remove(now);
      return revoked;
    },
    clock,
  );
}

async function revoke(
  record: LoginRecord,
  { store, fetch, clock, signal }: Parameters<typeof logOut>[1],
): Promise<Revoked> {
  if (record.ended !== undefined) return { state: "revoked" };
  if (record.client.revokeUrl === undefined) return { state: "not_offered" };
  try {
    const secrets = await store.secrets(record);
    if (secrets === null) return { state: "revoked" };
    const { OAuthClient } = await import("./oauth/oauth-client.ts");
    const client = new OAuthClient(party(record, secrets), { fetch, clock });
    // The end of a refresh token is that of the tokens which came of it.
    const { refreshToken, accessToken } = secrets;
    if (refreshToken !== undefined) await client.revoke(refreshToken, "refresh_token", signal);
    else await client.revoke(accessToken, "access_token", signal);
    return { state: "revoked" };
  } catch (thrown) {
    return { state: "failed", why: errorMessage(thrown) };
  }
}

function party({ provider, client }: LoginRecord, { clientSecret }: LoginSecrets) {
  return { provider, ...client, ...(clientSecret === undefined ? {} : { clientSecret }) };
}
