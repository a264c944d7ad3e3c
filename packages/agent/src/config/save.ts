import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { PiError, systemCode } from "../contract/errors.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { systemClock } from "../platform/clock.ts";
import { withLock } from "../platform/lock.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { readJsonFile } from "./read-json-file.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import { validateConfig } from "./validate.ts";

/** One change of the user's config file: `["roles", "smol"]` to a value, or out of the file (undefined). */
export interface ConfigEdit {
  path: readonly string[];
  value: Json | undefined;
}

/**
 * Changes the user's config file in place: comments, order and everything else in it stay. Processes take turns; the file is
 * replaced whole (a link's target, with its mode). Throws PiError `config_broken` for a file that cannot be parsed, which is
 * left as it is, `config_invalid` for a value that the schema does not take, or a FileErrorCode when the disk refuses.
 */
export async function saveConfig(file: string, edits: readonly ConfigEdit[]): Promise<void> {
  for (const edit of edits) checkEdit(edit, file);
  ensurePrivateFolder(dirname(file));
  const { applyEdits, modify } = await import("jsonc-parser");
  await withLock(
    `${file}.lock`,
    async () => {
      const old = await readJsonFile(file);
      if (old.state === "broken")
        throw new PiError({
          code: "config_broken",
          message: `${file} was not changed: ${old.problem}`,
          hint: "Correct the file first. It was left as it is.",
        });
      const mark = hasByteOrderMark(file) ? "\uFEFF" : "";
      const before = old.state === "ok" ? old.text : "";
      let text = before.trim() === "" ? "{}\n" : before;
      const formattingOptions = {
        insertSpaces: !/^\t/m.test(text),
        tabSize: 2,
        eol: text.includes("\r\n") ? "\r\n" : "\n",
      };
      for (const { path, value } of edits)
        text = applyEdits(text, modify(text, [...path], value, { formattingOptions }));
      if (mark + text !== mark + before) writeFileAtomic(file, mark + text);
    },
    { clock: systemClock },
  );
}

function checkEdit({ path, value }: ConfigEdit, file: string): void {
  if (value === undefined) return;
  const whole = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
  const problem = validateConfig(whole, CONFIG_SCHEMA, file).notices[0];
  if (problem)
    throw new PiError({
      code: "config_invalid",
      message: problem.message.replace(/; it is ignored$/, ""),
      hint: "Nothing was changed.",
    });
}

function hasByteOrderMark(file: string): boolean {
  try {
    return readFileSync(file)
      .subarray(0, 3)
      .equals(Buffer.from([0xef, 0xbb, 0xbf]));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
