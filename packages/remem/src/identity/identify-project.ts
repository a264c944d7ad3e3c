import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { ProjectAlias, ProjectEvidence } from "../core/ports/engine-state.ts";
import { type Deadline, deadline } from "./deadline.ts";
import { hasCommits, holdsCommit, isShallow, rootCommit, tracks } from "./git/commits.ts";
import { configRemotes, mainRemote } from "./git/config-remotes.ts";
import { type FoundRepository, findRepository } from "./git/find-repository.ts";
import { findGit, type Git, isWithin } from "./git/git-program.ts";
import { remoteAlias } from "./git/remote-alias.ts";
import { type RootMemo, repositoryStamp } from "./git/root-memo.ts";
import { readSmallFile } from "./git/small-file.ts";

export interface IdentityOptions {
  /** What the host calls this project, if it has an id of its own. */
  readonly host?: { readonly name: string; readonly projectId: string };
  /** Root commits that the store knows of projects at this place: one that the repository still holds stays its evidence (a rewritten history is no new project). */
  readonly knownRootCommits?: readonly string[];
  /** Where first commits are kept; without it git is asked each time. */
  readonly roots?: RootMemo;
  /** The user's home folder. Default: of the system. */
  readonly home?: string;
  /** Where `PATH` is read from. Default: the process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for all lookups together. Default 300. */
  readonly timeoutMs?: number;
}

/** How a folder is known, and what tells projects at one place apart. */
export interface ProjectIdentity {
  /** The surest first; never empty. */
  readonly aliases: readonly ProjectAlias[];
  readonly evidence: ProjectEvidence;
  /** The top folder of the working tree; outside of git the folder itself. */
  readonly root: string;
  /** A short name for people: of the remote, else of the folder. Never used to compare. */
  readonly name: string;
  /** What was found odd or could not be looked up, in sentences for people. */
  readonly notes: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 300;
/** So much of the time at most goes to the root commit (200 ms of the usual 300): on a huge history it is left out. */
const ROOT_COMMIT_SHARE = 2 / 3;
/** What a host calls everything that it cannot tell apart. */
const NO_IDS = new Set(["", "global", "default", "unknown"]);

/**
 * Tells how the project of a folder is known. Reads the files of git itself and runs git only for commits and the index, with
 * everything switched off that a repository could make it run. Never rejects; what fails or takes too long is left out and noted.
 *
 * A repository at the home folder (or above it) is the project of what it really tracks: a folder below that holds no tracked file
 * is on its own, or keeping dotfiles in git would make one project of everything.
 */
export async function identifyProject(cwd: string, options: IdentityOptions = {}): Promise<ProjectIdentity> {
  const time = deadline(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const notes: string[] = [];
  const folder = await realFolder(resolve(cwd), time, notes);
  const search = await time.within(() => findRepository(folder), null);
  if (search === null) notes.push(`${folder} did not answer in time; it is known by its path only`);
  if (search?.found === "doubtful")
    notes.push(`${search.root} is not joined to its repository: ${search.why}`);
  if (search?.found === "repository") {
    const identity = await inRepository(folder, search.repository, options, time, notes);
    if (identity !== null) return identity;
  }
  const root = search?.found === "doubtful" ? search.root : folder;
  const aliases: ProjectAlias[] = [...hostAlias(options.host), pathAlias(root)];
  return { aliases, evidence: {}, root, name: nameOf(root), notes };
}

/** Null: the folder lies below a repository that does not track it. */
async function inRepository(
  folder: string,
  repository: FoundRepository,
  options: IdentityOptions,
  time: Deadline,
  notes: string[],
): Promise<ProjectIdentity | null> {
  const { root, gitDir, commonDir } = repository;
  const environment = options.environment ?? process.env;
  const gitFor = (dir: string): Promise<Git | undefined> =>
    time.within(() => findGit({ gitDir: dir, untrusted: [root, commonDir], environment }), undefined);
  if (folder !== root && (await holdsHome(root, options.home ?? homedir(), time))) {
    const git = await gitFor(gitDir);
    const within = relative(root, folder).replaceAll("\\", "/");
    if (git === undefined || !(await time.within(() => tracks(git, root, within, time.remaining()), false))) {
      notes.push(
        `the repository at ${root} holds the home folder and tracks nothing in ${folder}: it is on its own`,
      );
      return null;
    }
  }
  const config = await time.within(() => readSmallFile(join(commonDir, "config")), null);
  const url = mainRemote(configRemotes(config ?? ""));
  const remote = url === undefined ? undefined : remoteAlias(url);
  if (config === null) notes.push(`${join(commonDir, "config")} could not be read`);
  const committed = await time.within(() => hasCommits(repository), true);
  const stamp = committed && options.roots !== undefined ? await repositoryStamp(commonDir) : undefined;
  const kept =
    stamp === undefined ? undefined : await time.within(() => options.roots!.read(stamp), undefined);
  const asksGit = committed && (kept === undefined || options.host !== undefined);
  const git = asksGit ? await gitFor(commonDir) : undefined;
  if (asksGit && git === undefined) notes.push("git is not installed: the first commit is not known");
  const evidence =
    kept !== undefined && !(await time.within(() => isShallow(commonDir), true))
      ? { rootCommit: kept }
      : git === undefined
        ? {}
        : await evidenceOf(git, commonDir, options, time, notes);
  if (stamp !== undefined && kept === undefined && evidence.rootCommit !== undefined)
    await options.roots?.keep(stamp, evidence.rootCommit);
  const host = await ownHostAlias(options.host, git, time, notes);
  const aliases: ProjectAlias[] = [
    { kind: "git-dir", value: placeOf(commonDir) },
    ...host,
    ...(remote === undefined ? [] : [{ kind: "remote", value: remote } as const]),
    ...(committed ? [] : [pathAlias(root)]),
  ];
  return {
    aliases,
    evidence,
    root,
    name: remote === undefined ? repositoryName(repository) : nameOf(remote),
    notes,
  };
}

async function evidenceOf(
  git: Git,
  commonDir: string,
  options: IdentityOptions,
  time: Deadline,
  notes: string[],
): Promise<ProjectEvidence> {
  if (await time.within(() => isShallow(commonDir), true)) return {};
  const share = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) * ROOT_COMMIT_SHARE;
  const own = deadline(Math.min(share, time.remaining()));
  for (const known of options.knownRootCommits ?? [])
    if (await own.within(() => holdsCommit(git, known, own.remaining()), false)) return { rootCommit: known };
  const commit = await own.within(() => rootCommit(git, own.remaining), undefined);
  if (commit === undefined) notes.push("the first commit could not be told in time");
  return commit === undefined ? {} : { rootCommit: commit };
}

/**
 * A host's id, unless it is a commit: OpenCode calls a repository without a remote by its first commit, and then all that grew from
 * one template or fork would be one project.
 */
async function ownHostAlias(
  host: IdentityOptions["host"],
  git: Git | undefined,
  time: Deadline,
  notes: string[],
): Promise<ProjectAlias[]> {
  const aliases = hostAlias(host);
  if (host === undefined || aliases.length === 0 || !/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(host.projectId))
    return aliases;
  const isCommit =
    git === undefined || (await time.within(() => holdsCommit(git, host.projectId, time.remaining()), true));
  if (isCommit) notes.push(`${host.name} calls this project by a commit, which others may share: not used`);
  return isCommit ? [] : aliases;
}

function hostAlias(host: IdentityOptions["host"]): ProjectAlias[] {
  return host === undefined || NO_IDS.has(host.projectId.trim().toLowerCase())
    ? []
    : [{ kind: "host", value: `${host.name}:${host.projectId.trim()}` }];
}

/** The folder without links and in the case that its file system knows it by; as it was named when it does not answer. */
async function realFolder(folder: string, time: Deadline, notes: string[]): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const real = await time.within(() => realpath(at), null);
    if (real !== null) return at === folder ? real : join(real, relative(at, folder));
    if (at === folder) notes.push(`${folder} is not there, or did not answer`);
    if (dirname(at) === at || time.remaining() === 0) return folder;
  }
}

async function holdsHome(root: string, home: string, time: Deadline): Promise<boolean> {
  const real = await time.within(() => realpath(home), home);
  return isWithin(real, root);
}

function pathAlias(folder: string): ProjectAlias {
  return { kind: "path", value: placeOf(folder) };
}

/** A path in one form: `/` between parts, drives in upper case. */
function placeOf(path: string): string {
  if (process.platform !== "win32") return path;
  return path.replaceAll("\\", "/").replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

function nameOf(path: string): string {
  return basename(path) || path;
}

/** Of the main working tree, so that linked ones have the same; of a bare repository without its ending. */
function repositoryName({ root, gitDir, commonDir }: FoundRepository): string {
  if (gitDir === commonDir && basename(commonDir) === ".git") return nameOf(root);
  if (basename(commonDir) === ".git") return nameOf(dirname(commonDir));
  return gitDir === commonDir && root !== commonDir ? nameOf(root) : nameOf(commonDir).replace(/\.git$/, "");
}
