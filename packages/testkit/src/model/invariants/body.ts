/** Services refuse larger bodies before they look at them (Anthropic's limit, the lowest of the five). */
const LIMIT = 32 * 1024 * 1024;

/** What is wrong with a body before its meaning is looked at: size, encoding, JSON, lone surrogates. */
export function bodyProblems(bytes: Uint8Array): string[] {
  if (bytes.length > LIMIT) return [`the body has ${bytes.length} bytes; at most ${LIMIT} are allowed`];
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // a fatal decoder throws on the first malformed sequence
    return ["the body is not well-formed UTF-8"];
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [`the body is not JSON: ${error instanceof Error ? error.message : String(error)}`];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return ["the body is not a JSON object"];
  const at = loneSurrogate(value, "body");
  return at === undefined ? [] : [`${at} holds a lone surrogate: no valid Unicode text`];
}

/** Where in a value a string (or member name) has half a surrogate pair, also one that was escaped in the JSON text. */
function loneSurrogate(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    if (!name.isWellFormed()) return `a member name in ${path}`;
    const found = loneSurrogate(item, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
