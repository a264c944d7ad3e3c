import { programName } from "../platform/shell-syntax/programs-run.ts";
import type { ShellAssignment, ShellWord } from "../platform/shell-syntax/shell-line.ts";

/** Whether a word is an option. A dash alone is a file name. */
export function looksLikeOption(text: string): boolean {
  return /^[-+]./.test(text);
}

/** Variables that change how a program shows something, and nothing that it does. */
const HARMLESS =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT|HUSKY|TERM)$/;

/** Whether an allow rule may overlook this variable before a command. */
export function harmlessVariable({ name, value }: ShellAssignment): boolean {
  return value.kind === "literal" && HARMLESS.test(name);
}

/** Short forms of long options that programs share. */
const SHORT: Readonly<Record<string, string>> = {
  "--force": "f",
  "--recursive": "rR",
  "--delete": "dD",
  "--no-verify": "n",
  "--interactive": "i",
  "--in-place": "i",
};

/** Whether a command has an option, in whichever form: joined, with a value, shortened, long for short. */
export function hasOption(words: readonly ShellWord[], option: string): boolean {
  const given = words.map((word) => word.text).filter(looksLikeOption);
  if (given.includes(option)) return true;
  if (option.startsWith("--")) {
    const short = SHORT[option] ?? "";
    return given.some(
      (word) =>
        word.startsWith(`${option}=`) ||
        (/^--../.test(word) && option.startsWith(word.replace(/=.*$/, ""))) ||
        (isCluster(word) && [...short].some((letter) => word.includes(letter))),
    );
  }
  if (!isCluster(option) || option.length > 5) return false;
  return [...option.slice(1)].every((letter) => given.some((word) => hasLetter(word, letter)));
}

function isCluster(word: string): boolean {
  return /^-[A-Za-z0-9]+$/.test(word);
}

function hasLetter(word: string, letter: string): boolean {
  if (isCluster(word)) return word.slice(1).toLowerCase().includes(letter.toLowerCase());
  return Object.entries(SHORT).some(
    ([long, short]) => short.includes(letter) && /^--../.test(word) && long.startsWith(word),
  );
}

interface RiskyOptions {
  /** Long options without their dashes; shortened forms count too. */
  long?: string;
  /** Short options and operands. */
  short?: RegExp;
  /** What makes the first operand one that runs or writes: a script. */
  script?: RegExp;
  /** Options that count only before the first operand. */
  global?: RegExp;
}

/** A script of sed with a command `e` or `w`, behind an address or as a flag of `s` with whatever delimiter. */
const SED_RUNS_OR_WRITES =
  /(?:^|[;\n{}/])\s*[we]\b|[\d$!]\s*[weW](?:\b|[^\w])|\/[gpI0-9]*[we]|s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gpImM\d]*[we]/s;

/** Options with which a harmless-looking command runs another program, loads code or writes a file. */
const RISKY: Readonly<Record<string, RiskyOptions>> = {
  git: {
    long: "output ext-diff textconv exec exec-path upload-pack receive-pack open-files-in-pager config-env git-dir work-tree template",
    short: /^-O/,
    global: /^-[cCp]/,
  },
  find: { short: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/ },
  fd: { long: "exec exec-batch", short: /^-[xX]/ },
  fdfind: { long: "exec exec-batch", short: /^-[xX]/ },
  rg: { long: "pre hostname-bin" },
  sort: { long: "output compress-program temporary-directory", short: /^-[A-Za-z]*[oT]/ },
  tar: {
    long: "to-command checkpoint-action use-compress-program rsh-command rmt-command info-script new-volume-script",
    short: /^-?[A-Za-z]*[IF]/,
  },
  sed: { long: "in-place file expression", short: /^-[A-Za-z]*[ife]/, script: SED_RUNS_OR_WRITES },
  awk: { long: "file include load in-place", short: /^-[fil]|system|\||>/ },
  gawk: { long: "file include load in-place", short: /^-[fil]|system|\||>/ },
  less: { long: "log-file LOG-FILE", short: /^-[A-Za-z]*[oO]|^\+/ },
  man: { long: "pager html", short: /^-[PH]/ },
  tree: { short: /^-o/ },
  curl: {
    long: "output remote-name config upload-file data form dump-header cookie-jar",
    short: /^-[A-Za-z]*[oOKTdFDc]/,
  },
  wget: {
    long: "output-document directory-prefix post-file use-askpass execute config",
    short: /^-[A-Za-z]*[OPe]/,
  },
  go: { short: /^-?-(?:exec|toolexec|o|vettool|modfile|overlay)(?:=|$)/ },
  npm: { long: "node-options script-shell prefix userconfig" },
  node: { long: "eval print require import loader experimental-loader", short: /^-[epr]/ },
  bun: { long: "eval print preload require import", short: /^-[epr]/ },
  python: { short: /^-[A-Za-z]*c/ },
  python3: { short: /^-[A-Za-z]*c/ },
  perl: { short: /^-[A-Za-z]*[eEiI]/ },
  ruby: { short: /^-[A-Za-z]*[eriI]/ },
  make: { long: "file makefile directory eval include-dir", short: /^-[fCI]|^[A-Z_]+=/ },
  cargo: { long: "config manifest-path", short: /^-Z/ },
  ssh: { short: /^-[A-Za-z]*[oFIS]/ },
  rsync: { long: "rsh rsync-path", short: /^-[A-Za-z]*e/ },
  date: { long: "set", short: /^-s/ },
  xxd: { short: /^-r/ },
};

/** Whether the command has such an option that the rule itself does not name. */
export function risksMore(words: readonly ShellWord[], named: readonly string[]): boolean {
  const risky = RISKY[programName(words[0])];
  if (!risky) return false;
  const long = (risky.long ?? "").split(" ").filter((name) => name !== "");
  let global = true;
  for (const { text } of words.slice(1)) {
    // `sed -l 5 SCRIPT`: a number alone is no script.
    const isFirst = global && !looksLikeOption(text) && !/^\d+$/.test(text);
    if (isFirst) global = false;
    if (named.includes(text)) continue;
    if (isFirst && risky.script?.test(text)) return true;
    if (risky.short?.test(text) || (global && risky.global?.test(text))) return true;
    const name = /^--([^=]{2,})/.exec(text)?.[1];
    if (name !== undefined && long.some((option) => option.startsWith(name))) return true;
  }
  return false;
}
