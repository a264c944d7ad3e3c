import type { CommandDefinition } from "./command.ts";

/** Every command, loaded when it is asked for; in the order of `help`. */
export const COMMANDS: Readonly<Record<string, () => Promise<CommandDefinition>>> = {
  add: async () => (await import("./commands/add.ts")).addCommand,
  list: async () => (await import("./commands/list.ts")).listCommand,
  show: async () => (await import("./commands/show.ts")).showCommand,
  search: async () => (await import("./commands/search.ts")).searchCommand,
  edit: async () => (await import("./commands/edit.ts")).editCommand,
  forget: async () => (await import("./commands/forget.ts")).forgetCommand,
  review: async () => (await import("./commands/review.ts")).reviewCommand,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  import: async () => (await import("./commands/import.ts")).importCommand,
  projects: async () => (await import("./commands/projects.ts")).projectsCommand,
  link: async () => (await import("./commands/link.ts")).linkCommand,
  status: async () => (await import("./commands/status.ts")).statusCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  backup: async () => (await import("./commands/backup.ts")).backupCommand,
  restore: async () => (await import("./commands/restore.ts")).restoreCommand,
  migrate: async () => (await import("./commands/migrate.ts")).migrateCommand,
  reembed: async () => (await import("./commands/reembed.ts")).reembedCommand,
  eval: async () => (await import("./commands/eval.ts")).evalCommand,
  init: async () => (await import("./commands/init.ts")).initCommand,
};

/** First words that ask about the program. */
export const WAYS_TO_ASK: ReadonlySet<string> = new Set(["help", "--help", "-h", "--version", "-V"]);

/** Whether words are a command line of `remem`, so that another program may hand them over. */
export function isCliLine(argv: readonly string[]): boolean {
  const [first] = argv;
  return first === undefined || Object.hasOwn(COMMANDS, first) || WAYS_TO_ASK.has(first);
}
