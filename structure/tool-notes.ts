// What docs/tools.md says of each tool beyond its definition. Numbers come from the sources.
import { limitOf } from "./tool-limits.ts";

const count = (file: string, name: string) => limitOf(file, name).toLocaleString("en");
const seconds = (file: string, name: string) => `${limitOf(file, name) / 1_000} seconds`;
const minutes = (file: string, name: string) => `${limitOf(file, name) / 60_000} minutes`;
const size = (file: string, name: string) => {
  const bytes = limitOf(file, name);
  const mega = 1024 * 1024;
  return bytes % mega === 0 ? `${bytes / mega} MB` : `${Math.ceil(bytes / 1024)} KB`;
};

const NOTES: Readonly<Record<string, () => readonly string[]>> = {
  read: () => [
    `A page has ${count("tools/read/read.ts", "DEFAULT_LIMIT")} lines or ${size("tools/read/read.ts", "MAX_TEXT")}; files of any size are read a page at a time. UTF-16 is decoded. Pictures (PNG, JPEG, GIF, WebP) up to ${(limitOf("tools/read/show-image.ts", "MAX_IMAGE_BYTES") / 1e6).toFixed(1)} MB are shown to models that take them; of other binary files only size and kind are told.`,
    "Files that hold secrets (`.env`, private keys, credentials) are not shown: [security.md](security.md).",
  ],
  write: () => [
    "A file that exists is replaced only if the model has read all of it and nobody has changed it since. A content with a placeholder (`// … rest unchanged`) is refused. Line ends, byte order mark and mode stay as they were; the file is replaced in one step.",
  ],
  edit: () => [
    `Only the matched bytes change; encoding, line ends and everything else stay. \`old_string\` must be there exactly, and once: where it is not, the answer shows the nearest place and what differs there, and nothing is changed. Files up to ${size("tools/edit/edit.ts", "MAX_BYTES")}.`,
  ],
  bash: () => [
    `After ${minutes("tools/bash/bash.ts", "DEFAULT_TIMEOUT_MS")}, or \`timeout\`, at most ${minutes("tools/bash/bash.ts", "MAX_TIMEOUT_MS")}, the command and everything it started are ended. The model sees ${count("tools/shared/commands/output-capture.ts", "OUTPUT_LIMIT")} bytes of output, the beginning and the end; all of it (up to ${size("sandbox/spill.ts", "DEFAULT_LIMIT")}) is in a file that the result names. What is left running in the background is named, and ends with the session. At most ${count("tools/shared/commands/background-commands.ts", "MAX_RUNNING")} background commands run at once.`,
    "Commands run in a sandbox where the system has one, always without pi's keys: [security.md](security.md).",
  ],
  "bash-output": () => [
    `Each call gives what is new since the one before; it waits up to ${seconds("tools/bash-output/bash-output.ts", "MAX_WAIT_MS")} for it.`,
  ],
  "bash-kill": () => [],
  grep: () => [
    `At most ${count("tools/grep/grep.ts", "MAX_MATCHES")} matches are shown, all are counted; lines are cut at ${count("tools/grep/tally.ts", "MAX_LINE_BYTES")} bytes. ripgrep searches, or a built-in engine where there is none. Files that hold secrets are left out, and counted.`,
  ],
  find: () => [`At most ${count("tools/find/find.ts", "MAX_FILES")} files are shown.`],
  ls: () => [`At most ${count("tools/ls/ls.ts", "MAX_ENTRIES")} entries are shown.`],
  tree: () => [
    `At most ${count("tools/tree/tree.ts", "MAX_ENTRIES")} entries and ${count("tools/tree/tree.ts", "MAX_DEPTH")} levels are shown.`,
  ],
  "git-overview": () => [
    `The newest ${count("tools/git-overview/git-overview.ts", "MAX_COMMITS")} commits, and ${count("tools/git-overview/git-overview.ts", "MAX_FILES")} files of each kind. A call of git may take ${seconds("tools/shared/git/run-git.ts", "TIMEOUT_MS")}. Programs that the repository's own git configuration names are not run.`,
  ],
  "git-file-diff": () => [
    `The first ${size("tools/git-file-diff/git-file-diff.ts", "MAX_BYTES")} of the diff.`,
  ],
  "git-hunk": () => [`The first ${size("tools/git-hunk/git-hunk.ts", "MAX_BYTES")}.`],
  "lsp-diagnostics": () => [
    `At most ${count("tools/lsp-diagnostics/lsp-diagnostics.ts", "MOST_PROBLEMS")} problems. After a \`write\` or \`edit\` they come by themselves: [language-servers.md](language-servers.md).`,
  ],
  "lsp-symbols": () => [`At most ${count("tools/lsp-symbols/lsp-symbols.ts", "MOST_SYMBOLS")} symbols.`],
  "lsp-definition": () => ["With `--lsp full`."],
  "lsp-references": () => [
    `With \`--lsp full\`. At most ${count("tools/shared/language/list-locations.ts", "MOST_LOCATIONS")} places.`,
  ],
  "lsp-hover": () => [`With \`--lsp full\`. At most ${size("tools/lsp-hover/lsp-hover.ts", "MOST_BYTES")}.`],
  "mem-search": () => [
    "The memory tools are there from the session on in which something of the project is remembered: [memory.md](memory.md).",
  ],
  "mem-timeline": () => [],
  "mem-get": () => [
    `At most ${count("tools/mem-get/mem-get.ts", "MOST_IDS")} memories, ${count("tools/mem-get/mem-get.ts", "MOST_CHARACTERS")} characters of each.`,
  ],
  agent: () => [
    `At most ${count("tools/agent/agent.ts", "MOST_TASKS")} tasks a call. The model sees ${count("tools/agent/agent-result.ts", "MOST_ANSWER")} characters of an answer; all of it is in a file. Agents of yours are listed beside these: [subagents.md](subagents.md).`,
  ],
};

/** Paragraphs about a tool, for people. Throws for a tool that nobody has written any for. */
export function toolNotes(name: string): readonly string[] {
  const notes = NOTES[name];
  if (notes === undefined)
    throw new Error(`structure/tool-notes.ts says nothing of ${name}; an empty list will do`);
  return notes();
}
