/** Ports that say nothing: the usual ones of their schemes. */
const USUAL_PORT: Readonly<Record<string, string>> = {
  ssh: "22",
  git: "9418",
  http: "80",
  https: "443",
  ftp: "21",
  ftps: "990",
};
/** Hosts with a second name, for networks that let only the port of https through. */
const SAME_HOST: Readonly<Record<string, string>> = {
  "www.github.com": "github.com",
  "ssh.github.com": "github.com",
  "www.gitlab.com": "gitlab.com",
  "altssh.gitlab.com": "gitlab.com",
  "www.bitbucket.org": "bitbucket.org",
  "altssh.bitbucket.org": "bitbucket.org",
  "ssh.dev.azure.com": "dev.azure.com",
  "vs-ssh.visualstudio.com": "dev.azure.com",
};
/** Hosts whose paths mean the same in any case. */
const ANY_CASE = new Set(["github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com"]);
/** This machine, whatever listens there today. */
const OWN_MACHINE =
  /^(?:localhost|(?:.+\.)?localhost\.localdomain|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0|.+\.localhost)$/;
/** Addresses that somebody was to fill in. */
const TEMPLATE =
  /[<>{}$%*\s\\]|^(?:[\w.-]*\.)?example\.(?:com|org|net)$|(?:^|\/)(?:your|my)[-_]?(?:org|user|username|name|company|repo|project)|(?:^|\/)(?:owner|org|user|username|organization)\/(?:repo|repository|project)(?:name)?$/i;

/**
 * A remote's address in one form for all ways to write it: `host[:port]/path`, without user, password, usual port and `.git`. Undefined for what
 * names no place on a network that stays the same: local paths, this machine, transports that are programs, templates. Short forms that a setting
 * (`insteadOf`) would expand stay as they are written: a repository can bring such settings along.
 */
export function remoteAlias(url: string): string | undefined {
  const parts = url.length > 2_048 ? undefined : (schemeForm(url) ?? scpForm(url));
  if (parts === undefined) return undefined;
  const written = parts.host.toLowerCase().replace(/\.$/, "");
  const host = SAME_HOST[written] ?? written;
  if (host === "" || OWN_MACHINE.test(host) || TEMPLATE.test(host)) return undefined;
  let path = cleanPath(parts.path);
  if (path === undefined || TEMPLATE.test(path)) return undefined;
  if (host === "dev.azure.com") path = path.replace(/^v3\//, "").replace(/\/_git\//, "/");
  if (ANY_CASE.has(host)) path = path.toLowerCase();
  // A port of a second name is that name's affair.
  const port = host === written ? parts.port : "";
  return `${host}${port === "" ? "" : `:${port}`}/${path}`;
}

interface RemoteParts {
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

function schemeForm(url: string): RemoteParts | undefined {
  const match =
    /^(?:git\+)?(ssh|git|https?|ftps?)(?:\+git)?:\/\/(?:[^/@]*@)?(\[[\da-fA-F:.]+\]|[^/:@[\]]+)(?::(\d{0,5}))?\/(.*)$/i.exec(
      url,
    );
  if (!match) return undefined;
  const port = match[3] ?? "";
  return { host: match[2]!, port: USUAL_PORT[match[1]!.toLowerCase()] === port ? "" : port, path: match[4]! };
}

/** `user@host:path`. One letter before the colon is a drive, two colons a program. */
function scpForm(url: string): RemoteParts | undefined {
  const match = /^(?:[^/@:]+@)?(\[[\da-fA-F:.]+\]|[^/:@[\]]{2,255}):(?!:|\/\/)(.+)$/.exec(url);
  return match ? { host: match[1]!, port: "", path: match[2]! } : undefined;
}

function cleanPath(raw: string): string | undefined {
  let path = raw.replace(/[?#].*$/, "");
  try {
    path = decodeURIComponent(path);
  } catch {
    // a lone percent sign stands for itself
    path = raw;
  }
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.includes("..")) return undefined;
  const whole = parts.join("/").replace(/\.git$/i, "");
  return whole === "" || whole.endsWith("/") ? undefined : whole;
}
