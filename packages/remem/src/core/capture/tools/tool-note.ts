import type { MemoryKind } from "../../memory/record.ts";
import type { ToolInput } from "../observation.ts";
import { firstErrorLine, shorten } from "./error-line.ts";
import { callCommand, callPaths, notedPaths, toolRole } from "./tool-call.ts";

/** What is kept of one tool call. */
export interface ToolNote {
  readonly kind: Extract<MemoryKind, "toolnote" | "bugfix" | "feature" | "refactor" | "discovery" | "change">;
  readonly title: string;
  /** At most LONGEST_NOTE letters, whatever the call printed. */
  readonly text: string;
  readonly files: readonly string[];
  /** Calls of one session with the same key say the same once more: the tenth edit of a file, the same failure again. */
  readonly sameAs: string;
}

export const LONGEST_NOTE = 400;
const LONGEST_TITLE = 100;
const LONGEST_COMMAND = 160;

/** What a commit's message says it is, after the usual prefixes and verbs. */
const COMMIT_KINDS: readonly (readonly [ToolNote["kind"], RegExp])[] = [
  ["bugfix", /^(fix|bugfix|hotfix)(\(|!|:|\b)/iu],
  ["feature", /^(feat|feature|add|implement|support)(\(|!|:|\b)/iu],
  ["refactor", /^(refactor|rename|extract|simplify|clean ?up|move|split)(\(|!|:|\b)/iu],
];
const COMMIT = /\bgit\b[^|;&\n]*\bcommit\b[^|;&\n]*?(?:-[a-z]*m|--message)[ =]?(["'])(?<message>[\s\S]*?)\1/u;

/**
 * The note of a tool call, by rule: tool, paths, exit code, first error line, diff stat; never the output. Undefined for a call
 * that left nothing worth a note: one that only looked and found what it looked for.
 */
export function noteOf(call: ToolInput): ToolNote | undefined {
  const role = toolRole(call.tool);
  const paths = notedPaths(callPaths(call));
  const failed = call.failed || (call.exitCode !== undefined && call.exitCode !== 0);
  if (role === "memory") return undefined;
  if (role === "inspect" && !failed) return undefined;
  const command = callCommand(call.input);
  const error = failed ? firstErrorLine(call.output) : undefined;
  const commit = failed ? undefined : COMMIT.exec(command)?.groups?.["message"];
  const line = commit === undefined ? undefined : commit.trim().split("\n", 1)[0];
  const about = command === "" ? paths.join(", ") : shorten(command, LONGEST_COMMAND);
  const parts = [
    `${call.tool}${about === "" ? "" : `: ${about}`}`,
    ...(command === "" || paths.length === 0 ? [] : [`files: ${paths.join(", ")}`]),
    ...(call.diff === undefined ? [] : [`+${call.diff.added} -${call.diff.removed}`]),
    ...(call.exitCode === undefined ? [] : [`exit ${call.exitCode}`]),
    ...(failed && call.exitCode === undefined ? ["failed"] : []),
    ...(error === undefined ? [] : [`error: ${error}`]),
  ];
  return {
    kind: kindOf(role, failed, error, line),
    title: shorten(line ?? title(call.tool, role, about, failed), LONGEST_TITLE),
    text: shorten(parts.join(" | "), LONGEST_NOTE),
    files: paths,
    sameAs:
      role === "edit" && !failed
        ? `edit ${paths.join("\n")}`
        : [call.tool, about, call.exitCode ?? "", failed, error ?? ""].join("\n"),
  };
}

function kindOf(
  role: ReturnType<typeof toolRole>,
  failed: boolean,
  error: string | undefined,
  commit: string | undefined,
): ToolNote["kind"] {
  if (commit !== undefined) return COMMIT_KINDS.find(([, pattern]) => pattern.test(commit))?.[0] ?? "change";
  if (failed) return error === undefined ? "toolnote" : "discovery";
  return role === "edit" ? "change" : "toolnote";
}

function title(tool: string, role: ReturnType<typeof toolRole>, about: string, failed: boolean): string {
  if (failed) return `${tool} failed${about === "" ? "" : `: ${about}`}`;
  return role === "edit" && about !== "" ? `changed ${about}` : `${tool}${about === "" ? "" : ` ${about}`}`;
}
