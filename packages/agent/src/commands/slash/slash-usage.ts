import type { SlashName } from "./slash-infos.ts";

/** The forms of a command, each with what it does. */
export type SlashUsage = readonly (readonly [form: string, meaning: string])[];

/** What `/help NAME` and the docs say of a command beyond its summary; absent where the summary says all. */
export const SLASH_USAGE: Partial<Record<SlashName, SlashUsage>> = {
  clear: [["/clear", "the model forgets what was said; /resume ID brings it back"]],
  resume: [
    ["/resume", "choose among this project's sessions"],
    [
      "/resume WORDS",
      "sessions of this project whose title, id, model or folder has these words, and those of every project in which they were said",
    ],
    ["/resume ID", "open this session; the unique start of an id is enough"],
    ["/resume all [WORDS]", "sessions of every project"],
  ],
  session: [
    ["/session", "id, folder, title, branch, messages, tokens and cost"],
    ["/session name TITLE", "give it a title"],
    ["/session list", "the same as /resume"],
  ],
  branch: [
    ["/branch", "choose a branch to go on with"],
    ["/branch NAME", "make a branch at this place and go on with it; one that exists is switched to"],
    ["/branch list", "all branches"],
    ["/branch create NAME", "as /branch NAME, but never switches to one that exists"],
    [
      "/branch switch NAME",
      "go on with another branch; asks whether files go along, if any differ there, and whether a summary of what you leave does",
    ],
    ["/branch switch NAME summary [FOCUS]", "take a summary along, with a word on what it must keep"],
    ["/branch switch NAME plain", "take none along"],
    ["/branch rename [OLD] NEW", "rename a branch, the current one if OLD is left out"],
    ["/branch delete NAME", "delete a branch; asks first"],
  ],
  compact: [
    ["/compact", "shorten old tool results or summarise what was said"],
    ["/compact FOCUS", "with a word on what the summary must keep"],
    ["/compact undo", "take the last compaction back"],
  ],
  context: [["/context", "system prompt, tools, instruction files, messages by kind, reserve and free room"]],
  history: [
    ["/history [WORDS]", "earlier prompts of this project that have these words"],
    ["/history all [WORDS]", "of every project"],
  ],
  copy: [
    ["/copy", "the last answer, as Markdown"],
    ["/copy all", "the whole conversation, as Markdown"],
    ["/copy code [N]", "the last code block, or the N-th of the last answer that has any"],
  ],
  tree: [
    [
      "/tree",
      "every message of yours with branches, forks, names and compactions; typing filters; then: go on after it or before it (with a summary of what you leave, if you like), fork a new session, name it",
    ],
    ["/tree label [NAME]", "name the place where you are"],
  ],
  rewind: [
    [
      "/rewind",
      "choose a message, then what goes back: conversation, files or both; the diff is shown first",
    ],
    ["/rewind undo", "take the last rewind back, files included"],
  ],
  export: [
    [
      "/export",
      "a page of its own (HTML) in the current folder, without what looks like a key or a password",
    ],
    ["/export FILE [FORMAT]", "html, markdown or json; the ending of the file says which"],
    ["/export … --no-redact", "with keys and passwords, as they were said"],
  ],
  commit: [
    [
      "/commit",
      "the model of the role `commit` proposes a message for what is staged, to be edited or committed; nothing is staged",
    ],
    ["/commit MESSAGE", "with a message of your own; no model is asked"],
    ["/commit -a [MESSAGE]", "stage what changed of the files that git knows, then the same"],
  ],
  trust: [
    ["/trust", "what would act and whether it is trusted; asks if it is not"],
    ["/trust yes", "trust it exactly as it is now; acts after /restart"],
    ["/trust no", "take trust back; after /restart nothing of it acts"],
  ],
  plan: [
    ["/plan", "switch plan mode: nothing is written but files below `specs/`; again: off"],
    [
      "/plan IDEA",
      "plan it in seven phases, each approved by you, as files below `specs/NAME/`; a spec of that name goes on",
    ],
    ["/plan approve", "what is written is right: begin the next phase"],
    ["/plan back", "go back to the phase before; what was written stays"],
    ["/plan status", "the phases, and what keeps the current one from being approved"],
    ["/plan on, /plan off", "the same as /plan, whatever it is now"],
  ],
  run: [
    [
      "/run SPEC",
      "slices by subagents on copies, gates, a review, and only then a merge; goes on with a run that was interrupted",
    ],
    ["/run SPEC fresh", "begin anew; the branch of the earlier run stays"],
    ["/run stop", "stop it (Esc does, too); its work is kept and named"],
  ],
  skills: [
    ["/skills", "all skills and prompts (`/NAME WHAT FOR` uses one), and what could not be loaded and why"],
    ["/skills show NAME", "the text of one"],
    ["/skills create [NAME]", "make a skill of yours or of this project, to be filled in"],
    ["/skills reload", "look at the files again; the model learns what is different"],
  ],
  agents: [
    [
      "/agents",
      "the subagents of this session as they work: state, time, tokens, last action; keys open, stop, apply, merge, drop; and the work that any left in this project",
    ],
    ["/agents list", "print that once"],
    ["/agents types", "the kinds of subagents, where each comes from, and files that are none"],
    ["/agents show ID", "what a subagent said and did"],
    ["/agents stop ID", "end it; what it changed on a worktree is kept"],
    ["/agents apply ID", "bring its change into your files, not committed; a clash changes nothing"],
    ["/agents merge ID", "make one commit of its change on the branch that is checked out"],
    ["/agents drop ID", "forget its branch and worktree; asks first"],
  ],
  mcp: [
    [
      "/mcp",
      "all servers: their state, what they offer, what their tools cost in each request, and what is wrong",
    ],
    ["/mcp restart NAME", "end one and start it anew"],
    ["/mcp login NAME", "authorise pi with the service behind a server, in the browser"],
    ["/mcp disable NAME, /mcp enable NAME", "for this session only"],
    ["/mcp reload", "read the files again; servers whose entries are as before go on"],
  ],
  extensions: [
    ["/extensions", "what is loaded, with tools, commands, load times and faults"],
    ["/extensions reload", "read all files anew, without losing the conversation"],
  ],
  memory: [
    [
      "/memory",
      "whether it is on, where it is, how much is in it, what was kept and left out, and what is wrong",
    ],
    [
      "/memory explain",
      "why the last prompt came with these memories or with none, and what became of what was said",
    ],
    ["/memory search WORDS, /memory recent", "memories of this project, with their ids"],
    ["/memory show ID", "one of them whole, with where it comes from"],
    ["/memory edit ID [WORDING]", "put another wording in its place"],
    [
      "/memory forget [ID … | session | project]",
      "erase for good; shows what would go and asks first. Only a person can, no tool",
    ],
    ["/memory review", "keep, change or reject what waits for your word"],
    [
      "/memory pin ID, /memory unpin ID",
      "put it before the model at the start of every session, or not any more",
    ],
    ["/memory off, /memory on", "saved as `memory.enabled` in your config; acts at once"],
  ],
  model: [
    ["/model", "choose from a list"],
    ["/model NAME", "`provider/model` or a model's name; saved as `roles.default` in your config"],
    ["/model ROLE", "the model of a role (default, smol, slow, plan, commit, your own); never saved"],
    ["/model NAME LEVEL", "and how much it reasons: off, minimal, low, medium, high, xhigh, max"],
    ["/model LEVEL", "only how much it reasons; saved as `thinking`"],
    ["/model … --session", "for this session only: nothing is saved"],
  ],
  ping: [["/ping [TEXT]", "one small request: where it went, with which key, how long it took"]],
  login: [
    ["/login", "choose a provider, then the browser, a code or an API key, as far as it offers them"],
    [
      "/login PROVIDER [browser | device | key]",
      "the same without the questions; a key is asked for, masked",
    ],
    ["/login status", "who is logged in, and until when"],
  ],
  logout: [
    [
      "/logout [PROVIDER]",
      "gives the tokens back where the service takes them, and removes tokens and key from this machine",
    ],
  ],
  rtk: [
    ["/rtk", "characters before and after, by tool and technique"],
    ["/rtk on, /rtk off", "saved as `compactor.enabled` in your config"],
    ["/rtk reset", "count anew"],
  ],
  theme: [
    ["/theme", "choose from a list, with a preview"],
    ["/theme NAME", "saved as `theme` in your config"],
    ["/theme auto", "follow the terminal's background"],
  ],
  notify: [
    ["/notify", "choose from a list"],
    ["/notify off, bell, desktop", "saved as `notify` in your config"],
  ],
  keys: [
    ["/keys", "every key, by what it is for"],
    ["/keys conflicts", "keys that two actions want, and settings that are not understood"],
  ],
  help: [
    ["/help", "everything"],
    ["/help NAME", "one command in detail"],
  ],
  restart: [["/restart", "also needed for what a trust or config file changes at start"]],
};
