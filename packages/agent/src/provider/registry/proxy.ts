import { isLoopback } from "../../platform/loopback.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for an address by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY (the lower-case names win), or false for none.
 * This machine is never reached through a proxy. NO_PROXY knows `*`, hosts with their sub-domains, `host:port` and IPv4
 * ranges (`10.0.0.0/8`).
 */
export function proxyFor(url: URL, environment: Environment): string | false {
  if (isLoopback(url.hostname) || withoutProxy(url, value("no_proxy", environment))) return false;
  const proxy =
    value(url.protocol === "https:" ? "https_proxy" : "http_proxy", environment) ||
    value("all_proxy", environment);
  if (!proxy) return false;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function value(name: string, environment: Environment): string {
  return (environment[name] || environment[name.toUpperCase()] || "").trim();
}

function withoutProxy(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const named = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry);
      const name = (named?.[1] ?? named?.[2] ?? entry).replace(/^\*?\./, "");
      if (name === "" || (named?.[3] !== undefined && named[3] !== port)) return false;
      return host === name || host.endsWith(`.${name}`) || inRange(host, name);
    });
}

function inRange(host: string, range: string): boolean {
  const [base, bits] = range.split("/");
  const from = ipv4(base ?? "");
  const address = ipv4(host);
  if (from === null || address === null || bits === undefined || !/^\d+$/.test(bits) || Number(bits) > 32)
    return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(from / size) === Math.floor(address / size);
}

function ipv4(text: string): number | null {
  if (!/^(\d{1,3}\.){3}\d{1,3}$/.test(text)) return null;
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}
