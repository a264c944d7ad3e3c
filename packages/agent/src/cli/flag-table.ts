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
    value: "interactive|print|json",
    summary: "in the terminal, as text, or as one JSON event a line",
  },
  { name: "model", value: "provider/model", summary: "the model of this run (wins over the roles)" },
  { name: "smol", summary: "use the role smol" },
  { name: "slow", summary: "use the role slow" },
  { name: "plan", summary: "use the role plan" },
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
  { name: "memory-off", summary: "neither recall nor remember anything in this run" },
  { name: "max-turns", value: "n", summary: "stop after n model calls" },
  { name: "timeout", value: "seconds", summary: "stop after this time (exit code 124)" },
  { name: "no-context-files", summary: "leave AGENTS.md files out of the system prompt" },
  { name: "no-skills", summary: "no skills and no prompt templates" },
  { name: "debug", summary: "tell session, model and tokens of each turn on stderr" },
  { name: "version", summary: "print the version" },
  { name: "help", short: "h", summary: "print this help" },
  { name: "subagent", hidden: true, summary: "run as a subagent of the pi that started this one" },
] as const satisfies readonly FlagDefinition[];

/** Flags that turn off a part this version does not have: accepted, so that scripts written for later versions run. */
export const OFF_SWITCHES = ["no-extensions"] as const;

/** Words and flags of the settled command line that this version does not have; they are refused, never guessed at. */
export const RESERVED_FLAGS = ["plan-mode", "extension", "socket"] as const;
export const RESERVED_MODES = ["rpc", "acp"] as const;
export const RESERVED_COMMANDS = ["run", "acp", "login", "logout", "completions"] as const;
