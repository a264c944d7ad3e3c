import { PiError } from "../../contract/errors.ts";
import type { LoginLookup, ProviderLogin } from "../../contract/logins.ts";
import { ENVIRONMENT_SOURCE, type FoundKey, type KeyLookup, variableIn } from "../../contract/settings.ts";
import { keyProblem } from "../../platform/key-problem.ts";
import { publicAddress } from "../../platform/public-address.ts";
import type { ProviderTarget } from "./provider-target.ts";
import { BUILT_IN_PROVIDERS } from "./providers.ts";

/** The file people are told to write keys into. */
export interface KeyPlace {
  keys: KeyLookup;
  /** `~/.pi-go/.env`, as a path. */
  environmentFile: string;
  /** Logins; absent: there are none. */
  logins?: LoginLookup;
}

/** What was found for a provider: a key to send, a login, a key that must not be sent, or nothing. */
export type KeyState =
  | { state: "ok"; key: FoundKey }
  | { state: "login"; login: ProviderLogin }
  | { state: "bad"; why: string }
  | { state: "none" };

type Keys = Pick<KeyPlace, "keys" | "logins">;

/**
 * Looks for what a provider's requests are made with: the config's own key, a variable of the environment, a login, then the `.env`
 * files. A login for another address than the provider's now counts as none. Never throws.
 */
export function lookForKey(target: ProviderTarget, { keys, logins }: Keys): KeyState {
  // a left-over cloud key is no business of an Ollama on this machine
  if (
    target.builtIn?.name === "ollama" &&
    !target.baseUrl.startsWith("https:") &&
    target.apiKey === undefined
  )
    return { state: "none" };
  const found =
    target.apiKey === undefined ? findVariable(target.keyVariables, keys) : configured(target, keys);
  const login = inForce(found) || target.apiKey !== undefined ? undefined : loginFor(target, logins);
  if (login !== undefined) return { state: "login", login };
  if (!found) return { state: "none" };
  const problem = found.problem ?? foreignKey(found.value, target);
  if (problem === undefined) return { state: "ok", key: found };
  return { state: "bad", why: `${found.variable} (from ${found.source}) ${problem}` };
}

/** Whether requests can be made with what was found. */
export function isUsable(target: ProviderTarget, { state }: KeyState): boolean {
  return state === "ok" || state === "login" || (!target.keyRequired && target.apiKey === undefined);
}

/** A variable of the environment is this run's word: it wins over what was kept for every run. */
function inForce(found: FoundKey | undefined): boolean {
  return found?.source === ENVIRONMENT_SOURCE && found.problem !== "is empty";
}

function loginFor(target: ProviderTarget, logins: LoginLookup | undefined): ProviderLogin | undefined {
  const login = logins?.find(target.name);
  return login?.origin === new URL(target.baseUrl).origin ? login : undefined;
}

/**
 * The key to send or the login to send it with; null where the provider needs none. Throws PiError `no_key` (none) or `bad_key` (one
 * that cannot be meant as it is), both with exit code 4, naming variable and file.
 */
export function requireKey(
  target: ProviderTarget,
  place: KeyPlace,
): { key: FoundKey } | { login: ProviderLogin } | null {
  const found = lookForKey(target, place);
  if (found.state === "ok" || found.state === "login") return found;
  const variable = variableIn(target.apiKey ?? "") ?? target.keyVariables[0]!;
  if (found.state === "bad")
    throw new PiError({
      code: "bad_key",
      message: `the API key for ${target.name} was not sent: ${found.why}`,
      hint: `Set ${variable} again, in the environment or in ${place.environmentFile}. A value in the environment wins over the file.`,
      exitCode: 4,
    });
  if (!target.keyRequired && target.apiKey === undefined) return null;
  throw new PiError({
    code: "no_key",
    message: `no API key for ${target.name}: ${variable} is not set`,
    hint:
      `\`pi login ${target.name}\` asks for it. Or set ${variable} in the environment, or write ${variable}=… into ${place.environmentFile}.` +
      otherPlace(target, place.logins) +
      (target.builtIn && target.baseUrl !== target.builtIn.baseUrl
        ? ` If ${publicAddress(target.baseUrl)} takes no key, any word will do.`
        : "") +
      " `pi demo` shows pi at work without a key.",
    exitCode: 4,
  });
}

function otherPlace(target: ProviderTarget, logins: LoginLookup | undefined): string {
  const login = logins?.find(target.name);
  if (login === undefined || target.apiKey !== undefined) return "";
  return ` The login to ${target.name} is for ${login.origin}, and is not sent to ${publicAddress(target.baseUrl)}.`;
}

function findVariable(variables: readonly string[], keys: KeyLookup): FoundKey | undefined {
  let first: FoundKey | undefined;
  for (const variable of variables) {
    const found = keys.find(variable);
    if (found && found.problem === undefined) return found;
    first ??= found;
  }
  return first;
}

function configured(target: ProviderTarget, keys: KeyLookup): FoundKey | undefined {
  const text = target.apiKey!;
  const variable = variableIn(text);
  if (variable !== undefined) return keys.find(variable);
  const problem = keyProblem(text);
  return {
    variable: `providers.${target.name}.apiKey`,
    source: "your config file",
    value: text,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** A key that plainly belongs to another provider is not shown to this one; a gateway may take any key. */
function foreignKey(value: string, target: ProviderTarget): string | undefined {
  if (!target.builtIn || target.baseUrl !== target.builtIn.baseUrl) return undefined;
  const owner = BUILT_IN_PROVIDERS.find((provider) => provider.keyPrefix?.test(value));
  return !owner || owner.name === target.builtIn.name ? undefined : `looks like a key of ${owner.name}`;
}
