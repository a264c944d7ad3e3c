import type { Json } from "../../../contract/json.ts";
import type { SavedSetting, SettingsPort } from "../shared/settings-port.ts";

/** Settings in memory; `saved` has what was written, by dotted path. */
export function fakeSettings(
  values: Record<string, Json> = {},
  overriddenBy?: string,
): SettingsPort & { saved: Record<string, Json | undefined> } {
  const saved: Record<string, Json | undefined> = {};
  const where: SavedSetting = {
    file: "~/.pi-go/config.json",
    ...(overriddenBy === undefined ? {} : { overriddenBy }),
  };
  return {
    saved,
    settings: {
      value: (path) => values[path.join(".")],
      async save(path, value) {
        saved[path.join(".")] = value;
        return where;
      },
    },
  };
}
