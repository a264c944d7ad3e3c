import { type ProgramRun, programName, runsOthers } from "../platform/shell-syntax/programs-run.ts";
import type { ShellCommand } from "../platform/shell-syntax/shell-line.ts";
import { type CommandPattern, covers } from "./command-pattern.ts";
import { harmlessVariable, looksLikeOption } from "./command-words.ts";
import type { PathPatterns } from "./path-pattern.ts";
import { namesTool, type PermissionRule } from "./rule.ts";
import type { TouchedFile } from "./shell-files.ts";

/** The allow rules that cover one part of a line; a program that runs another must be named together with what it runs. */
export function covering(
  run: ProgramRun,
  runs: readonly ProgramRun[],
  allowed: readonly PermissionRule[],
): PermissionRule[] {
  const inner = plainInner(run.command);
  const wraps = runs.some((other) => other.owner === run);
  return allowed.filter((rule) => {
    if (!namesTool(rule, "bash") || rule.target.kind === "path") return false;
    if (rule.target.kind === "any") return true;
    const { pattern } = rule.target;
    if (onlyRedirects(run.command)) return true;
    if (inner && (!runsOthers(programOf(inner)) || namesInner(pattern)) && covers(pattern, inner))
      return true;
    if (wraps && !namesInner(pattern)) return pattern.words.length === 0;
    return covers(pattern, run.command);
  });
}

/** Where systems keep their programs: a shell anywhere else may be any program. */
const SYSTEM_PROGRAM = /^(?:\/(?:usr\/(?:local\/)?)?bin\/)?[a-z]+$/;

/**
 * Whether a command is no more than the script that it hands over, so that the parts of that need a rule and it needs none: a
 * file of the project that is called bash, or a variable such as BASH_ENV or PATH before it, may run something else.
 */
export function standsForItsScript({ command, transparent }: ProgramRun): boolean {
  const [program] = command.words;
  return (
    transparent === true &&
    program?.kind === "literal" &&
    SYSTEM_PROGRAM.test(program.text) &&
    command.assignments.every(harmlessVariable)
  );
}

/** `sudo apt-get:*` names what is run, `sudo:*` does not; a rule without `:*` names all of it. */
function namesInner(pattern: CommandPattern): boolean {
  return !pattern.prefix || pattern.words.filter((word) => !looksLikeOption(word.text)).length > 1;
}

/** Redirections of a compound command; what they write is judged apart. */
function onlyRedirects(command: ShellCommand): boolean {
  return command.words.length === 0 && command.assignments.every(harmlessVariable);
}

/** What `timeout 5`, `nohup`, `nice -n 5`, `command` and `env A=1` run, in their plain forms. */
function plainInner(command: ShellCommand): ShellCommand | undefined {
  const words = [...command.words];
  const assignments = [...command.assignments];
  let changed = false;
  for (;;) {
    if (words[0]?.kind !== "literal") return undefined;
    const [name, second, third] = words.map((word) => (word.kind === "literal" ? word.text : undefined));
    if (name === "timeout" && second !== undefined && /^\d+(?:[.]\d+)?[smhd]?$/.test(second))
      words.splice(0, 2);
    else if (name === "nice" && second === "-n" && /^\d+$/.test(third ?? "")) words.splice(0, 3);
    else if (/^(?:nohup|nice|command)$/.test(name ?? "") && second !== undefined && !looksLikeOption(second))
      words.splice(0, 1);
    else if (name === "env" && /^[A-Za-z_]\w*=/.test(second ?? "")) {
      words.shift();
      for (let match: RegExpExecArray | null; words[0]?.kind === "literal"; words.shift()) {
        match = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(words[0].text);
        if (!match) break;
        const value = { ...words[0], text: match[2]!, fixed: match[2]! };
        assignments.push({ name: match[1]!, value });
      }
    } else break;
    changed = true;
  }
  return changed && words.length > 0 ? { ...command, words, assignments } : undefined;
}

/** Whether every file that the shell opens for writing is allowed to be written. What is read needs no rule. */
export function writesCovered(
  files: readonly TouchedFile[],
  allowed: readonly PermissionRule[],
  patterns: PathPatterns,
): boolean {
  return files.every((file) => {
    if (!file.redirected) return true;
    if (file.paths.length === 0 || file.shapes.length > 0) return false;
    if (file.access === "read") return true;
    return file.paths.every((path) =>
      allowed.some((rule) => {
        if (!namesTool(rule, "write")) return false;
        if (rule.target.kind === "path") return patterns.covers(rule.target.glob, path);
        return rule.target.kind === "any" && patterns.inProject(path) !== null;
      }),
    );
  });
}

/** The name under which a program is known, for lists of programs. */
export function programOf(command: ShellCommand): string {
  return programName(command.words[0]);
}
