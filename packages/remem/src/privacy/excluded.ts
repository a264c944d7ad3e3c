/** What a tool call touched, as far as it matters for whether it may be remembered. */
export interface ToolUse {
  readonly tool: string;
  /** Paths that it named, as it named them; `/` and `\` both separate. */
  readonly paths?: readonly string[];
}

export interface ExclusionOptions {
  /** Names of tools whose results are never kept. Case does not matter. */
  readonly tools?: readonly string[];
  /** Globs of paths: `*`, `?` within a part, `**` over parts; without a `/` they stand for a name anywhere. Case does not matter. */
  readonly paths?: readonly string[];
}

const BACKUP = /(?:~|\.(?:bak|backup|old|orig|save|swp|swo|tmp|copy))$/;
const EXAMPLE = /(?:^|[._-])(?:example|examples|sample|template|tmpl|tpl|dist|schema|defaults?|md|d\.ts)$/;
const PUBLIC_KEY = /\.pub$/;

/** Names of files that hold secrets and nothing else worth knowing. */
const NAMES =
  /^(?:\.netrc|_netrc|\.pypirc|\.pgpass|pgpass\.conf|\.my\.cnf|\.htpasswd|\.git-credentials|\.vault-token|\.dockercfg|kubeconfig|\.credentials|application_default_credentials\.json|credentials\.tfrc\.json|\.?credentials(?:\.(?:json|ya?ml|toml|ini|db|csv|xml))?|secrets?\.(?:json|ya?ml|toml|ini|env)|client_secret.*\.json|service[-_]?account.*\.json|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[._-].*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx|asc|gpg|age|tfstate))$/;
const PATHS =
  /(?:^|\/)(?:\.aws\/credentials|\.docker\/config\.json|\.kube\/config|\.ssh\/(?!known_hosts|config$|authorized_keys)[^/]+|\.gnupg\/.+|\.config\/gcloud\/.+|proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem))$/;

/**
 * Tells whether a tool call may not be remembered at all: its tool is excluded, or one of its paths is a file of secrets (`.env`, keys,
 * credentials) or matches a glob of the user's. Names that say that they are examples, and public keys, are free.
 */
export function createExclusion(options: ExclusionOptions = {}): (use: ToolUse) => boolean {
  const tools = new Set((options.tools ?? []).map((tool) => tool.toLowerCase()));
  const globs = (options.paths ?? []).map(compileGlob);
  return ({ tool, paths = [] }) =>
    tools.has(tool.toLowerCase()) ||
    paths.some((path) => {
      const plain = path.replaceAll("\\", "/").toLowerCase();
      return isSecretFile(plain) || globs.some((glob) => glob(plain));
    });
}

function isSecretFile(path: string): boolean {
  // Streams of Windows (`.env::$DATA`) and trailing dots or spaces name the same file.
  const clean = path.replace(/::?\$data$/, "").replace(/[. ]+$/, "");
  let name = clean.slice(clean.lastIndexOf("/") + 1).replace(/^#(.*)#$/, "$1");
  while (BACKUP.test(name)) name = name.replace(BACKUP, "");
  name = name.replace(/^\.{2,}/, ".");
  if (PUBLIC_KEY.test(name)) return false;
  if (name === ".env" || name === ".envrc") return true;
  if (name.startsWith(".env.") || name.startsWith(".env-")) return !EXAMPLE.test(name);
  if (name.endsWith(".env")) return !EXAMPLE.test(name.slice(0, -".env".length));
  return NAMES.test(name) || PATHS.test(clean);
}

/** A matcher of paths that takes time in proportion to path times glob, whatever both are. */
function compileGlob(glob: string): (path: string) => boolean {
  const plain = glob.replaceAll("\\", "/").toLowerCase().replace(/^\.\//, "");
  const anywhere = !plain.replace(/\/$/, "").includes("/");
  const folder = plain.endsWith("/") ? plain.slice(0, -1) : plain;
  const wanted = (anywhere ? `**/${folder}` : folder.replace(/^\//, "")).split("/");
  const absolute = plain.startsWith("/");
  return (path) => {
    const parts = path.split("/").filter((part) => part !== "" && part !== ".");
    // A glob names a file, or a folder with all that is in it, from the path's start or any folder on.
    const starts = absolute ? [0] : parts.map((_, index) => index);
    return starts.some((start) => matchParts(wanted, parts.slice(start)));
  };
}

function matchParts(wanted: readonly string[], parts: readonly string[]): boolean {
  // reach[j]: the globs so far match the first j parts.
  let reach = parts.map(() => false);
  reach = [true, ...reach];
  for (const glob of wanted) {
    const next = reach.map(() => false);
    for (let at = 0; at <= parts.length; at++) {
      if (!reach[at]) continue;
      if (glob === "**") for (let to = at; to <= parts.length; to++) next[to] = true;
      else if (at < parts.length && matchName(glob, parts[at]!)) next[at + 1] = true;
    }
    reach = next;
  }
  return reach.some((reached, count) => reached && count > 0);
}

function matchName(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let place = 0;
  while (place < name.length)
    if (at < glob.length && (glob[at] === "?" || (glob[at] === name[place] && glob[at] !== "*"))) {
      at++;
      place++;
    } else if (glob[at] === "*") {
      star = at++;
      resume = place;
    } else if (star >= 0) {
      at = star + 1;
      place = ++resume;
    } else return false;
  while (glob[at] === "*") at++;
  return at === glob.length;
}
