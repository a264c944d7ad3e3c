/** Only these names are read from any `.env` file. */
const KEY_NAME = /^[A-Z][A-Z0-9_]*_(API_KEY|TOKEN)$/;

/** Whether a key of this name is read from an `.env` file. */
export function isKeyName(name: string): boolean {
  return KEY_NAME.test(name);
}

export interface EnvFile {
  keys: Map<string, string>;
  /** Names that were there and are not read from such a file. */
  ignored: string[];
}

/**
 * Reads `NAME=value` lines: `export`, comments, quotes (double ones with \n, \", \\), a byte order mark, CRLF. No expansion of
 * variables. Later lines win. Only names of the form `*_API_KEY` and `*_TOKEN` are taken.
 */
export function parseEnvFile(text: string): EnvFile {
  const keys = new Map<string, string>();
  const ignored: string[] = [];
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    const found = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    if (!found) continue;
    const [, name, raw] = found as unknown as [string, string, string];
    if (isKeyName(name)) keys.set(name, unquote(raw));
    else ignored.push(name);
  }
  return { keys, ignored };
}

function unquote(raw: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(raw);
  if (double)
    return double[1]!.replace(
      /\\(.)/g,
      (_, letter: string) => ({ n: "\n", r: "\r", t: "\t" })[letter] ?? letter,
    );
  const single = /^'([^']*)'\s*(?:#.*)?$/.exec(raw);
  if (single) return single[1]!;
  return raw.replace(/\s+#.*$/, "").trim();
}
