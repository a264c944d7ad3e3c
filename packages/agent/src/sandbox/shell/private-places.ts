/** Where a user's keys lie outside of any project, and which sockets lead out of a sandbox. Relative to the home folder. */

/** Folders that commands see empty. */
export const PRIVATE_FOLDERS: readonly string[] = [
  ".ssh",
  ".aws",
  ".gnupg",
  ".azure",
  ".kube",
  ".oci",
  ".password-store",
  ".docker/run",
  ".colima",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/op",
  ".config/sops",
  ".config/github-copilot",
  ".config/google-chrome",
  ".config/chromium",
  ".mozilla",
  ".local/share/keyrings",
  "Library/Keychains",
  "Library/Application Support/Google/Chrome",
  "Library/Application Support/Firefox",
];

/** Files that commands cannot read. */
export const PRIVATE_FILES: readonly string[] = [
  ".netrc",
  "_netrc",
  ".git-credentials",
  ".config/git/credentials",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".vault-token",
  ".docker/config.json",
  ".dockercfg",
  ".terraform.d/credentials.tfrc.json",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".Xauthority",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".gemini/oauth_creds.json",
  ".pi/agent/auth.json",
  ".local/share/opencode/auth.json",
];

/** Services that would run a command outside of the sandbox for whoever may talk to them. Absolute. */
export const ESCAPE_SOCKETS: readonly string[] = [
  "/run/docker.sock",
  "/run/podman/podman.sock",
  "/run/containerd/containerd.sock",
  "/run/crio/crio.sock",
  "/run/systemd/private",
  "/run/dbus/system_bus_socket",
  "/run/libvirt/libvirt-sock",
  "/run/snapd.socket",
  "/run/user",
];

/** A package manager's cache: writable where it exists; where not, the variable sends the manager to the temporary folder. */
export interface PackageCache {
  folder: string;
  variable?: string;
}

/** The caches that are writable without configuration. */
export const PACKAGE_CACHES: readonly PackageCache[] = [
  { folder: ".npm", variable: "npm_config_cache" },
  { folder: ".cache/pip", variable: "PIP_CACHE_DIR" },
  { folder: ".cache/uv", variable: "UV_CACHE_DIR" },
  { folder: ".cache/pypoetry", variable: "POETRY_CACHE_DIR" },
  { folder: ".cache/pre-commit", variable: "PRE_COMMIT_HOME" },
  { folder: ".cache/yarn", variable: "YARN_CACHE_FOLDER" },
  { folder: ".cache/go-build", variable: "GOCACHE" },
  { folder: ".cache/deno", variable: "DENO_DIR" },
  { folder: ".cache/ms-playwright" },
  { folder: ".cache/node" },
  { folder: ".cache/node-gyp" },
  { folder: ".cache/pnpm" },
  { folder: ".cache/ccache", variable: "CCACHE_DIR" },
  { folder: ".cache/sccache" },
  { folder: ".cache/huggingface" },
  { folder: ".local/share/pnpm" },
  { folder: ".yarn/berry" },
  { folder: ".bun/install/cache", variable: "BUN_INSTALL_CACHE_DIR" },
  { folder: ".cargo/registry" },
  { folder: ".cargo/git" },
  { folder: "go/pkg/mod", variable: "GOMODCACHE" },
  { folder: ".gradle", variable: "GRADLE_USER_HOME" },
  { folder: ".m2/repository" },
  { folder: ".nuget/packages", variable: "NUGET_PACKAGES" },
  { folder: ".composer/cache", variable: "COMPOSER_CACHE_DIR" },
  { folder: "Library/Caches/pip" },
  { folder: "Library/Caches/Yarn" },
  { folder: "Library/Caches/go-build" },
  { folder: "Library/pnpm" },
];
