import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { PiError } from "../../contract/errors.ts";
import type { LoginLookup, ProviderLogin } from "../../contract/logins.ts";
import { oauthSetting, type ProviderSetting } from "../../contract/settings.ts";
import { systemClock } from "../../platform/clock.ts";
import { type HomeFolders, homeFolders, LOGIN_FILE } from "../../platform/home.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The kept logins; undefined, and nothing loaded, where nobody is logged in. */
export async function loginsOf(
  home: HomeFolders,
  environment: Environment,
): Promise<LoginLookup | undefined> {
  if (!hasLogin(home.logins)) return undefined;
  const [{ openLogins }, { loginStore }] = await Promise.all([
    import("../../login/logins.ts"),
    import("./login-store.ts"),
  ]);
  return openLogins(loginStore(home, environment), systemClock);
}

function hasLogin(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => existsSync(join(folder, name, LOGIN_FILE)));
  } catch {
    // Nobody ever logged in, or what is there cannot be read: `pi login` says so.
    return false;
  }
}

/** `providers{}`, with the address that a login's token is for where the user has set one for it. */
export function providersWith(
  { providers, oauth }: Pick<Config, "providers" | "oauth">,
  logins: LoginLookup | undefined,
): Record<string, ProviderSetting> {
  if (logins === undefined) return providers;
  const changed = Object.keys(oauth).flatMap((name) => {
    const baseUrl = oauthSetting(oauth, name)?.baseUrl;
    if (baseUrl === undefined || logins.find(name) === undefined) return [];
    return [[name, { ...providers[name], baseUrl }] as const];
  });
  return changed.length === 0 ? providers : { ...providers, ...Object.fromEntries(changed) };
}

/** The login that a subagent was told to use. Rejects with a PiError `login_missing` when it has been ended since. */
export async function requireLogin(provider: string, environment: Environment): Promise<ProviderLogin> {
  const login = (await loginsOf(homeFolders(environment), environment))?.find(provider);
  if (login !== undefined) return login;
  throw new PiError({
    code: "login_missing",
    message: `nobody is logged in to ${provider} any more`,
    hint: `pi login ${provider}`,
    exitCode: 4,
  });
}
