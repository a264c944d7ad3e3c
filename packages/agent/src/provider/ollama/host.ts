/** Ollama's default port. An address with a scheme and no port has the scheme's own port, as Ollama's clients read it. */
const DEFAULT_PORT = "11434";

/**
 * The base URL (without a slash at its end) of an `OLLAMA_HOST` value: `host`, `host:port`, `:port`, `0.0.0.0`, `[::1]`, a
 * full URL, with quotes, `/v1` or `/api` around it. An empty value is the local default; addresses that mean "listen
 * everywhere" lead to this machine. A value that is no address is given back as it is, for the error that names it.
 */
export function parseOllamaHost(text: string): string {
  const plain = text
    .trim()
    .replace(/^["']+|["']+$/g, "")
    .trim()
    .replace(/\/+$/, "")
    .replace(/\/(?:v1|api)$/, "");
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(plain);
  const url = URL.parse(scheme ? plain : `http://${withHost(plain)}`);
  if (url === null || url.hostname === "") return plain;
  const everywhere = url.hostname === "0.0.0.0" || url.hostname === "[::]";
  const host = everywhere ? "127.0.0.1" : url.hostname;
  const port = url.port || (scheme ? "" : writtenPort(plain) || DEFAULT_PORT);
  return `${url.protocol}//${host}${port === "" ? "" : `:${port}`}${url.pathname.replace(/\/+$/, "")}`;
}

/** A value without a scheme as a URL can have it: with a host, and an IPv6 address in brackets. */
function withHost(plain: string): string {
  if (plain === "") return "127.0.0.1";
  if (plain.startsWith(":") && !plain.startsWith("::")) return `127.0.0.1${plain}`;
  return /^[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(plain) ? `[${plain}]` : plain;
}

/** A port that a URL drops because it is the scheme's default: `host:80` means 80 all the same. */
function writtenPort(plain: string): string {
  return /^[^/:]*:(\d+)(?:\/|$)/.exec(plain)?.[1] ?? "";
}
