import type { CommandDefinition, CommandResult, ParsedArguments } from "../contract/command.ts";
import { usage } from "./sessions/options.ts";
import type { SessionsPorts } from "./sessions/sessions-ports.ts";

interface Form {
  /** How many words may follow. */
  words: readonly [least: number, most: number];
  options: readonly string[];
  run(
    words: readonly string[],
    parsed: ParsedArguments,
    ports: SessionsPorts,
    signal: AbortSignal,
  ): Promise<CommandResult>;
}

const FORMS: Readonly<Record<string, Form>> = {
  list: {
    words: [0, 0],
    options: ["all", "limit", "json"],
    run: async (_words, parsed, ports) =>
      (await import("./sessions/list-sessions.ts")).listSessions(parsed, ports),
  },
  show: {
    words: [1, 1],
    options: ["json"],
    run: async ([id], _parsed, ports) => (await import("./sessions/show-session.ts")).showSession(id!, ports),
  },
  search: {
    words: [1, 64],
    options: ["limit", "full", "json"],
    run: async (words, parsed, ports, signal) =>
      (await import("./sessions/search-sessions.ts")).searchSessions(words.join(" "), parsed, ports, signal),
  },
  export: {
    words: [1, 1],
    options: ["format", "output", "no-redact"],
    run: async ([id], parsed, ports) =>
      (await import("./sessions/export-session.ts")).exportSession(id!, parsed, ports),
  },
  delete: {
    words: [1, 1],
    options: ["yes", "json"],
    run: async ([id], parsed, ports, signal) =>
      (await import("./sessions/delete-session.ts")).deleteSession(id!, parsed, ports, signal),
  },
  import: {
    words: [1, 1],
    options: ["json"],
    run: async ([path], _parsed, ports) =>
      (await import("./sessions/import-session.ts")).importSession(path!, ports),
  },
};

const USAGE = `pi sessions [FORM ...]
            list [--all] [--limit N] [--json]
            show ID [--json]
            search WORDS [--limit N] [--full] [--json]
            export ID [--format html|json|markdown] [--output FILE] [--no-redact]
            delete ID [--yes]
            import FILE|FOLDER`;

/** `pi sessions`: finds, shows, shares and deletes saved conversations. */
export const sessionsCommand: CommandDefinition<SessionsPorts> = {
  name: "sessions",
  summary: "find, show, export, import and delete saved conversations",
  usage: USAGE,
  options: [
    { name: "all", kind: "flag", summary: "list: sessions of every project" },
    { name: "limit", kind: "value", summary: "list, search: how many are shown" },
    { name: "full", kind: "flag", summary: "search: first index everything, however long it takes" },
    { name: "format", kind: "value", summary: "export: html (the default), json or markdown" },
    { name: "output", kind: "value", summary: "export: the file, or - for stdout" },
    { name: "no-redact", kind: "flag", summary: "export: leave keys and passwords in" },
    { name: "yes", kind: "flag", summary: "delete: do not ask" },
    { name: "json", kind: "flag", summary: "as JSON" },
  ],
  // Two words are a slip of the command rather than a prompt; what does not fit is said.
  accepts: ({ words }) => words.length <= 2 || fits(words),
  async run(parsed, ports, signal) {
    const [verb = "list", ...words] = parsed.words;
    const form = Object.hasOwn(FORMS, verb) ? FORMS[verb] : undefined;
    if (form === undefined)
      throw usage(
        `"pi sessions ${verb}" is none of its forms`,
        `${USAGE}\nas a prompt: pi -p "sessions ${verb}"`,
      );
    const [least, most] = form.words;
    if (words.length < least || words.length > most)
      throw usage(
        `"pi sessions ${verb}" wants ${least === 0 ? "nothing" : most === 1 ? "one word" : "words"} after it`,
        USAGE,
      );
    const foreign = Object.keys(parsed.options).find((name) => !form.options.includes(name));
    if (foreign !== undefined) throw usage(`"pi sessions ${verb}" has no option --${foreign}`, USAGE);
    return form.run(words, parsed, ports, signal);
  },
};

function fits([verb, ...words]: readonly string[]): boolean {
  const form = verb !== undefined && Object.hasOwn(FORMS, verb) ? FORMS[verb] : undefined;
  return form !== undefined && words.length >= form.words[0] && words.length <= form.words[1];
}
