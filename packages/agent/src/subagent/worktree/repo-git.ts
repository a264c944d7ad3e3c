import { isPiError, PiError } from "../../contract/errors.ts";
import type { ProcessDoor } from "../../contract/process.ts";
import type { Clock } from "../../contract/services.ts";
import { runBounded } from "../../platform/processes/bounded-run.ts";
import { OF_NO_REPOSITORY } from "../../platform/repository-variables.ts";

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** Nothing is fetched, asked or signed; no optional lock is taken; large files of LFS stay pointers. */
const ENVIRONMENT = {
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C.UTF-8",
  GIT_EXTERNAL_DIFF: "",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_LFS_SKIP_SMUDGE: "1",
} as const;

/** Who makes commits of ours: the user's name is for what the user commits. */
const AUTHOR = {
  GIT_AUTHOR_NAME: "pi",
  GIT_AUTHOR_EMAIL: "pi@localhost",
  GIT_COMMITTER_NAME: "pi",
  GIT_COMMITTER_EMAIL: "pi@localhost",
} as const;

const BASE = [
  "--no-pager",
  "--literal-pathspecs",
  "-c",
  "core.splitIndex=false",
  "-c",
  // Mixed line ends are nothing to stop at.
  "core.safecrlf=false",
  "-c",
  "advice.addEmbeddedRepo=false",
];

export interface GitOptions {
  env?: Readonly<Record<string, string>>;
  stdin?: Uint8Array;
  okCodes?: readonly number[];
}

export interface GitAnswer {
  code: number;
  stdout: Uint8Array;
  stderr: string;
}

/** What git is run with. */
export interface GitParts {
  processes: ProcessDoor;
  clock: Clock;
  /** `-c` arguments that take from a repository's own settings (`git config --list --show-scope --name-only -z`) what could run a program. */
  neutralArguments(listing: string): string[];
}

/** Git in one folder, which runs nothing that the repository asks for. */
export class RepoGit {
  readonly folder: string;
  readonly #parts: GitParts;
  readonly #environment: Readonly<Record<string, string>>;
  #neutral: Promise<string[]> | undefined;

  /** `environment`: e.g. GIT_DIR and GIT_WORK_TREE, where the folder itself cannot be trusted to name its repository. */
  constructor(parts: GitParts, folder: string, environment: Readonly<Record<string, string>> = {}) {
    this.#parts = parts;
    this.folder = folder;
    this.#environment = environment;
  }

  /** The same repository for another folder or index. */
  with(folder: string, environment: Readonly<Record<string, string>>): RepoGit {
    return new RepoGit(this.#parts, folder, { ...this.#environment, ...environment });
  }

  /** Runs git; throws PiError `git_missing`, `git_timeout` or `git_failed` (with git's words). */
  async run(words: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    this.#neutral ??= this.#readNeutral();
    const answer = await this.#execute([...(await this.#neutral), ...words], options);
    if ((options.okCodes ?? [0]).includes(answer.code)) return answer;
    throw new PiError({
      code: "git_failed",
      message: `git ${words[0]} failed: ${answer.stderr.trim().slice(0, 1_000) || `exit code ${answer.code}`}`,
    });
  }

  /** The same as text without its last line break. */
  async text(words: readonly string[], options?: GitOptions): Promise<string> {
    return decode((await this.run(words, options)).stdout).replace(/\n$/, "");
  }

  /** The object that a name stands for, or null. */
  async find(name: string): Promise<string | null> {
    const found = await this.run(["rev-parse", "--quiet", "--verify", name], { okCodes: [0, 1, 128] });
    return found.code === 0 ? decode(found.stdout).trim() : null;
  }

  /** A commit of ours: no hook, no signature, and no branch moves. */
  async commit(tree: string, parents: readonly string[], message: string): Promise<string> {
    const words = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
    return await this.text(words, { env: AUTHOR, stdin: new TextEncoder().encode(message) });
  }

  async #readNeutral(): Promise<string[]> {
    const listing = await this.#execute(["config", "--list", "--show-scope", "--name-only", "-z"], {});
    return this.#parts.neutralArguments(decode(listing.stdout));
  }

  async #execute(words: readonly string[], { env, stdin }: GitOptions): Promise<GitAnswer> {
    const { processes, clock } = this.#parts;
    try {
      const child = processes.start({
        argv: ["git", ...BASE, ...words],
        cwd: this.folder,
        // Started from a hook of git, we would otherwise write the user's index and branch from every copy.
        env: { ...OF_NO_REPOSITORY, ...ENVIRONMENT, ...this.#environment, ...env },
        stdin: stdin ?? "ignore",
        label: "git",
      });
      const result = await runBounded(child, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }, clock);
      if (result.timedOut || result.truncated)
        throw new PiError({
          code: "git_timeout",
          message: result.timedOut
            ? `git did not answer within ${TIMEOUT_MS / 1_000} s and was ended`
            : `git's answer is larger than ${MAX_BYTES / 1024 / 1024} MB`,
        });
      return { code: result.code ?? -1, stdout: result.stdout, stderr: decode(result.stderr) };
    } catch (thrown) {
      if (!isPiError(thrown) || thrown.code !== "process_missing") throw thrown;
      throw new PiError({
        code: "git_missing",
        message: "git is not installed on this machine",
        cause: thrown,
      });
    }
  }
}

/** Bytes as text. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The fields of a list that ends each with a NUL. */
export function fieldsOf(bytes: Uint8Array): string[] {
  return decode(bytes).split("\0").slice(0, -1);
}
