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
    ["/branch switch NAME", "go on with another branch"],
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
      "every message of yours with branches, forks, names and compactions; typing filters; then: go on after it or before it, fork a new session, name it",
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
      "the model of the role `commit` proposes a message for what is staged; nothing is ever staged",
    ],
    ["/commit MESSAGE", "with a message of your own; no model is asked"],
  ],
  trust: [
    ["/trust", "what would act and whether it is trusted; asks if it is not"],
    ["/trust yes", "trust it exactly as it is now; acts after /restart"],
    ["/trust no", "take trust back; after /restart nothing of it acts"],
  ],
  skills: [
    ["/skills", "all skills and prompts (`/NAME WHAT FOR` uses one), and what could not be loaded and why"],
    ["/skills show NAME", "the text of one"],
    ["/skills create [NAME]", "make a skill of yours or of this project, to be filled in"],
    ["/skills reload", "look at the files again; the model learns what is different"],
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
