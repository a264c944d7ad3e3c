import { errorMessage } from "../../contract/errors.ts";
import type { LoginChoice } from "../../contract/logins.ts";
import { oauthSetting, variableIn } from "../../contract/settings.ts";
import { flowsOf, type LoginService, loginService } from "../../login/login-service.ts";
import { loginPreset, PRESET_PROVIDERS } from "../../login/presets.ts";
import { type ProviderTarget, providerTarget } from "../../provider/registry/provider-target.ts";
import { BUILT_IN_PROVIDERS } from "../../provider/registry/providers.ts";
import type { ResolveOptions } from "../../provider/registry/resolve.ts";
import type { Settings } from "../run-setup.ts";

/** A provider that one can log in to, and how. */
export interface LoginTarget {
  choice: LoginChoice;
  /** Null: not by OAuth. */
  service: LoginService | null;
  /** Where a token is for; null: no requests go to this provider. */
  baseUrl: string | null;
  /** The provider that a key is for. */
  keyTarget: ProviderTarget;
}

export interface TargetParts {
  settings: Settings;
  options: ResolveOptions;
  /** There is a browser on the person's own screen. */
  browser: boolean;
}

/** Everything that one can log in to: what is known, and what the user's configuration names; an entry that cannot be used is left out. */
export function loginTargets(parts: TargetParts): LoginTarget[] {
  const { providers, oauth } = parts.settings.config;
  const names = new Set([
    ...PRESET_PROVIDERS,
    ...BUILT_IN_PROVIDERS.filter(({ keyVariables }) => keyVariables.length > 0).map(({ name }) => name),
    ...Object.keys(providers),
    ...Object.keys(oauth).filter((name) => oauthSetting(oauth, name) !== undefined),
  ]);
  return [...names].flatMap((name) => loginTarget(name, parts) ?? []);
}

function loginTarget(provider: string, { settings, options, browser }: TargetParts): LoginTarget | null {
  const preset = loginPreset(provider);
  const target = targetOf(provider, options);
  const keyTarget = preset?.keyOf === undefined ? target : targetOf(preset.keyOf, options);
  const found = serviceOf(provider, settings, options);
  const setting = oauthSetting(settings.config.oauth, provider);
  const usable = target !== null || preset?.oauth !== undefined;
  if (!usable || (keyTarget === null && target === null)) return null;
  const service = target !== null && "service" in found ? found.service : null;
  const flows = service === null ? [] : flowsOf(service);
  const ordered = browser
    ? flows
    : flows.toSorted((a, b) => Number(a === "browser") - Number(b === "browser"));
  const known = preset?.oauth !== undefined || setting !== undefined;
  return {
    choice: {
      provider,
      title: preset?.title ?? provider,
      ways: [...ordered, "key"],
      missing: service !== null || !known ? null : missingOf(provider, found, target),
      keyVariable: keyVariableOf(keyTarget ?? target!),
      ...(preset?.keyPage === undefined ? {} : { keyPage: preset.keyPage }),
    },
    service,
    baseUrl: setting?.baseUrl ?? target?.baseUrl ?? null,
    keyTarget: keyTarget ?? target!,
  };
}

function targetOf(provider: string, options: ResolveOptions): ProviderTarget | null {
  try {
    return providerTarget(provider, { ...options, url: null }) ?? null;
  } catch {
    // Its entry cannot be used; whoever asks it for a model is told why.
    return null;
  }
}

function serviceOf(provider: string, { config }: Settings, { environment }: ResolveOptions) {
  try {
    return loginService(provider, oauthSetting(config.oauth, provider), (name) => environment[name]);
  } catch (thrown) {
    return { missing: errorMessage(thrown) };
  }
}

function missingOf(
  provider: string,
  found: ReturnType<typeof serviceOf>,
  target: ProviderTarget | null,
): string | null {
  if ("missing" in found) return `${found.missing}.`;
  if (target !== null) return null;
  return `No requests go to ${provider} yet: set providers.${provider} (baseUrl, wire, models) in your config file.`;
}

/** The variable that a key is looked for under. */
function keyVariableOf({ apiKey, keyVariables }: ProviderTarget): string {
  return variableIn(apiKey ?? "") ?? keyVariables[0]!;
}
