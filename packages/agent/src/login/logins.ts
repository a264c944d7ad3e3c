import type { LoginLookup, ProviderLogin } from "../contract/logins.ts";
import type { Clock } from "../contract/services.ts";
import type { LoginRecord } from "./login-record.ts";
import type { LoginStore } from "./store/login-store.ts";
import { tokenFetch } from "./token-fetch.ts";
import { TokenSession } from "./token-session.ts";

/** The kept logins, for requests. Reads the disk at each question, and asks no service before the first request. */
export function openLogins(store: LoginStore, clock: Clock): LoginLookup {
  return {
    find(provider) {
      const record = store.read(provider);
      return record === null ? undefined : usable(record, store, clock);
    },
  };
}

function usable(record: LoginRecord, store: LoginStore, clock: Clock): ProviderLogin {
  const { provider, use, keptIn } = record;
  return {
    provider,
    source: keptIn === "keychain" ? "the keychain" : store.file(provider),
    origin: use.origin,
    through: (fetch) => tokenFetch(fetch, new TokenSession({ provider, store, clock, fetch }), use),
  };
}
