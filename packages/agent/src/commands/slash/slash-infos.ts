import type { SlashCommandInfo } from "../../contract/slash-command.ts";

type Row = Pick<SlashCommandInfo, "group" | "summary"> &
  Partial<Pick<SlashCommandInfo, "aliases" | "argumentHint" | "during" | "completes">>;

/** What menus, `/help` and the docs say of each command, without loading any; in the order of lists. */
const ROWS = {
  clear: {
    group: "conversation",
    summary: "start a fresh conversation; the old one stays on disk",
    aliases: ["new"],
    during: "idle",
  },
  resume: {
    group: "conversation",
    summary: "go on with an earlier conversation",
    argumentHint: "[id | words] [all]",
    during: "idle",
    completes: true,
  },
  session: {
    group: "conversation",
    summary: "show this session, name it, or list sessions",
    argumentHint: "[name TITLE | list]",
    completes: true,
  },
  branch: {
    group: "conversation",
    summary: "make, switch, rename and delete branches of this conversation",
    argumentHint: "[name | list | switch NAME | rename [OLD] NEW | delete NAME]",
    during: "idle",
    completes: true,
  },
  compact: {
    group: "conversation",
    summary: "make room in the context window, or undo that",
    argumentHint: "[focus | undo]",
    during: "idle",
    completes: true,
  },
  context: { group: "conversation", summary: "show where the tokens of the context window go" },
  history: {
    group: "conversation",
    summary: "find an earlier prompt and put it into the editor",
    argumentHint: "[all] [words]",
    completes: true,
  },
  copy: {
    group: "conversation",
    summary: "copy the last answer, the conversation or a code block",
    argumentHint: "[last | all | code [N]]",
    completes: true,
  },
  tree: {
    group: "conversation",
    summary: "see all forks of the conversation, go to any place, name it, or fork there",
    argumentHint: "[label NAME]",
    during: "idle",
    completes: true,
  },
  rewind: {
    group: "conversation",
    summary: "go back to before an earlier message, with or without the files",
    argumentHint: "[undo]",
    during: "idle",
    completes: true,
  },
  export: {
    group: "conversation",
    summary: "write the conversation to a file, as a page, Markdown or JSON",
    argumentHint: "[file] [html | markdown | json] [--no-redact]",
    completes: true,
  },
  commit: {
    group: "project",
    summary: "commit the staged files with a proposed message",
    argumentHint: "[-a] [message]",
    during: "idle",
  },
  trust: {
    group: "project",
    summary: "show what this project brings that acts, and trust it or not",
    argumentHint: "[yes | no]",
    completes: true,
  },
  plan: {
    group: "project",
    summary: "plan a feature phase by phase, or switch plan mode",
    argumentHint: "[idea | approve | back | status | on | off]",
    completes: true,
  },
  run: {
    group: "project",
    summary: "carry out a planned spec with subagents, checked before it is brought in",
    argumentHint: "SPEC [fresh] | stop",
    completes: true,
  },
  agents: {
    group: "project",
    summary: "show subagents and what they left, stop them, bring in their changes",
    argumentHint: "[list | types | show | stop | apply | merge | drop ID]",
    completes: true,
  },
  skills: {
    group: "project",
    summary: "list, read, make and reload skills and prompts",
    argumentHint: "[show NAME | create [NAME] | reload]",
    completes: true,
  },
  mcp: {
    group: "project",
    summary: "show MCP servers, restart them, sign in to them, switch them on and off",
    argumentHint: "[restart | login | enable | disable NAME | reload]",
    completes: true,
  },
  extensions: {
    group: "project",
    summary: "show extensions and what went wrong in them, or load them anew",
    argumentHint: "[reload]",
    completes: true,
  },
  memory: {
    group: "project",
    summary: "see, search, change and erase what is remembered, or switch it off",
    argumentHint:
      "[status | explain | search WORDS | recent | show | edit | forget | review | pin | on | off]",
    completes: true,
  },
  model: {
    group: "model",
    summary: "choose the model, its role or how much it reasons",
    argumentHint: "[role | model] [thinking] [--session]",
    during: "idle",
    completes: true,
  },
  ping: {
    group: "model",
    summary: "ask the model for a sign of life, outside of the conversation",
    argumentHint: "[text]",
  },
  login: {
    group: "model",
    summary: "log in to a model service, or keep its API key",
    argumentHint: "[provider] [browser | device | key] | status",
    completes: true,
  },
  logout: {
    group: "model",
    summary: "end a login and remove its tokens and key from this machine",
    argumentHint: "[provider]",
    completes: true,
  },
  rtk: {
    group: "model",
    summary: "show what shortening of tool output saves, or switch it",
    argumentHint: "[on | off | reset]",
    completes: true,
  },
  theme: {
    group: "display",
    summary: "choose the colours",
    argumentHint: "[name | auto]",
    completes: true,
  },
  notify: {
    group: "display",
    summary: "choose how the end of a long answer is signalled",
    argumentHint: "[off | bell | desktop]",
    completes: true,
  },
  keys: {
    group: "display",
    summary: "list the keys and where to change them",
    argumentHint: "[conflicts]",
    completes: true,
  },
  help: {
    group: "program",
    summary: "list commands and keys, or explain one command",
    argumentHint: "[command]",
    completes: true,
  },
  doctor: { group: "program", summary: "say what is found and missing on this machine, and what to do" },
  restart: {
    group: "program",
    summary: "start pi anew and come back to this conversation",
    during: "idle",
  },
  exit: { group: "program", summary: "end pi; the conversation stays on disk", aliases: ["quit"] },
} as const satisfies Record<string, Row>;

/** The name of a built-in slash command. */
export type SlashName = keyof typeof ROWS;

/** What lists show of one command; the command itself takes its name and words from here. */
export function slashInfo(name: SlashName): SlashCommandInfo {
  const row: Row = ROWS[name];
  return { name, aliases: [], argumentHint: "", during: "any", completes: false, ...row };
}

/** All built-in slash commands, in the order of lists. */
export const SLASH_INFOS: readonly SlashCommandInfo[] = (Object.keys(ROWS) as SlashName[]).map(slashInfo);
