import { homedir } from "node:os";
import type { SettingsPort } from "../../../commands/slash/shared/settings-port.ts";
import type { Config } from "../../../config/config.ts";
import { loadConfig } from "../../../config/load.ts";
import { saveConfig } from "../../../config/save.ts";
import { PiError } from "../../../contract/errors.ts";
import { isJsonObject, type Json } from "../../../contract/json.ts";
import type { Program } from "../program.ts";

/** A path below the person's home folder as `~/…`. */
export function homeRelative(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Settings for commands: what is in force, and changes of the user's config file that act at once. `onChange` hears of each. */
export function settingsPort(program: Program, onChange: () => void): SettingsPort["settings"] {
  const { home } = program.parts.place;
  return {
    value: (path) => at(program.settings?.config as unknown as Json, path),
    async save(path, value) {
      const { settings } = program;
      if (settings === undefined)
        throw new PiError({
          code: "not_ready",
          message: "the settings are not loaded yet",
          hint: "Try again.",
        });
      await saveConfig(home.config, [{ path, value }]);
      const files = { userFile: home.config, userHome: home.user, project: settings.project };
      const own = await loadConfig({ ...files, trusted: false });
      const all = await loadConfig({ ...files, trusted: settings.trusted });
      adopt(settings.config, path, at(own.config as unknown as Json, path));
      onChange();
      const name = path.join(".");
      const wins = Object.entries(all.sources).some(
        ([key, source]) => source === "project" && (key === name || key.startsWith(`${name}.`)),
      );
      return {
        file: homeRelative(home.config),
        ...(wins ? { overriddenBy: "this project's .pi-go/config.json" } : {}),
      };
    },
  };
}

function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return found;
}

/** The settings object is shared by everything that reads it, so the change is made in it. */
function adopt(config: Config, path: readonly string[], value: Json | undefined): void {
  let target = config as unknown as Record<string, Json | undefined>;
  for (const key of path.slice(0, -1)) {
    const next = target[key];
    if (!isJsonObject(next)) {
      target[key] = {};
    }
    target = target[key] as Record<string, Json | undefined>;
  }
  const last = path.at(-1)!;
  if (value === undefined) delete target[last];
  else target[last] = value;
}
