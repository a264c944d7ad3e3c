/** Every flag of `pi`, once: parsing, `--help` and the docs are derived from this table. */
export interface FlagDefinition {
  name: string;
  short?: string;
  /** Absent: a switch. */
  value?: string;
  repeatable?: boolean;
  /** For pi itself: no help names it. */
  hidden?: true;
  summary: string;
}

export const FLAGS = [
  { name: "print", short: "p", summary: "one answer on stdout, then exit" },
  { name: "stdin", summary: "wait for piped input however long it takes" },
  {
    name: "mode",
    value: "interactive|print|json|rpc|acp",
    summary: "in the terminal, as text, as one JSON event a line, on a socket, or for an editor",
  },
  { name: "model", value: "provider/model", summary: "the model of this run (wins over the roles)" },
  { name: "smol", summary: "use the role smol" },
  { name: "slow", summary: "use the role slow" },
  { name: "plan", summary: "use the role plan" },
  { name: "plan-mode", summary: "only look and plan: nothing is written but below specs/" },
  { name: "continue", short: "c", summary: "go on with this project's newest session" },
  { name: "session", value: "id", summary: "go on with a given session (a unique prefix is enough)" },
  { name: "no-session", summary: "leave no session and no log on disk" },
  { name: "name", value: "title", summary: "title of the new session" },
  { name: "system", value: "text", summary: "replace the built-in system prompt" },
  { name: "append-system", value: "text", summary: "add to the system prompt" },
  { name: "url", value: "base", summary: "base URL of the model's provider" },
  { name: "header", value: "k=v", repeatable: true, summary: "extra request header (repeatable)" },
  { name: "ca-cert", value: "pem", summary: "trust this certificate authority too" },
  { name: "insecure", summary: "do not check TLS certificates" },
  { name: "tools", value: "a,b", summary: "only these tools" },
  { name: "exclude-tools", value: "a,b", summary: "all tools but these" },
  { name: "no-tools", summary: "no tools at all" },
  {
    name: "sandbox",
    value: "read-only|workspace-write|off",
    summary: "how bash is confined (default workspace-write where the system can)",
  },
  {
    name: "lsp",
    value: "off|min|full",
    summary: "language servers: none, for changed files (default), or with all five tools",
  },
  { name: "trust", summary: "use this project's .pi-go/ configuration for this run" },
  {
    name: "extension",
    short: "e",
    value: "path",
    repeatable: true,
    summary: "load an extension: a module, a folder or a package (repeatable)",
  },
  {
    name: "extension-flag",
    value: "name=value",
    repeatable: true,
    summary: "set a flag that an extension registers (repeatable)",
  },
  { name: "no-extensions", summary: "load no extensions" },
  { name: "memory-off", summary: "neither recall nor remember anything in this run" },
  { name: "socket", value: "path", summary: "where --mode rpc listens (default: in your runtime folder)" },
  { name: "max-turns", value: "n", summary: "stop after n model calls" },
  { name: "timeout", value: "seconds", summary: "stop after this time (exit code 124)" },
  { name: "no-context-files", summary: "leave AGENTS.md files out of the system prompt" },
  { name: "no-skills", summary: "no skills and no prompt templates" },
  { name: "debug", summary: "tell session, model and tokens of each turn on stderr" },
  { name: "version", summary: "print the version" },
  { name: "help", short: "h", summary: "print this help" },
  { name: "subagent", hidden: true, summary: "run as a subagent of the pi that started this one" },
  { name: "compile-extensions", hidden: true, summary: "compile these modules for the next start" },
] as const satisfies readonly FlagDefinition[];
