/**
 * The one deny list of files whose contents no tool shows. Free on purpose: `.npmrc` and `.envrc` (usually committed
 * settings; tokens in them are mostly `${VARIABLES}`), public keys (`*.pub`), and everything named as an example.
 */

const EXAMPLE = "example|examples|sample|template|tmpl|tpl|dist|schema|default|defaults";
const EXAMPLE_ENDING = new RegExp(`[.](${EXAMPLE}|md|d[.]ts)$`);
const EXAMPLE_STEM = new RegExp(`^(.*[._-])?(${EXAMPLE})$`);

const SECRET_NAMES = new Set([
  ".env",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".git-credentials",
  ".vault-token",
  ".dockercfg",
  "kubeconfig",
  "application_default_credentials.json",
  "credentials.tfrc.json",
  ".credentials",
]);

const PRIVATE_KEY = /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?([._-].*)?$/;
const KEY_FILE = /[.](pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/;
const CREDENTIALS =
  /^[.]?credentials([.](json|ya?ml|toml|ini|db|csv|xml))?$|^(client_secret|service[-_]?account).*[.]json$/;
const BACKUP = /(~|[.](bak|backup|old|orig|save|swp|swo|tmp|copy))$/;
/** Whole paths, from any folder on. The last is reached only by a project that is the file system's root. */
const SECRET_PATHS = [
  /(^|\/)[.]aws\/credentials$/,
  /(^|\/)[.]docker\/config[.]json$/,
  /(^|\/)[.]kube\/config$/,
  /(^|\/)[.]ssh\/(?!known_hosts|config$|authorized_keys)(?!.*[.]pub$)[^/]+$/,
  /(^|\/)[.]gnupg\/.+/,
  /^proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem)$/,
];

function plainName(name: string): string {
  // Editors leave copies beside the file: `.env~`, `.env.bak`, `..env.swp`, `#.env#`.
  let plain = name.toLowerCase().replace(/^#(.*)#$/, "$1");
  while (BACKUP.test(plain)) plain = plain.replace(BACKUP, "");
  return plain.replace(/^[.]{2,}/, ".");
}

function isSecretEnvironmentFile(name: string): boolean {
  if (name === ".env") return true;
  if (name.startsWith(".env.")) return !EXAMPLE_ENDING.test(name);
  return name.endsWith(".env") && !EXAMPLE_STEM.test(name.slice(0, -".env".length));
}

/**
 * True for a file whose contents must not reach a model. `path` is `/`-separated, relative to the project or absolute;
 * links must already be resolved. Upper and lower case do not matter (file systems of macOS and Windows).
 */
export function isSecretPath(path: string): boolean {
  const lower = path.toLowerCase().replace(/\\/g, "/");
  const name = plainName(lower.slice(lower.lastIndexOf("/") + 1));
  if (SECRET_NAMES.has(name) || isSecretEnvironmentFile(name)) return true;
  if (PRIVATE_KEY.test(name)) return !name.endsWith(".pub");
  return KEY_FILE.test(name) || CREDENTIALS.test(name) || SECRET_PATHS.some((pattern) => pattern.test(lower));
}

/**
 * Globs that together match every file of {@link isSecretPath} and a few more (`.env.example`): good for finding candidates
 * in a walk; each hit still has to be asked of {@link isSecretPath}.
 */
export const secretGlobs: readonly string[] = [
  "**/*.env",
  "**/.env*",
  "**/*.env.*",
  "**/*.env~",
  "**/#*.env*",
  "**/id_{rsa,dsa,ecdsa,ed25519}*",
  "**/*.{pem,key,p12,pfx,jks,keystore,ppk,kdbx}*",
  "**/{.netrc,_netrc,.pypirc,.pgpass,.my.cnf,.htpasswd,.git-credentials,.vault-token,.dockercfg,kubeconfig}*",
  "**/*credentials*",
  "**/client_secret*.json*",
  "**/service*account*.json*",
  "**/.docker/config.json",
  "**/.kube/config",
  "**/.ssh/*",
  "**/.gnupg/**",
];
