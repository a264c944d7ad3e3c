import type { Config } from "../config/config.ts";
import { readSmallFile } from "../platform/read-small-file.ts";
import { proxyFor } from "../provider/registry/proxy.ts";

/** The way to MCP servers: proxies as the environment says, the user's certificates, no time limit of its own. Redirects are the transport's business. */
export async function mcpFetch(
  { caCert, insecure }: Pick<Config, "caCert" | "insecure">,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<(input: string | URL, init?: RequestInit) => Promise<Response>> {
  const tls: { ca?: string[]; rejectUnauthorized?: boolean } = insecure ? { rejectUnauthorized: false } : {};
  if (caCert !== undefined) {
    const { rootCertificates } = await import("node:tls");
    // a list of ours replaces the system's, so both go in
    tls.ca = [...rootCertificates, readSmallFile(caCert)];
  }
  return (input, init) => {
    const options = {
      ...init,
      timeout: false,
      proxy: proxyFor(new URL(input), environment),
      ...(Object.keys(tls).length > 0 ? { tls } : {}),
    };
    return fetch(input, options as RequestInit);
  };
}
