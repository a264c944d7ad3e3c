import { fileURLToPath, pathToFileURL } from "node:url";

/** The URI of an absolute path: spaces, `#`, `%`, other scripts and Windows drives are encoded as URIs want them. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/**
 * The absolute path of a `file:` URI however a server encodes it (`file:///c%3A/a`, a raw space, a `%` that stands for itself);
 * null for any other scheme and for what is no path of this machine.
 */
export function pathOf(uri: string): string | null {
  if (!/^file:/i.test(uri)) return null;
  try {
    return fileURLToPath(uri);
  } catch {
    // a % that begins no escape: the server did not encode at all
    try {
      return fileURLToPath(uri.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    } catch {
      return null;
    }
  }
}
