import type { Json } from "../../../contract/json.ts";

/** Settings in force, and the user's config file. */
export interface SettingsPort {
  settings: {
    /** What is in force now; undefined when it is not set. */
    value(path: readonly string[]): Json | undefined;
    /**
     * Writes one setting into the user's config file (undefined: takes it out) and lets it act in this program at once. Throws a PiError when the file
     * is broken (it is left as it is), the value is not allowed, or the disk refuses.
     */
    save(path: readonly string[], value: Json | undefined): Promise<SavedSetting>;
  };
}

export interface SavedSetting {
  /** The file, fit to be shown (`~/.pi-go/config.json`). */
  file: string;
  /** What wins over it at the next start (a flag, the project's config file), for people. */
  overriddenBy?: string;
}

/** Where a setting was saved, and what wins over it. */
export function whereSaved({ file, overriddenBy }: SavedSetting): string {
  return overriddenBy === undefined
    ? `Saved in ${file}.`
    : `Saved in ${file}; at the next start ${overriddenBy} wins over it.`;
}
