import type { DoctorCheck } from "../../commands/doctor.ts";
import { stateWords } from "../../commands/login/login-words.ts";
import type { LoginState } from "../../contract/logins.ts";
import type { LoginRecord } from "../../login/login-record.ts";
import type { LoginStore } from "../../login/store/login-store.ts";
import { systemClock } from "../../platform/clock.ts";
import type { HomeFolders } from "../../platform/home.ts";
import { lookForKey } from "../../provider/registry/provider-key.ts";
import type { ResolveOptions } from "../../provider/registry/resolve.ts";
import type { LoginTarget } from "./login-choices.ts";

/** What requests are made with, of each provider that has anything. Asks no service. */
export async function loginStates(
  targets: readonly LoginTarget[],
  options: ResolveOptions,
  store: LoginStore,
): Promise<LoginState[]> {
  const states = await Promise.all(
    targets.map(async ({ choice, keyTarget }): Promise<LoginState[]> => {
      const { provider } = choice;
      const record = store.read(provider);
      const oauth = record === null ? [] : [await stateOf(record, store)];
      // A key that stands in for another provider's is told once, there.
      if (keyTarget.name !== provider) return oauth;
      const found = lookForKey(keyTarget, { keys: options.keys });
      const key: LoginState[] =
        found.state === "ok"
          ? [{ provider, kind: "key", source: `${found.key.variable} from ${found.key.source}` }]
          : [];
      return [...oauth, ...key];
    }),
  );
  return states.flat();
}

/** What a kept login is, without its secrets. */
export async function stateOf(record: LoginRecord, store: LoginStore): Promise<LoginState> {
  const { provider, account, expiresAt, ended, keptIn } = record;
  return {
    provider,
    kind: "oauth",
    source: keptIn === "keychain" ? "the keychain" : store.file(provider),
    ...(account === undefined ? {} : { account }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    renews: await renews(record, store),
    ...(ended === undefined ? {} : { ended }),
  };
}

async function renews(record: LoginRecord, store: LoginStore): Promise<boolean> {
  if (record.ended !== undefined) return false;
  try {
    return (await store.secrets(record))?.refreshToken !== undefined;
  } catch {
    // A keychain that cannot be asked now: nothing is known of it.
    return false;
  }
}

/** A line of `pi doctor` for each login by OAuth. */
export async function loginChecks(
  home: HomeFolders,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DoctorCheck[]> {
  const { loginStore } = await import("./login-store.ts");
  const store = loginStore(home, environment);
  const records = store.list().flatMap((provider) => store.read(provider) ?? []);
  return Promise.all(
    records.map(async (record): Promise<DoctorCheck> => {
      const state = await stateOf(record, store);
      const now = systemClock.now();
      const over =
        state.ended !== undefined || (state.renews !== true && (state.expiresAt ?? now + 1) <= now);
      const found = `${state.provider}: ${stateWords(state, now)} (${state.source})`;
      return {
        name: "login",
        state: over ? "limited" : "ok",
        found,
        ...(over ? { hint: `pi login ${state.provider}` } : {}),
      };
    }),
  );
}
