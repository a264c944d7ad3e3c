import { isPiError, PiError } from "../../../contract/errors.ts";
import type { ProcessResult } from "../../../contract/process.ts";
import type { ToolContext } from "../../../contract/tool.ts";
import { neutralArguments } from "./untrusted-config.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** A git that runs nothing a repository asks for, takes no optional locks, and treats paths as plain names. */
export interface Git {
  /** Standard output as bytes; throws PiError `git_failed`, `git_timeout` when it does not end well. */
  run(words: readonly GitWord[], options?: { okCodes?: readonly number[] }): Promise<ProcessResult>;
  /** The same as text: bytes that are not UTF-8 become `\xNN` in names and content. */
  text(words: readonly GitWord[], options?: { okCodes?: readonly number[] }): Promise<string>;
}

/** An argument; a path that is no UTF-8 is given as its bytes. */
export type GitWord = string | Uint8Array;

const BASE = ["--no-pager", "--no-optional-locks", "--literal-pathspecs"];

/**
 * Nothing is fetched: a partial clone would ask its remote for a missing object, and a repository's own settings may say
 * that this is done by a command (`ext::`).
 */
const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C.UTF-8",
  GIT_EXTERNAL_DIFF: "",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // git refuses these beside our own --literal-pathspecs.
  GIT_GLOB_PATHSPECS: undefined,
  GIT_NOGLOB_PATHSPECS: undefined,
  GIT_ICASE_PATHSPECS: undefined,
  // Between its words a trace hides what went wrong.
  GIT_TRACE: undefined,
  GIT_TRACE2: undefined,
  GIT_TRACE_SETUP: undefined,
  GIT_TRACE_PERFORMANCE: undefined,
};

/**
 * Opens git for the project folder. Throws PiError `git_missing` (no git on this machine), `git_no_repository`, or
 * `git_failed` with git's own words (a repository of another owner, a broken one).
 */
export async function openGit(context: ToolContext): Promise<Git> {
  const listing = await execute(context, ["config", "--list", "--show-scope", "--name-only", "-z"]);
  const neutral = neutralArguments(new TextDecoder().decode(listing.stdout));
  const inside = await execute(context, [...neutral, "rev-parse", "--is-inside-work-tree"]);
  if (inside.code !== 0 || !startsWithTrue(inside.stdout)) throw await notARepository(context, inside);
  const run: Git["run"] = async (words, options) => {
    const result = await execute(context, [...neutral, ...words]);
    if ((options?.okCodes ?? [0]).includes(result.code ?? -1)) return result;
    throw callFailed(String(words[0] ?? ""), result);
  };
  return { run, text: async (words, options) => visibleBytes((await run(words, options)).stdout) };
}

async function execute(context: ToolContext, words: readonly GitWord[]): Promise<ProcessResult> {
  let result: ProcessResult;
  try {
    result = await context.processes.run(
      {
        argv: commandOf(["git", ...BASE, ...words]),
        cwd: context.cwd,
        env: ENVIRONMENT,
        label: `git ${words.find((word) => typeof word === "string" && /^[a-z]/.test(word) && !word.includes("=")) ?? ""}`,
      },
      { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal: context.signal },
    );
  } catch (error) {
    if (isPiError(error) && error.code === "process_missing")
      throw new PiError({
        code: "git_missing",
        message: "not looked: git is not installed on this machine",
        hint: "use read, grep and find instead",
        cause: error,
      });
    throw error;
  }
  if (result.aborted) throw new PiError({ code: "git_aborted", message: "git was interrupted" });
  if (result.timedOut)
    throw new PiError({
      code: "git_timeout",
      message: `git did not answer within ${TIMEOUT_MS / 1000} s and was ended`,
      hint: "the repository may be very large; narrow the question to one file, or use bash with a longer timeout",
    });
  return result;
}

/** We start programs with texts only: a shell's printf makes the bytes of the others. */
function commandOf(words: readonly GitWord[]): string[] {
  if (words.every((word) => typeof word === "string")) return [...words];
  const texts: string[] = [];
  const places = words.map((word) => {
    if (typeof word === "string") return `"\${${texts.push(word)}}"`;
    const octal = [...word].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
    return `"$(printf '${octal}')"`;
  });
  return ["/bin/sh", "-c", `exec ${places.join(" ")}`, "sh", ...texts];
}

function callFailed(command: string, result: ProcessResult): PiError {
  const words = said(result);
  if (/not allowed|lazy fetching disabled|promisor/.test(words))
    return new PiError({
      code: "git_failed",
      message: `git ${command} failed: an object is not in this repository (a partial clone?), and nothing is fetched here\n${words}`,
      hint: "use read for the present content, or bash for git itself",
    });
  return new PiError({
    code: "git_failed",
    message: `git ${command} failed: ${words || `exit code ${result.code ?? result.signal}`}`,
  });
}

async function notARepository(context: ToolContext, result: ProcessResult): Promise<PiError> {
  const words = said(result);
  const elsewhere = await namedElsewhere(context);
  if (elsewhere !== "")
    return new PiError({
      code: "git_failed",
      message: `git looks for the repository where the environment says, ${elsewhere}, and that is none for ${context.cwd}${words === "" ? "" : `: ${words}`}`,
      hint: "the user started pi with these variables; without them git finds the repository by itself (bash: env -u GIT_DIR -u GIT_WORK_TREE git status)",
    });
  if (/dubious ownership/.test(words))
    return new PiError({
      code: "git_failed",
      message: `git refuses this repository: ${words}`,
      hint: "only the user can allow it (git config --global --add safe.directory PATH)",
    });
  if (words !== "" && !/not a git repository|must be run in a work tree/.test(words))
    return new PiError({ code: "git_failed", message: `git cannot read this repository: ${words}` });
  if (words !== "" && hasDotGit(context))
    return new PiError({
      code: "git_failed",
      message: `there is a .git here, but git does not take it for a repository: ${words}`,
      hint: "it may be broken, or name a folder that is gone (a moved worktree or submodule)",
    });
  return new PiError({
    code: "git_no_repository",
    message: `${context.cwd} is not inside a git work tree`,
  });
}

/** The variables that keep git from looking for a repository where it is run, as `NAME=value`; "" without any. */
async function namedElsewhere(context: ToolContext): Promise<string> {
  if (process.platform === "win32") return "";
  const show = "env | grep -E '^GIT_(DIR|WORK_TREE)=.'";
  const { stdout } = await context.processes.run(
    { argv: ["/bin/sh", "-c", show], cwd: context.cwd, label: "sh" },
    { timeoutMs: TIMEOUT_MS, signal: context.signal },
  );
  return visibleBytes(stdout).trim().split("\n").join(" ");
}

function hasDotGit(context: ToolContext): boolean {
  try {
    return context.files.exists(".git");
  } catch {
    // a link that leads out of the project
    return true;
  }
}

function startsWithTrue(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes).trim() === "true";
}

function said(result: ProcessResult): string {
  return visibleBytes(result.stderr).trim().slice(0, 1_000);
}

/** UTF-8 as it is; other bytes as `\xNN`, so that nothing is silently replaced. */
function visibleBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return escapeInvalid(bytes);
  }
}

function escapeInvalid(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  let index = 0;
  while (index < bytes.length) {
    const lead = bytes[index]!;
    const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
    try {
      if (length === 0) throw new RangeError("not a lead byte");
      text += decoder.decode(bytes.subarray(index, index + length));
      index += length;
    } catch {
      text += `\\x${lead.toString(16).toUpperCase().padStart(2, "0")}`;
      index += 1;
    }
  }
  return text;
}
