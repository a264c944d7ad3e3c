import type { LoginDone, LoginPorts, LogoutDone } from "../../commands/login/login-ports.ts";
import { isKeyName } from "../../config/env-file.ts";
import { saveKey } from "../../config/save-key.ts";
import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import type { LoginState } from "../../contract/logins.ts";
import type { ProcessDoor } from "../../contract/process.ts";
import { ENVIRONMENT_SOURCE, variableIn } from "../../contract/settings.ts";
import { logIn } from "../../login/log-in.ts";
import { logOut } from "../../login/log-out.ts";
import type { LoginRecord } from "../../login/login-record.ts";
import type { LoginStore } from "../../login/store/login-store.ts";
import { systemClock } from "../../platform/clock.ts";
import { lookForKey } from "../../provider/registry/provider-key.ts";
import type { ProviderTarget } from "../../provider/registry/provider-target.ts";
import type { ResolveOptions } from "../../provider/registry/resolve.ts";
import { loadWire } from "../../provider/registry/wires.ts";
import { hasBrowser } from "../open-browser.ts";
import type { Place } from "../place.ts";
import type { Settings } from "../run-setup.ts";
import { type LoginTarget, loginTargets } from "./login-choices.ts";
import { loginStates, stateOf } from "./login-states.ts";
import { loginStore } from "./login-store.ts";

/** A service that lists no models within this time is not waited for. */
const CHECK_MS = 10_000;
/** A login ends here at once, whatever the service does. */
const REVOKE_MS = 5_000;

export interface LoginPortParts {
  place: Place;
  /** As they are now. */
  setup(): Promise<{ settings: Settings; options: ResolveOptions }>;
  processes(): ProcessDoor;
  tell(message: string): void;
  /** A login or key of this provider came or went; gives what this program made of it, for people. */
  changed(provider: string, how: "came" | "went"): Promise<readonly string[]>;
}

/** Logging in and out, for every surface. */
export function loginPort(parts: LoginPortParts): Omit<LoginPorts["login"], "openBrowser" | "tell" | "now"> {
  const { place, setup, changed } = parts;
  const { home, environment } = place;
  const store = loginStore(home, environment);
  const all = async () => {
    const { settings, options } = await setup();
    const targets = loginTargets({ settings, options, browser: hasBrowser(environment) });
    return { settings, options, targets };
  };
  const find = async (provider: string) => {
    const { settings, options, targets } = await all();
    const target = targets.find(({ choice }) => choice.provider === provider);
    if (target === undefined)
      throw new PiError({ code: "login_provider", message: `there is no provider "${provider}"` });
    return { settings, options, target };
  };
  return {
    choices: async () => (await all()).targets.map(({ choice }) => choice),
    async logIn(provider, way, screen, signal) {
      const { settings, options, target } = await find(provider);
      const { service, baseUrl } = target;
      if (service === null || baseUrl === null)
        throw new PiError({
          code: "oauth_setting",
          message: target.choice.missing ?? `one cannot log in to ${provider} by OAuth`,
        });
      const record = await logIn({
        service,
        flow: way,
        screen,
        store,
        keptIn: settings.config.oauth.store ?? "file",
        baseUrl,
        fetch: options.fetch,
        clock: systemClock,
        signal,
      });
      const state = await stateOf(record, store);
      return {
        state,
        notes: [...notesOf(target, record, state, options), ...(await changed(provider, "came"))],
      };
    },
    async saveKey(provider, typed, signal) {
      const { options, target } = await find(provider);
      return keepKey(typed, target, { options, store, parts, signal });
    },
    async states() {
      const { options, targets } = await all();
      return loginStates(targets, options, store);
    },
    async logOut(provider, signal) {
      const { options, target } = await find(provider);
      const gone = await removeAll(target, { options, store, parts, signal });
      return { ...gone, left: [...gone.left, ...(await changed(provider, "went"))] };
    },
  };
}

interface Work {
  options: ResolveOptions;
  store: LoginStore;
  parts: LoginPortParts;
  signal: AbortSignal;
}

/** What a person should know of a login that was just granted. */
function notesOf(
  { choice, keyTarget }: LoginTarget,
  { use }: LoginRecord,
  { renews, expiresAt }: LoginState,
  { environment }: ResolveOptions,
): string[] {
  const { provider, keyVariable } = choice;
  const notes: string[] = [];
  if (keyTarget.name === provider && environment[keyVariable])
    notes.push(`${keyVariable} in the environment wins over it in this shell.`);
  if (keyTarget.name === provider && keyTarget.apiKey !== undefined)
    notes.push(`providers.${provider}.apiKey in your config file wins over it.`);
  if (keyTarget.name === provider && new URL(keyTarget.baseUrl).origin !== use.origin)
    notes.push(
      `Requests go to ${new URL(keyTarget.baseUrl).origin} now, and the token is for ${use.origin} alone.`,
    );
  if (renews !== true && expiresAt !== undefined)
    notes.push("The service gave nothing to renew it with: log in again when it ends.");
  return notes;
}

async function keepKey(typed: string, target: LoginTarget, work: Work): Promise<LoginDone> {
  const { choice, keyTarget } = target;
  const { provider, keyVariable } = choice;
  const { options, store, parts, signal } = work;
  const { environmentFile } = parts.place.home;
  const key = typed.replace(/^\uFEFF/, "").trim();
  const notes = await checkKey(key, keyVariable, keyTarget, options, signal);
  await saveKey(environmentFile, keyVariable, key);
  const record = store.read(provider);
  if (record !== null) {
    await logOut(record, { store, fetch: options.fetch, clock: systemClock, signal: limited(signal) });
    notes.push("The login by OAuth is ended: requests are made with the key now.");
  }
  if (parts.place.environment[keyVariable])
    notes.push(`${keyVariable} in the environment wins over it in this shell.`);
  if (isLiteral(keyTarget.apiKey))
    notes.push(`providers.${keyTarget.name}.apiKey in your config file wins over it.`);
  const state: LoginState = { provider, kind: "key", source: `${keyVariable} in ${environmentFile}` };
  return { state, notes: [...notes, ...(await parts.changed(keyTarget.name, "came"))] };
}

/** Throws a PiError for a key that cannot be meant as it is, or that its service refuses; gives why it could not be checked. */
async function checkKey(
  key: string,
  variable: string,
  target: ProviderTarget,
  options: ResolveOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const { keyProblem } = await import("../../platform/key-problem.ts");
  const problem = keyProblem(key);
  const found = {
    variable,
    value: key,
    source: "what was given",
    ...(problem === undefined ? {} : { problem }),
  };
  const { apiKey: _, ...plain } = target;
  const looked = lookForKey({ ...plain, keyVariables: [variable] }, { keys: { find: () => found } });
  if (looked.state === "bad") throw refusedKey(`the key was not kept: ${looked.why}`);
  if (!isKeyName(variable))
    throw refusedKey(`${variable} is not read from a file: only names that end in _API_KEY or _TOKEN are`);
  const wire = await loadWire(target.wire);
  const headers = { ...options.headers, ...target.headers, ...options.flagHeaders };
  const { name, baseUrl } = target;
  const settings = { provider: name, wire: target.wire, baseUrl, apiKey: key, headers, fetch: options.fetch };
  try {
    await wire.listModels(settings, AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]));
    return [];
  } catch (thrown) {
    signal.throwIfAborted();
    if (isPiError(thrown) && thrown.code === "model_auth")
      throw refusedKey(`the key was not kept: ${thrown.message}`);
    return [`It could not be checked: ${errorMessage(thrown)}`];
  }
}

/** A key that stands in the configuration itself. */
function isLiteral(apiKey: string | undefined): boolean {
  return apiKey !== undefined && variableIn(apiKey) === undefined;
}

function refusedKey(message: string): PiError {
  return new PiError({ code: "bad_key", message, hint: "Nothing was changed.", exitCode: 4 });
}

async function removeAll({ choice, keyTarget }: LoginTarget, work: Work): Promise<LogoutDone> {
  const { provider, keyVariable } = choice;
  const { options, store, parts, signal } = work;
  const { environmentFile } = parts.place.home;
  const done: string[] = [];
  const left: string[] = [];
  const record = store.read(provider);
  if (record !== null) {
    const revoked = await logOut(record, {
      store,
      fetch: options.fetch,
      clock: systemClock,
      signal: limited(signal),
    });
    done.push(`The login to ${choice.title} is removed from this machine.`);
    if (revoked.state === "not_offered")
      left.push("The service takes no tokens back: what was granted ends by itself, or on its own pages.");
    if (revoked.state === "failed") left.push(`The service was not told: ${revoked.why}.`);
  }
  if (await saveKey(environmentFile, keyVariable, null))
    done.push(`${keyVariable} is taken out of ${environmentFile}.`);
  const key = options.keys.find(keyVariable);
  if (key?.source === ENVIRONMENT_SOURCE && key.problem !== "is empty")
    left.push(`${keyVariable} is still set in the environment of this shell: unset ${keyVariable}`);
  if (isLiteral(keyTarget.apiKey))
    left.push(`providers.${keyTarget.name}.apiKey still stands in your config file.`);
  return { done, left };
}

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(REVOKE_MS)]);
}
