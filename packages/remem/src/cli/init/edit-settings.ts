import { existsSync, readFileSync } from "node:fs";
import { CliError } from "../cli-error.ts";
import { changePrivateFile } from "./private-file.ts";
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
  const jsonc = await import("jsonc-parser");
  const changed: string[] = [];
  await changePrivateFile(file, readSettings, (content) => {
    let text = content ?? FRESH;
    const errors: import("jsonc-parser").ParseError[] = [];
    const root = jsonc.parseTree(text.replace(/^\uFEFF/u, ""), errors, { allowTrailingComma: true });
    const [first] = errors;
    if (root?.type !== "object" || first !== undefined) {
      const before = text.slice(0, first?.offset ?? 0).split("\n");
      throw new CliError(
        "broken_settings",
        `${file}:${before.length}:${before.at(-1)!.length + 1} is no JSON object${first === undefined ? "" : ` (${jsonc.printParseErrorCode(first.error)})`}`,
        "correct it, or move it away; it was not changed",
      );
    }
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    text = text.slice(mark.length);
    for (const { path, value } of edits) {
      const next = setProperty(jsonc, text, path, value);
      if (next !== text) changed.push(path.join("."));
      text = next;
    }
    return content !== undefined && changed.length === 0 ? null : mark + text;
  });
  return changed;
}

function readSettings(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
