/**
 * Variables that tie git to one repository, index or object store (of `git rev-parse --local-env-vars`
 * those that are no settings). Git sets them for its hooks and for
 * `rebase --exec`; a git that is meant for another folder would read and write the first repository because of them.
 */
const REPOSITORY_VARIABLES = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_CONFIG",
  "GIT_DIR",
  "GIT_GRAFT_FILE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_SHALLOW_FILE",
  "GIT_WORK_TREE",
] as const;

/** For {@link ProcessSpec} `env`: a git that finds the repository of its folder, whatever started us. */
export const OF_NO_REPOSITORY: Readonly<Record<string, undefined>> = Object.fromEntries(
  REPOSITORY_VARIABLES.map((name) => [name, undefined]),
);

/** A copy of an environment for what works in another folder than we do. */
export function withoutRepository<Value>(
  environment: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in OF_NO_REPOSITORY)));
}
