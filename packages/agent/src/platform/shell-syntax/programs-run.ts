import { parseShellLine } from "./parse-line.ts";
import {
  type ShellCommand,
  type ShellLine,
  type ShellProblem,
  type ShellWord,
  unknownWord,
} from "./shell-line.ts";

/** One program that a line runs, or may run. */
export interface ProgramRun {
  command: ShellCommand;
  /**
   * `line`: it stands in the line, or in a script that the line hands to a shell. `wrapped`: another program runs it (`sudo`,
   * `xargs`, `find -exec`); where that program's options cannot be told from its operands there is one run for each way to read it.
   */
  via: "line" | "wrapped";
  /** The command only hands a known script to a shell; what counts are the runs of the script. */
  transparent?: true;
  /** Of a wrapped run: the run in the line that it comes from. */
  owner?: ProgramRun;
}

export interface ProgramRuns {
  runs: ProgramRun[];
  problems: ShellProblem[];
}

const SHELLS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ash",
  "mksh",
  "rbash",
  "fish",
  "csh",
  "tcsh",
  "nu",
  "pwsh",
  "su",
  "runuser",
]);
/** Programs that run the program named behind their options and, at most, some operands of their own. */
const WRAPPERS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "sudo doas env xargs nohup time command builtin exec nice ionice stdbuf setsid strace ltrace watch parallel npx bunx pnpx uvx busybox toybox caffeinate chrt numactl dbus-run-session xvfb-run firejail bwrap proot fakeroot systemd-run pkexec torsocks proxychains proxychains4 rlwrap unbuffer gosu su-exec entr hyperfine eatmydata unshare nsenter sg script gdb valgrind perf winpty arch linux64 setarch prlimit capsh cgexec trickle coproc setpriv chpst run0 systemd-inhibit catchsegv i386 x86_64 screen watchexec chronic ts retry dbus-launch daemonize wsl cross-env env-cmd runuser"
      .split(" ")
      .map((name) => [name, 1]),
  ),
  timeout: 1,
  chroot: 1,
  flock: 1,
  ssh: 1,
  taskset: 1,
  faketime: 1,
};
/** Programs of which some sub-commands run the program named behind them, and the operands of their own before it. */
const RUNNERS: readonly { program: RegExp; subCommand: RegExp; operands: number }[] = [
  { program: /^(?:npm|pnpm|yarn|bun|mise|bundle|lerna|asdf)$/, subCommand: /^(?:exec|x|dlx)$/, operands: 0 },
  {
    program: /^(?:uv|poetry|pipenv|pdm|hatch|rye|conda|mamba|micromamba|pipx|op|doppler|dotenv|dotenvx)$/,
    subCommand: /^run$/,
    operands: 0,
  },
  {
    program: /^(?:docker|docker-compose|podman|nerdctl|kubectl|oc|machinectl|direnv|aws-vault|ip)$/,
    subCommand: /^(?:exec|run|shell)$/,
    operands: 1,
  },
  {
    program: /^tmux$/,
    subCommand:
      /^(?:new|neww|splitw|new-session|new-window|split-window|respawn-pane|respawn-window|run|run-shell|popup|display-popup|send|send-keys)$/,
    operands: 1,
  },
  { program: /^nix$/, subCommand: /^(?:develop|shell)$/, operands: 1 },
];
const RUNNER_GROUP = /^(?:compose|container|tool|netns)$/;
/** Variables whose values programs run as commands. */
const RUN_VARIABLE =
  /^(?:(?:GIT_|MAN|SYSTEMD_)?PAGER|(?:GIT_|SUDO_|GIT_SEQUENCE_)?EDITOR|VISUAL|BROWSER|GIT_SSH_COMMAND|GIT_SSH|GIT_ASKPASS|SSH_ASKPASS|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|LESSOPEN|PROMPT_COMMAND|RUSTC_WRAPPER)$/;
/** Settings of git whose values it runs as commands. */
const RUN_SETTING =
  /^(?:core[.](?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|pager[.].*|sequence[.]editor|diff[.]external|.*[.](?:textconv|command|clean|smudge|process|driver|cmd|helper|program))=!?([\s\S]*)$/i;
const GIT_RUNS =
  /^--(?:exec|extcmd|tree-filter|index-filter|msg-filter|env-filter|parent-filter|commit-filter|tag-name-filter|upload-pack|receive-pack)(?:=([\s\S]*))?$/;
const FED_BY_INPUT = new Set(["xargs", "parallel", "entr"]);
const EXEC_OPTION = /^(?:-exec|-execdir|-ok|-okdir|--exec|--exec-batch|--pre|-toolexec)$/;
/** Builtins that evaluate subscripts or names in their arguments, where a substitution in quotes is run after all. */
const EVALUATING = new Set([
  "[",
  "test",
  "let",
  "printf",
  "declare",
  "typeset",
  "local",
  "readonly",
  "export",
  "unset",
  "read",
  "mapfile",
  "readarray",
  "wait",
]);
const MAX_RUNS = 2_000;

/** Every program that a command line runs, also through shells, `eval`, `trap` and programs that run others. */
export function programsRun(text: string): ProgramRuns {
  const found: ProgramRuns = { runs: [], problems: [] };
  new Collector(found).line(parseShellLine(text), "line", 0);
  return found;
}

/** A program's name without its folder and `.exe`, in lower case: `/usr/bin/Git.exe` is `git`. */
export function programName(word: ShellWord | undefined): string {
  const name = (word?.text ?? "").replace(/^.*[\\/]/, "").toLowerCase();
  return name.replace(/[.]exe$/, "");
}

/** Whether a program is known to run the program or the script that its words name. */
export function runsOthers(name: string): boolean {
  return SHELLS.has(name) || Object.hasOwn(WRAPPERS, name);
}

/** Whether a word that stands where a program is named leaves open which it is. */
export function isUnclearProgram(word: ShellWord): boolean {
  return word.kind !== "literal" || word.text === "" || word.text.includes("{}");
}

class Collector {
  readonly #found: ProgramRuns;
  #owner: ProgramRun | undefined;

  constructor(found: ProgramRuns) {
    this.#found = found;
  }

  line(line: ShellLine, via: ProgramRun["via"], depth: number): void {
    this.#found.problems.push(...line.problems);
    for (const command of line.commands) this.#command(command, via, depth);
  }

  #problem(message: string): void {
    this.#found.problems.push({ kind: "dynamic", message });
  }

  #script(text: string, via: ProgramRun["via"], depth: number): void {
    if (depth > 10) this.#problem("scripts in scripts");
    else this.line(parseShellLine(text), via, depth + 1);
  }

  #command(command: ShellCommand, via: ProgramRun["via"], depth: number): void {
    const run: ProgramRun = { command, via };
    if (via === "line") this.#owner = run;
    else if (this.#owner) run.owner = this.#owner;
    this.#found.runs.push(run);
    if (this.#found.runs.length > MAX_RUNS) {
      if (this.#found.runs.length === MAX_RUNS + 1) this.#problem("too many commands");
      return;
    }
    for (const { name, value } of command.assignments)
      if (RUN_VARIABLE.test(name) && value.kind === "literal") this.#script(value.text, "wrapped", depth);
    const [program, ...words] = command.words;
    if (program === undefined) return;
    if (isUnclearProgram(program)) {
      this.#problem(`which program ${JSON.stringify(program.text)} is, is known only when it runs`);
      return;
    }
    const name = programName(program);
    if (SHELLS.has(name)) run.transparent = this.#shell(command, words, via, depth);
    else if (name === "eval") run.transparent = this.#evaluated(words, words.length, via, depth);
    else if (name === "trap") this.#evaluated(words, 1, via, depth);
    else if (name === "source" || name === ".") this.#sourced(command, words);
    else if (name === "alias" && words.length > 0) this.#problem("it defines an alias");
    else if (/^(?:hash|enable|complete|bind)$/.test(name) && words.some((word) => /^-/.test(word.text)))
      this.#problem(`${name} changes what words mean`);
    if (EVALUATING.has(name) && words.some((word) => word.kind === "literal" && /\$\(|`/.test(word.text)))
      this.#problem(`${name} may evaluate text as code`);
    if (run.transparent === undefined) delete run.transparent;
    this.#wrapped(name, words, command, depth);
  }

  /** True when the command hands over one known script and does nothing else. */
  #shell(command: ShellCommand, words: ShellWord[], via: ProgramRun["via"], depth: number): true | undefined {
    const changesUser = /^(?:su|runuser)$/.test(programName(command.words[0]));
    const { options, operands, hasScript } = shellWords(words, changesUser);
    if (hasScript) {
      const script = operands[0];
      if (script?.kind !== "literal") this.#problem("a shell gets a script that is known only when it runs");
      else this.#script(script.text, via, depth);
      const plain = !changesUser && options.length === 1 && /^-[eux]*c$/.test(options[0]!.text);
      return plain && operands.length === 1 && command.redirections.length === 0 ? true : undefined;
    }
    if (changesUser) return undefined;
    const reads = operands[0];
    if (options.some((option) => /^--(?:version|help)$/.test(option.text))) return undefined;
    if (reads && reads.kind === "literal" && !/^(?:-|\/dev\/.*|\/proc\/.*)$/.test(reads.text))
      return undefined;
    const body = command.redirections.findLast((redirection) => redirection.body !== undefined)?.body;
    if (body?.kind === "literal" && reads === undefined) this.#script(body.text, via, depth);
    else this.#problem("a shell reads commands that are known only when it runs");
    return undefined;
  }

  #evaluated(words: ShellWord[], count: number, via: ProgramRun["via"], depth: number): true | undefined {
    const parts = words.slice(0, count);
    if (parts.some((word) => word.kind !== "literal")) {
      this.#problem("text that is known only when it runs is run as a command");
      return undefined;
    }
    this.#script(parts.map((word) => word.text).join(" "), via, depth);
    return true;
  }

  #sourced(command: ShellCommand, words: ShellWord[]): void {
    const [file] = words;
    const plain = file?.kind === "literal" && !/^\/(?:dev|proc)\//.test(file.text);
    if (!plain || command.redirections.length > 0)
      this.#problem("it runs a script that is known only when it runs");
  }

  /** Every way in which the words behind a program can be another command. */
  #wrapped(name: string, words: ShellWord[], outer: ShellCommand, depth: number): void {
    const starts = new Set<number>();
    const runner = runnerOf(name, words);
    const operands = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : runner?.operands;
    if (runner) for (const index of runner.starts) starts.add(index);
    else if (operands !== undefined && !(name === "command" && /^-[vV]/.test(words[0]?.text ?? "")))
      for (const index of commandStarts(words, operands)) starts.add(index);
    for (const [index, word] of words.entries())
      if (EXEC_OPTION.test(word.text) || (/^-[xX]$/.test(word.text) && /^fd(?:find)?$/.test(name)))
        starts.add(index + 1);
    if (name === "git") this.#gitScripts(words, depth);
    for (const start of starts) {
      const rest = words.slice(start);
      if (rest.length === 0) continue;
      const fed = FED_BY_INPUT.has(name) ? [unknownWord()] : [];
      this.#command(
        { assignments: [], words: [...rest, ...fed], redirections: [], source: outer.source },
        "wrapped",
        depth + 1,
      );
    }
    if (operands !== undefined) for (const word of words) this.#textInWord(word, depth);
  }

  /** `watch 'rm x'`, `env -S'rm x'`, `ssh host 'rm x'`: a word that is a command line of its own. */
  #textInWord(word: ShellWord, depth: number): void {
    if (!/\s/.test(word.text) || depth > 10) return;
    const texts = word.text.startsWith("-")
      ? [word.text.slice(2), word.text.replace(/^[^=]*=/, "")]
      : [word.text];
    for (const text of texts)
      for (const command of parseShellLine(text).commands) this.#command(command, "wrapped", depth + 1);
  }

  /** `git -c alias.x='!cmd'`, `git rebase --exec cmd`, `git bisect run cmd`, `git submodule foreach cmd`. */
  #gitScripts(words: ShellWord[], depth: number): void {
    const rebases = words.some((word) => /^(?:rebase|difftool)$/.test(word.text));
    for (const [index, word] of words.entries()) {
      const joined =
        RUN_SETTING.exec(word.text)?.[1] ??
        GIT_RUNS.exec(word.text)?.[1] ??
        (rebases ? /^-x(.+)$/s.exec(word.text)?.[1] : undefined);
      if (joined !== undefined) this.#script(joined, "wrapped", depth);
      const alias = /^alias[.][^=]*=!?([\s\S]*)$/i.exec(word.text)?.[1];
      const before = words[index - 1]?.text ?? "";
      const script =
        alias !== undefined
          ? word.text.includes("=!")
            ? alias
            : `git ${alias}`
          : /^(?:-x|foreach|run|--recursive)$/.test(before) || GIT_RUNS.test(before)
            ? words
                .slice(index)
                .map((each) => each.text)
                .join(" ")
            : undefined;
      if (script !== undefined) this.#script(script, "wrapped", depth);
    }
  }
}

/**
 * Where what a sub-command of {@link RUNNERS} runs may begin. A word that is known only when it runs counts where no other one
 * is left: before that it is mostly a container, an image or the value of an option.
 */
function runnerOf(
  name: string,
  words: ShellWord[],
): { operands: number; starts: readonly number[] } | undefined {
  const known = RUNNERS.find(({ program }) => program.test(name));
  if (known === undefined) return undefined;
  // Before it there may be options, which may each take a word, and the name of a group.
  const at = words.findIndex(
    ({ text }, index) =>
      !/^[-+]/.test(text) &&
      !RUNNER_GROUP.test(text) &&
      (known.subCommand.test(text) || !/^-/.test(words[index - 1]?.text ?? "")),
  );
  if (at < 0 || !known.subCommand.test(words[at]!.text)) return undefined;
  const behind = at + 1;
  const starts = commandStarts(words.slice(behind), known.operands).map((index) => behind + index);
  const clear = starts.filter((index) => !isUnclearProgram(words[index]!));
  return { operands: known.operands, starts: clear.length > 0 ? clear : starts.slice(-1) };
}

/** Options of a shell, and what stands behind them. Options with a value keep it out of the operands. */
function shellWords(
  words: ShellWord[],
  anywhere: boolean,
): { options: ShellWord[]; operands: ShellWord[]; hasScript: boolean } {
  const options: ShellWord[] = [];
  const operands: ShellWord[] = [];
  let hasScript = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const isOption =
      /^[-+]./.test(word.text) &&
      (operands.length === 0 || (anywhere && /^(?:-c|--command(?:=.*)?)$/.test(word.text)));
    if (!isOption) {
      operands.push(word);
      continue;
    }
    options.push(word);
    if (/^-[A-Za-z]*c[A-Za-z]*$/.test(word.text) || word.text === "--command") {
      hasScript = true;
      operands.length = 0;
    } else if (word.text.startsWith("--command=")) {
      hasScript = true;
      operands.push({ ...word, text: word.text.slice("--command=".length) });
    } else if (/^[-+][A-Za-z]*[oO]$/.test(word.text) || /^--(?:rcfile|init-file)$/.test(word.text)) {
      const value = words[++index];
      if (value) options.push(value);
    }
  }
  return { options, operands, hasScript };
}

/**
 * Where a wrapped command may begin: behind options, which may each take one word, behind assignments, and behind at most
 * `operands` words of the wrapper's own (a duration, a host, a folder).
 */
function commandStarts(words: ShellWord[], operands: number): number[] {
  const starts: number[] = [];
  let left = operands;
  let afterOption = false;
  for (const [index, word] of words.entries()) {
    if (/^[-+]/.test(word.text)) {
      afterOption = word.text !== "--";
      continue;
    }
    if (/^[A-Za-z_]\w*=/.test(word.text)) continue;
    starts.push(index);
    if (!afterOption && left-- === 0) break;
    afterOption = false;
  }
  return starts;
}
