import { sha256 } from "../server-config.ts";

/** Every service takes names of this length. */
const LONGEST = 64;
/** The end of a name that could not be kept as it is: an underscore and eight digits. */
const SUFFIX = 9;

/**
 * The name under which a model knows a tool: `server__tool` in letters, digits, `_` and `-`, at most 64 characters. A name that had to
 * be changed or cut, or that could be read in two ways, ends with a hash of both names: so it depends on nothing else, neither on the
 * order of servers nor on what others are called.
 */
export function toolName(server: string, tool: string): string {
  const plain = `${clean(server)}__${clean(tool)}`;
  const exact = plain === `${server}__${tool}`;
  // Split at the first `__`, an exact name gives back server and tool.
  const ambiguous = server.includes("__") || server.endsWith("_");
  if (exact && !ambiguous && plain.length <= LONGEST && /^[A-Za-z_]/.test(plain)) return plain;
  const safe = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return `${safe.slice(0, LONGEST - SUFFIX)}_${sha256(`${server}\0${tool}`).slice(0, SUFFIX - 1)}`;
}

function clean(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]+/g, "_");
}
