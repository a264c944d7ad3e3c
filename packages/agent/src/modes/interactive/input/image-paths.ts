/** Finds the paths of image files in text that was pasted or dropped on the terminal. */

/** One path as it stands in the text and what it means. `path` may begin with `~/`. */
export interface ImagePath {
  raw: string;
  path: string;
}

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
const ROOTED = /^(?:\/|~\/|[A-Za-z]:[\\/]|\\\\)/;
/** A quoted text, or a run in which a backslash takes the next character with it. */
const WORD = /'[^']*'|"[^"]*"|(?:\\.|[^\s\\])+/g;
const MOST_PATHS = 20;

/**
 * The image paths that a text consists of, or [] when it is anything else (so text that only mentions a path is left alone). Terminals
 * write a dropped file as it is, in quotes, with backslashes before spaces, or as `file://` with percent escapes.
 */
export function imagePathsIn(text: string): ImagePath[] {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.includes("\n") || trimmed.length > 8192) return [];
  const words = trimmed.match(WORD) ?? [];
  const covered = trimmed.replace(WORD, "").trim() === "";
  const paths = words.map((raw) => ({ raw, path: meaning(raw) }));
  if (covered && words.length <= MOST_PATHS && paths.every(({ path }) => isImage(path))) return paths;
  // A terminal that does not quote: one path with spaces in it.
  return isImage(trimmed) && !/\s(?:\/|~\/|file:)/.test(trimmed) ? [{ raw: trimmed, path: trimmed }] : [];
}

function isImage(path: string): boolean {
  return IMAGE.test(path) && ROOTED.test(path);
}

function meaning(word: string): string {
  const quote = word[0];
  if ((quote === "'" || quote === '"') && word.endsWith(quote) && word.length > 1)
    return fromUrl(word.slice(1, -1));
  // On Windows a backslash separates folders.
  if (/^(?:[A-Za-z]:\\|\\\\)/.test(word)) return word;
  return fromUrl(word.replace(/\\(.)/g, "$1"));
}

function fromUrl(text: string): string {
  const match = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(text);
  if (!match) return text;
  try {
    return decodeURIComponent(match[1]!).replace(/^\/(?=[A-Za-z]:[\\/])/, "");
  } catch {
    // percent signs that escape nothing: the name is meant as it stands
    return match[1]!;
  }
}
