import { PiError } from "../../contract/errors.ts";
import type { FoundKey, KeyLookup } from "../../contract/settings.ts";
import { keyProblem } from "../../platform/key-problem.ts";
import { publicAddress } from "../../platform/public-address.ts";
import type { ProviderTarget } from "./provider-target.ts";
import { BUILT_IN_PROVIDERS } from "./providers.ts";

/** The file people are told to write keys into. */
export interface KeyPlace {
  keys: KeyLookup;
  /** `~/.pi-go/.env`, as a path. */
  environmentFile: string;
}

/** What was found for a provider's key: a key to send, one that must not be sent, or none. */
export type KeyState = { state: "ok"; key: FoundKey } | { state: "bad"; why: string } | { state: "none" };

/** Looks for a provider's key: the config's own entry first, then its variables. Never throws. */
export function lookForKey(target: ProviderTarget, keys: KeyLookup): KeyState {
  // a left-over cloud key is no business of an Ollama on this machine
  if (
    target.builtIn?.name === "ollama" &&
    !target.baseUrl.startsWith("https:") &&
    target.apiKey === undefined
  )
    return { state: "none" };
  const found =
    target.apiKey === undefined ? findVariable(target.keyVariables, keys) : configured(target, keys);
  if (!found) return { state: "none" };
  const problem = found.problem ?? foreignKey(found.value, target);
  if (problem === undefined) return { state: "ok", key: found };
  return { state: "bad", why: `${found.variable} (from ${found.source}) ${problem}` };
}

/**
 * The key to send, or null where the provider needs none. Throws PiError `no_key` (none) or `bad_key` (one that cannot be
 * meant as it is), both with exit code 4, naming variable and file.
 */
export function requireKey(target: ProviderTarget, place: KeyPlace): FoundKey | null {
  const found = lookForKey(target, place.keys);
  if (found.state === "ok") return found.key;
  const variable = target.apiKey?.startsWith("$") ? referenced(target.apiKey) : target.keyVariables[0]!;
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
      `Set ${variable} in the environment, or write ${variable}=… into ${place.environmentFile}.` +
      (target.builtIn && target.baseUrl !== target.builtIn.baseUrl
        ? ` If ${publicAddress(target.baseUrl)} takes no key, any word will do.`
        : "") +
      " `pi demo` shows pi at work without a key.",
    exitCode: 4,
  });
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
  if (text.startsWith("$")) return keys.find(referenced(text));
  const problem = keyProblem(text);
  return {
    variable: `providers.${target.name}.apiKey`,
    source: "your config file",
    value: text,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The name in `$NAME` or `${NAME}`. */
function referenced(text: string): string {
  return text.slice(1).replace(/^\{(.*)\}$/, "$1");
}

/** A key that plainly belongs to another provider is not shown to this one; a gateway may take any key. */
function foreignKey(value: string, target: ProviderTarget): string | undefined {
  if (!target.builtIn || target.baseUrl !== target.builtIn.baseUrl) return undefined;
  const owner = BUILT_IN_PROVIDERS.find((provider) => provider.keyPrefix?.test(value));
  return !owner || owner.name === target.builtIn.name ? undefined : `looks like a key of ${owner.name}`;
}
