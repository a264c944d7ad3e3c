/** TEMPORARY until ../ollama/host.ts lands. */
export function parseOllamaHost(text: string): string {
  const plain = text
    .trim()
    .replace(/^["']|["']$/g, "")
    .replace(/\/+$/, "")
    .replace(/\/(v1|api)$/, "");
  const hasScheme = /^https?:\/\//i.test(plain);
  const url = URL.parse(hasScheme ? plain : `http://${plain.startsWith(":") ? `127.0.0.1${plain}` : plain}`);
  if (!url) return plain;
  const host = url.hostname === "0.0.0.0" ? "127.0.0.1" : url.hostname;
  const port = url.port || (hasScheme ? "" : "11434");
  return `${url.protocol}//${host}${port ? `:${port}` : ""}${url.pathname.replace(/\/+$/, "")}`;
}
