/**
 * Variables of every command: nothing may wait for a person. No `CI`: tools change what they do under it (frozen
 * lockfiles, no watch mode), which the user's own terminal would not.
 */
export const COMMAND_ENVIRONMENT: Readonly<Record<string, string | undefined>> = {
  // A model typed the command, so nothing that it runs has a person's word (remem refuses to erase then).
  REMEM_AGENT: "1",
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  DEBIAN_FRONTEND: "noninteractive",
  PYTHONUNBUFFERED: "1",
  // A start-up file named by the environment would run before each command.
  BASH_ENV: "",
  // Exported by the shell that we were started from: options for a script of the user's (`set -eu`, `failglob`) would end
  // commands half-way, and `cd src` would go to another project's.
  SHELLOPTS: undefined,
  BASHOPTS: undefined,
  CDPATH: undefined,
  GLOBIGNORE: undefined,
};
