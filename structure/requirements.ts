// What the product must do, one line an id. Ids are stable: tests cite them in their titles (`[A-TOOL-03]`).

/** The area of work that owes a requirement its test. */
export type Owner =
  | "main-job"
  | "terminal"
  | "memory"
  | "extensions"
  | "sessions"
  | "hosts"
  | "subagents"
  | "login-rpc"
  | "proof";

export interface Requirement {
  id: string;
  /** The part of the product it speaks of. */
  area: string;
  owner: Owner;
  text: string;
}

function group(area: string, owner: Owner, texts: Readonly<Record<string, string>>): Requirement[] {
  return Object.entries(texts).map(([id, text]) => ({ id, area, owner, text }));
}

export const REQUIREMENTS: readonly Requirement[] = [
  ...group("agent", "main-job", {
    "A-AGENT-01":
      "A prompt runs model and tools in a loop, seen as a stream of events, until the model gives its final answer",
    "A-AGENT-02": "The session store gets every event at the moment it happens, not at the end",
    "A-AGENT-03": "Callbacks run before and after every model call and every tool, always in the same order",
    "A-AGENT-04":
      "429, 5xx, timeouts and resets get up to 3 retries after 1, 2 and 4 s, never under Retry-After and never past the limit",
    "A-AGENT-05": "A failure that no retry can cure (400, a bad key) ends the run at once",
    "A-AGENT-06": "Once the user has seen a part of an answer, its request is not sent again",
    "A-AGENT-07": "A run that was cancelled anywhere leaves a history that all five wires take",
  }),
  ...group("provider", "main-job", {
    "A-PROV-01": "Model names that begin with claude reach Anthropic by its own protocol, typed by its SDK",
    "A-PROV-02":
      "Model names that begin with gpt, o1, o3 or o4 reach OpenAI by its own protocol, typed by its SDK",
    "A-PROV-03": "Model names that begin with gemini reach Google by its own protocol",
    "A-PROV-04": "Names that end in :cloud or begin with ollama/ reach Ollama by its native API",
    "A-PROV-05":
      "All providers stand behind one named interface whose stream also serves those who want the whole answer",
    "A-PROV-06": "Each provider's key and base URL come from its own environment variables",
  }),
  ...group("config", "main-job", {
    "A-ROLE-01":
      "The configuration binds the roles default, smol, plan, slow and commit to a model and its provider",
    "A-ROLE-02":
      "A role without an entry takes the default's model, and a bare model name finds its provider",
    "A-CONF-01": "The project's configuration is laid over the user's, key by key, and may only narrow it",
    "A-CONF-02": "AGENTS.md files, in the project's state folder and in its tree, become instructions",
    "A-CONF-03": "The keys roles, memory, hooks, mcp, guardrail and compactor mean what they always meant",
  }),
  ...group("cli", "main-job", {
    "A-ROLE-03": "--smol, --plan and --slow choose the role of this one run",
    "A-OUT-02": "In a pipe the answer alone is on stdout; everything else is on stderr",
    "A-OUT-03": "JSON mode writes one event a line, from message_start to message_end",
  }),
  ...group("tools", "main-job", {
    "A-TOOL-01":
      "read gives numbered lines from an offset on, at most 2,000 lines or 100 KB, and says how many there are",
    "A-TOOL-02": "write replaces or makes a file and its parent folders, and says how many bytes it wrote",
    "A-TOOL-03": "edit replaces text that occurs exactly once and refuses any other count",
    "A-TOOL-04":
      "bash runs a command in the working folder, 2 minutes by default and 10 at most, and gives both outputs and the exit code",
    "A-TOOL-05": "grep searches by regular expression and glob, shows at most 200 matches and counts all",
    "A-TOOL-06": "find lists files by glob, at most 500, and counts all",
    "A-TOOL-07": "ls lists a folder with name, kind and size",
    "A-TOOL-08": "tree draws folders down to depth 10 and 500 entries, and counts folders and files",
    "A-TOOL-09":
      "git-overview tells branch, last commits, and what is staged, changed and untracked, within 10 s",
    "A-TOOL-10": "git-file-diff gives one file's unified diff, staged or not, within 10 s",
    "A-TOOL-11": "git-hunk gives one file's hunks with their headers and line ranges, within 10 s",
  }),
  ...group("tools", "subagents", {
    "A-TOOL-12": "agent hands a task to a subagent and gives back what it found",
  }),
  ...group("sandbox", "main-job", {
    "A-SAND-01":
      "No path trick leads a file tool out of the working tree: dots, absolute paths, links, or a swap in between",
  }),
  ...group("subagent", "subagents", {
    "A-SUB-01":
      "explore, plan, designer, reviewer, task and quick_task each have a role, an instruction, a worktree rule and a tool list",
    "A-SUB-02": "Five subagents run side by side; a sixth waits for a free place",
    "A-SUB-03": "A subagent is a process of ours in JSON mode, and its events are seen while it runs",
    "A-SUB-04": "designer and task work on a git worktree of their own",
    "A-SUB-05":
      "A start goes through type check, model of the role, a place, a worktree and then the process",
    "A-SUB-06": "Tools outside of its list do not exist for a subagent",
  }),
  ...group("lsp", "extensions", {
    "A-LSP-01": "A changed file is formatted by its language server within 5 s, and the result is on disk",
    "A-LSP-02": "After a change the model sees the errors and warnings that come within about 2 s",
    "A-LSP-03": "The model can ask for diagnostics, definition, references, hover and symbols",
    "A-LSP-04": "A language server starts with the first file of its kind, is reused, and ends with us",
    "A-LSP-05": "Go, TypeScript, Python and Rust have a server that is known without configuration",
  }),
  ...group("session", "main-job", {
    "A-SESS-01": "Each session is a folder with meta.json and a log of events that only grows",
    "A-SESS-04": "--continue takes up the last session and --session a named one",
  }),
  ...group("session", "sessions", {
    "A-SESS-02": "A conversation forks into named branches; one can move between them, and the place is kept",
    "A-SESS-03":
      "When the context fills up, a summary stands in for old events towards the model; the log keeps them",
  }),
  ...group("cli", "terminal", {
    "A-OUT-01": "On a terminal without further words the interactive mode opens",
  }),
  ...group("interactive", "terminal", {
    "A-INIT-01": "The screen is there at once; what takes long is prepared behind it and tells how far it is",
    "A-INIT-02":
      "Git, agents, language servers, memory, MCP and skills get ready side by side, and the agent waits only for what it needs",
    "A-TUI-01":
      "Answers are rendered Markdown, tools are cards, and there are a status bar and an input that remembers",
    "A-TUI-02": "All slash commands of the list exist and do what /help says",
    "A-TUI-03": "Enter, Up, Down, PgUp, PgDn and Esc do what people expect of them",
    "A-TUI-04": "Colours come from themes that can be chosen",
    "A-TUI-05": "/rtk shows and switches the compactor of tool output, which compactor.enabled also does",
  }),
  ...group("rpc", "login-rpc", {
    "A-OUT-04": "RPC mode serves JSON-RPC 2.0 on a Unix socket",
  }),
  ...group("extension", "extensions", {
    "A-EXT-01": "Hooks get the tool's name, input and result as JSON on stdin, before and after it runs",
    "A-EXT-02":
      "Skills are Markdown with front matter; a project's skill wins over the user's of the same name",
    "A-EXT-03": "Configured MCP servers run as processes of ours and lend their tools to the agent",
  }),
  ...group("guardrail", "main-job", {
    "A-GUARD-01": "Tokens in, tokens out and requests are counted per local day, for all processes together",
    "A-GUARD-02": "No request starts once guardrail.max_daily_tokens is used up; 0 sets no limit",
    "A-GUARD-03": "What is left, the share that is used and a line for people can be asked for",
  }),
  ...group("auth", "login-rpc", {
    "A-AUTH-01": "Anthropic and Google log in by browser with PKCE",
    "A-AUTH-02": "OpenAI and Codex log in by device code",
    "A-AUTH-03": "A broken certificate chain is recognised before the login and named as such",
    "A-AUTH-04": "/login stores the key in the user's own .env, for the provider that was named",
  }),
  ...group("audit", "extensions", {
    "A-AUDIT-01": "Hidden characters in files and skills are found with place, code point and severity",
    "A-AUDIT-02": "critical exits with 1, warning with 2, info and a clean result with 0",
    "A-AUDIT-03": "A joiner within emoji and a byte order mark at the start are information only",
    "A-AUDIT-04": "Dangerous characters can be removed, and nothing else is touched",
    "A-AUDIT-05": "The report comes as a table, as JSON or as Markdown",
  }),
  ...group("logger", "main-job", {
    "A-LOG-01": "Each session writes a dated log file of JSON lines with the seven entry types",
    "A-LOG-02": "The first entry names session, model and mode",
  }),
  ...group("sop", "subagents", {
    "A-SOP-01":
      "/plan leads from a rough idea through requirements, research, design and outline to a plan and a prompt",
    "A-SOP-02": "The procedure's text comes from the project, else from the user, else from us",
    "A-SOP-03": "Each step leaves its own file, and the plan is cut into vertical slices",
    "A-SOP-04": "/run carries out what was planned",
  }),
  ...group("memory", "memory", {
    "A-MEM-01": "What tools did is queued after each call, and nobody waits for it",
    "A-MEM-02": "The small model may condense observations behind the work",
    "A-MEM-03":
      "One SQLite database in WAL mode holds sessions, observations and summaries, with a full-text index that never lags",
    "A-MEM-04": "An observation is a decision, bugfix, feature, refactor, discovery or change",
    "A-MEM-05": "A new session begins with recent memory, within its tokens and its hours",
    "A-MEM-06": "mem-search answers with short hits and their ids, 50 to 100 tokens each",
    "A-MEM-07": "mem-timeline shows what happened around an id, in order of time",
    "A-MEM-08": "mem-get gives chosen entries in full",
    "A-MEM-09": "Secrets and personal data are taken out before anything is stored, as memory.privacy says",
    "A-MEM-10": "All memory settings have their effect",
    "A-MEM-11": "The schema has a version, and old stores are brought up to it",
    "A-MEM-12":
      "Observations and summaries have all their fields: titles, sources, times; what was asked, learned, done, left over",
  }),
  ...group("hosts/pi", "hosts", {
    "B-PI-01": "The Pi adapter is one default function and takes nothing but types from Pi",
    "B-PI-02": "If its start fails, Pi works on without memory, and the log shows no memory content",
    "B-PI-03":
      "There is one session state, from session_start to session_shutdown, also over /new, /resume and /fork",
    "B-PI-04": "session_start builds engine, providers and embeddings from the installed configuration",
    "B-PI-05": "The first request carries recalled memory, marked as untrusted, and Pi's own log does not",
    "B-PI-06":
      "Three read-only tools with names of their own are registered once, are bounded, and fail open",
    "B-PI-07":
      "What the user typed is captured behind the work, only when capture is on and a person typed it",
    "B-PI-08": "Any input may renew stale embeddings, at most every 5 minutes",
    "B-PI-09":
      "On request, compaction writes a true summary with the active model and adds continuity, else Pi's own runs",
    "B-PI-10":
      "On request, leaving a branch writes a bounded summary of every kind of entry, by the user's instructions",
    "B-PI-11":
      "If that summary fails, is empty or is cancelled, Pi's own flow goes on; memory is never passed off as a summary",
    "B-PI-12": "An abort ends the wait for continuity",
    "B-PI-13": "A project has one id over all its worktrees, and outside of git the folder is the project",
    "B-PI-14": "A git question that fails falls back to the folder, and a machine without git still loads",
    "B-PI-15": "session_shutdown ends capture and providers and then clears the state",
    "B-PI-16": "Pi gets no way to create, change or delete memory records",
    "B-PI-17": "No adapter touches Pi's stored sessions",
  }),
  ...group("core", "memory", {
    "B-CORE-01": "The engine answers prompt, search, status, explain and compaction without knowing a host",
    "B-CORE-02": "Providers say what they can and how they are; a search asks one or all, within budgets",
    "B-CORE-03": "Recalled text is attributed, fenced, escaped and bounded, and orders nothing",
    "B-CORE-04": "When memory fails, work goes on without it",
    "B-CORE-05":
      "Explicit preferences, decisions and corrections become candidates for review; generated text never does",
    "B-CORE-06": "Memory has a scope, and no project sees another's",
    "B-CORE-07":
      "explain shows the last decision of a session, cleaned; status shows abilities, health, counts and budgets",
    "B-CORE-08":
      "People and programs create, read, change and delete memory, and what is replaced stays linked",
    "B-CORE-09": "A correction is handed in, checked, and accepted or refused by a person",
  }),
  ...group("cli", "hosts", {
    "B-CLI-01":
      "remem init can be run again and again, adds to what others configured, and finds Pi's folder",
    "B-CLI-02":
      "remem status and doctor tell for each host whether it is set up and whether this package is in it",
  }),
  ...group("hosts/opencode", "hosts", {
    "B-OC-01": "OpenCode, current and v1, gets the same tools, compaction context and capture",
    "B-OC-02": "Options given inline to the plugin win over the installed configuration",
  }),
  ...group("packaging", "hosts", {
    "B-PKG-01":
      "The package names its built Pi extension and its entry points, and host packages stay optional",
    "B-PKG-02": "The core takes no host's types, and adapters take types only",
  }),
  ...group("tests", "proof", {
    "B-TEST-01": "Adapters are tested on a fake host and end to end with the real Pi and a scripted model",
  }),
];
