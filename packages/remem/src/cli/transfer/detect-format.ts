import { closeSync, openSync, readSync, statSync } from "node:fs";
import { CliError } from "../cli-error.ts";

export const FORMATS = ["jsonl", "markdown", "claude-mem", "pi-go", "store"] as const;
/** What can be imported: exports, notes, databases of other programs, and stores of this engine. */
export type ImportFormat = (typeof FORMATS)[number];

const SQLITE = "SQLite format 3\0";
const LOOKED_AT = 4_096;

/** What a path holds. Throws a CliError for what is none of the formats. */
export async function detectFormat(path: string): Promise<ImportFormat> {
  if (statSync(path).isDirectory()) return "markdown";
  const start = readStart(path);
  if (start.startsWith(SQLITE)) {
    const { readLayout } = await import("../read-layout.ts");
    return (await readLayout(path)) > 0 ? "store" : "claude-mem";
  }
  if (/^\uFEFF?\s*\{/.test(start)) return "jsonl";
  throw new CliError(
    "unknown_format",
    `${path} is neither an export, nor notes, nor a database`,
    `name its folder if it is a note, or say what it is: --from ${FORMATS.join("|")}`,
  );
}

function readStart(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(LOOKED_AT);
    return bytes.subarray(0, readSync(file, bytes, 0, LOOKED_AT, 0)).toString("utf8");
  } finally {
    closeSync(file);
  }
}
