/** A text with its variables filled in, or the names of those that are not set. */
export type Expanded = { text: string } | { missing: string[] };

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Fills in `${NAME}` and `${NAME:-default}`; the default also stands for an empty value. Values are not looked through again. */
export function expandVariables(text: string, lookUp: (name: string) => string | undefined): Expanded {
  const missing = new Set<string>();
  const filled = text.replace(VARIABLE, (_, name: string, otherwise: string | undefined) => {
    const value = lookUp(name);
    if (otherwise !== undefined) return value || otherwise;
    if (value !== undefined) return value;
    missing.add(name);
    return "";
  });
  return missing.size > 0 ? { missing: [...missing] } : { text: filled };
}
