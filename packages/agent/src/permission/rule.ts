import { errorMessage } from "../contract/errors.ts";
import { type CommandPattern, parseCommandPattern } from "./command-pattern.ts";
import { checkPathPattern } from "./path-pattern.ts";
import { wildcard } from "./wildcard.ts";

export type RuleList = "deny" | "ask" | "allow";

/** What a rule is about besides a tool: everything that it does, a command, or a file. */
export type RuleTarget =
  | { kind: "any" }
  | { kind: "command"; pattern: CommandPattern }
  | { kind: "path"; glob: string };

/** One line of `permissions.deny`, `.ask` or `.allow`, understood. */
export interface PermissionRule {
  list: RuleList;
  /** As written, trimmed. */
  text: string;
  /** A tool's name in lower case; `*` stands for any characters. */
  tool: string;
  target: RuleTarget;
  /** How narrow it is: of an ask rule and an allow rule that match one call the narrower one decides. */
  width: number;
  /** The rule is broken and stands for its whole tool, so that it fails closed. */
  broken?: true;
}

/** A rule that could not be understood, for people. */
export interface RuleProblem {
  list: RuleList;
  text: string;
  /** What is wrong, and what the rule does now. */
  message: string;
}

/** The tools whose rules may name a file, with the input that holds its path. */
export const PATH_INPUTS: Readonly<Record<string, string>> = {
  read: "file_path",
  write: "file_path",
  edit: "file_path",
  ls: "path",
  tree: "path",
  grep: "path",
  find: "path",
  "git-file-diff": "file",
  "git-hunk": "file",
  "lsp-diagnostics": "file",
  "lsp-symbols": "file",
  "lsp-definition": "file",
  "lsp-references": "file",
  "lsp-hover": "file",
};

const FORM = /^([A-Za-z0-9_.*-]+)(?:\(([\s\S]*)\))?$/;

/**
 * Reads one rule: `tool`, `tool(pattern)`, a tool name with `*`, or `*`. Throws an Error that says what is wrong. Patterns are
 * commands for `bash` (see {@link parseCommandPattern}) and globs for tools that take a file.
 */
export function parseRule(list: RuleList, given: string): PermissionRule {
  const text = given.trim();
  const match = FORM.exec(text);
  if (!match)
    throw new Error(
      text === ""
        ? "it is empty"
        : "it is not of the form tool or tool(pattern), such as bash(git status:*) or edit(src/**)",
    );
  const tool = match[1]!.toLowerCase();
  const pattern = match[2]?.trim();
  const rule = (target: RuleTarget, width: number): PermissionRule => ({ list, text, tool, target, width });
  if (pattern === undefined) return rule({ kind: "any" }, tool === "*" ? 0 : tool.includes("*") ? 1 : 2);
  if (pattern === "") throw new Error("its pattern is empty");
  if (tool === "bash") {
    const command = parseCommandPattern(pattern);
    return rule({ kind: "command", pattern: command }, commandWidth(command));
  }
  if (!Object.hasOwn(PATH_INPUTS, tool))
    throw new Error(
      tool.includes("*")
        ? "a tool name with * takes no pattern"
        : `rules on ${match[1]} take no pattern, only bash and tools on files do`,
    );
  checkPathPattern(pattern);
  return rule({ kind: "path", glob: pattern }, pathWidth(pattern));
}

/**
 * Reads all rules. One that is broken is reported; a broken deny or ask rule then counts for its whole tool (for every tool
 * where its name cannot be read either), a broken allow rule for nothing.
 */
export function parseRules(lists: Readonly<Record<RuleList, readonly string[]>>): {
  rules: PermissionRule[];
  problems: RuleProblem[];
} {
  const rules: PermissionRule[] = [];
  const problems: RuleProblem[] = [];
  for (const list of ["deny", "ask", "allow"] as const)
    for (const given of lists[list]) {
      try {
        rules.push(parseRule(list, given));
      } catch (thrown) {
        const tool = /^\s*([A-Za-z0-9_.*-]+)/.exec(given)?.[1]?.toLowerCase() ?? "*";
        const effect =
          list === "allow"
            ? "It is ignored."
            : `Until it is corrected it counts for ${tool === "*" ? "every tool" : `all calls of ${tool}`}.`;
        const message = `The permission rule ${list} ${JSON.stringify(given)} is broken: ${errorMessage(thrown)}. ${effect}`;
        problems.push({ list, text: given, message });
        if (list !== "allow")
          rules.push({ list, text: given.trim(), tool, target: { kind: "any" }, width: 1_000, broken: true });
      }
    }
  return { rules, problems };
}

/** Whether the rule names this tool. */
export function namesTool(rule: PermissionRule, tool: string): boolean {
  const name = tool.toLowerCase();
  if (!rule.tool.includes("*")) return rule.tool === name;
  return wildcard(rule.tool).test(name);
}

function commandWidth(pattern: CommandPattern): number {
  if (pattern.words.length === 0) return 3;
  const certain = pattern.words.filter((word) => word.expression === undefined).length;
  return 10 + 2 * certain + (pattern.prefix || certain < pattern.words.length ? 0 : 1);
}

function pathWidth(glob: string): number {
  const segments = glob.split("/").filter((segment) => segment !== "");
  const certain = segments.filter((segment) => !/[*?[]/.test(segment)).length;
  return 10 + 2 * certain + (certain === segments.length ? 1 : 0);
}
