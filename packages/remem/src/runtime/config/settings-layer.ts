import { nearestName } from "./nearest-name.ts";
import { FOREIGN_KEYS, SETTING_KEYS } from "./setting-keys.ts";

/** Settings by their full key, such as `capture.enabled`. */
export type FlatSettings = ReadonlyMap<string, unknown>;

/** The settings of one file or caller, and what is wrong in it. Wrong and unknown ones are left out. */
export function readLayer(
  value: unknown,
  place: string,
): { readonly settings: FlatSettings; readonly problems: readonly string[] } {
  const settings = new Map<string, unknown>();
  const problems: string[] = [];
  if (!isObject(value))
    return { settings, problems: [`${place} holds no object of settings; it is left out`] };
  const visit = (object: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, own] of Object.entries(object)) {
      const key = prefix + name;
      if (prefix === "" && FOREIGN_KEYS.has(key)) continue;
      const known = SETTING_KEYS[key];
      if (known !== undefined) {
        const wrong = own === undefined ? undefined : known.check(own);
        if (wrong !== undefined) problems.push(`${key} in ${place} ${wrong}; it is left out`);
        else if (own !== undefined) settings.set(key, own);
      } else if (isGroup(key)) {
        if (isObject(own)) visit(own, `${key}.`);
        else problems.push(`${key} in ${place} is no object; it is left out`);
      } else problems.push(unknownKey(key, place));
    }
  };
  visit(value, "");
  return { settings, problems };
}

/** Puts a layer of the user's or the host's over another: what it says wins. */
export function overlay(below: FlatSettings, above: FlatSettings): FlatSettings {
  return new Map([...below, ...above]);
}

/** Puts a project's layer over the user's: it can make memory do less, never more. */
export function narrow(
  user: FlatSettings,
  project: FlatSettings,
  place: string,
): { readonly settings: FlatSettings; readonly problems: readonly string[] } {
  const settings = new Map(user);
  const problems: string[] = [];
  for (const [key, value] of project) {
    const current = user.get(key);
    switch (SETTING_KEYS[key]!.project) {
      case "only_off":
        if (value === false) settings.set(key, false);
        else if (current === false)
          problems.push(`${key} in ${place} cannot switch on what you switched off`);
        break;
      case "only_less":
        if ((value as number) <= (current as number)) settings.set(key, value);
        else problems.push(`${key} in ${place} can only be lower than yours`);
        break;
      case "only_add":
        settings.set(key, [...new Set([...(current as string[]), ...(value as string[])])]);
        break;
      case "never":
        problems.push(`${key} is not read from a project (${place})`);
    }
  }
  return { settings, problems };
}

function unknownKey(key: string, place: string): string {
  const near = nearestName(key, Object.keys(SETTING_KEYS));
  return `${place} has an unknown key ${JSON.stringify(key)}${near === undefined ? "" : `; did you mean "${near}"?`}`;
}

function isGroup(key: string): boolean {
  return Object.keys(SETTING_KEYS).some((known) => known.startsWith(`${key}.`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
