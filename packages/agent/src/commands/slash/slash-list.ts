import type { SlashCommand } from "../../contract/slash-command.ts";
import { SLASH_INFOS, type SlashName } from "./slash-infos.ts";
import type { SlashPorts } from "./slash-ports.ts";

/** A command that is handed all ports and takes what it needs. */
type AnySlashCommand = SlashCommand<SlashPorts>;

const LOADERS: Readonly<Record<SlashName, () => Promise<AnySlashCommand>>> = {
  clear: async () => (await import("./clear.ts")).clearCommand,
  resume: async () => (await import("./resume.ts")).resumeCommand,
  session: async () => (await import("./session.ts")).sessionCommand,
  branch: async () => (await import("./branch.ts")).branchCommand,
  compact: async () => (await import("./compact.ts")).compactCommand,
  context: async () => (await import("./context.ts")).contextCommand,
  history: async () => (await import("./history.ts")).historyCommand,
  copy: async () => (await import("./copy.ts")).copyCommand,
  tree: async () => (await import("./tree.ts")).treeCommand,
  rewind: async () => (await import("./rewind.ts")).rewindCommand,
  export: async () => (await import("./export.ts")).exportCommand,
  commit: async () => (await import("./commit.ts")).commitCommand,
  trust: async () => (await import("./trust.ts")).trustCommand,
  plan: async () => (await import("./plan.ts")).planCommand,
  run: async () => (await import("./run.ts")).runCommand,
  agents: async () => (await import("./agents.ts")).agentsCommand,
  skills: async () => (await import("./skills.ts")).skillsCommand,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  extensions: async () => (await import("./extensions.ts")).extensionsCommand,
  memory: async () => (await import("./memory.ts")).memoryCommand,
  model: async () => (await import("./model.ts")).modelCommand,
  ping: async () => (await import("./ping.ts")).pingSlashCommand,
  login: async () => (await import("./login.ts")).loginSlashCommand,
  logout: async () => (await import("./logout.ts")).logoutSlashCommand,
  rtk: async () => (await import("./rtk.ts")).rtkCommand,
  theme: async () => (await import("./theme.ts")).themeCommand,
  notify: async () => (await import("./notify.ts")).notifyCommand,
  keys: async () => (await import("./keys.ts")).keysCommand,
  help: async () => (await import("./help.ts")).helpCommand,
  doctor: async () => (await import("./doctor.ts")).doctorSlashCommand,
  restart: async () => (await import("./restart.ts")).restartCommand,
  exit: async () => (await import("./exit.ts")).exitCommand,
};

/** The built-in command of a name or an alias (without the slash, in either case), loaded at its first use; null for an unknown one. */
export async function loadSlashCommand(name: string): Promise<AnySlashCommand | null> {
  const wanted = name.toLowerCase();
  const info = SLASH_INFOS.find((entry) => entry.name === wanted || entry.aliases.includes(wanted));
  return info === undefined ? null : LOADERS[info.name as SlashName]();
}
