import { editJsonc } from "./edit-jsonc.ts";
import { setProperty } from "./set-property.ts";

/** One setting to write: its path in the file, and its value. */
export interface SettingEdit {
  readonly path: readonly string[];
  readonly value: string | boolean | number;
}

const FRESH = `// Settings of the memory engine, shared by all programs that use it. Comments may stay.\n{\n  "version": 1\n}\n`;

/**
 * Writes settings into the user's file, made when it is missing: other keys and comments stay byte for byte. Gives the names of those that
 * were changed. A file that is no JSON is left as it is: rejects with a CliError that says where it is broken.
 */
export async function editSettings(file: string, edits: readonly SettingEdit[]): Promise<readonly string[]> {
  const changed: string[] = [];
  await editJsonc(file, { fresh: FRESH, shared: false }, (text, jsonc) =>
    edits.reduce((before, { path, value }) => {
      const after = setProperty(jsonc, before, path, value);
      if (after !== before) changed.push(path.join("."));
      return after;
    }, text),
  );
  return changed;
}
