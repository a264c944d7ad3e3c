import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { executable, type Workspace, workspace } from "@pi-ts/testkit";
import { openSqliteStore } from "../store/sqlite/open-store.ts";
import { gitIn, makeRepository } from "./__fixtures__/project-folders.ts";
import { type IdentityOptions, identifyProject, type ProjectIdentity } from "./identify-project.ts";

/** No limit of time in tests: a slow machine finds the same. */
const PATIENT = 60_000;

function identify(space: Workspace, folder: string, options: IdentityOptions = {}): Promise<ProjectIdentity> {
  return identifyProject(folder, {
    home: space.home,
    environment: space.env(),
    timeoutMs: PATIENT,
    ...options,
  });
}

/** Opens a store, and gives which project a folder is, as it is now. */
async function resolver(space: Workspace) {
  let now = 1;
  const store = await openSqliteStore({ path: join(space.outside, "memory.db"), clock: { now: () => now } });
  return {
    resolve: async (folder: string, options?: IdentityOptions) => {
      const { aliases, evidence } = await identify(space, folder, options);
      return await store.state.resolveProject(aliases, evidence, now++);
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

test("a repository with a remote is the same project when it moves [R02] [C2]", async () => {
  await using space = await workspace();
  await using projects = await resolver(space);
  makeRepository(space, space.at("old"), "a", "git@github.com:acme/shop.git");
  const before = await projects.resolve(space.at("old"));
  renameSync(space.at("old"), space.at("new"));
  const after = await projects.resolve(space.at("new"));
  expect({ key: after.project.key, isNew: after.isNew }).toEqual({ key: before.project.key, isNew: false });
});

test("a repository without a remote that moves is new, and the old one is proposed by its first commit [R02] [C2]", async () => {
  await using space = await workspace();
  await using projects = await resolver(space);
  makeRepository(space, space.at("old"), "a");
  const before = await projects.resolve(space.at("old"));
  renameSync(space.at("old"), space.at("new"));
  const after = await projects.resolve(space.at("new"));
  expect(after.isNew).toBe(true);
  expect(after.proposals.map(({ project }) => project.key)).toEqual([before.project.key]);
});

test("an empty repository keeps its memories when the first commit comes, and so does a folder that becomes one [R02]", async () => {
  await using space = await workspace();
  await using projects = await resolver(space);
  mkdirSync(space.at("young"));
  const plain = await projects.resolve(space.at("young"));
  gitIn(space, space.at("young"), "init", "--quiet", "--initial-branch=main");
  const empty = await projects.resolve(space.at("young"));
  gitIn(space, space.at("young"), "commit", "--quiet", "--allow-empty", "--message", "first");
  const grown = await projects.resolve(space.at("young"));
  expect([empty.project.key, grown.project.key]).toEqual([plain.project.key, plain.project.key]);
});

test("another repository at the place of a deleted one is another project [R02]", async () => {
  await using space = await workspace();
  await using projects = await resolver(space);
  makeRepository(space, space.at("place"), "first");
  const before = await projects.resolve(space.at("place"));
  rmSync(space.at("place"), { recursive: true });
  makeRepository(space, space.at("place"), "second");
  const after = await projects.resolve(space.at("place"), {
    knownRootCommits: [before.project.evidence.rootCommit!],
  });
  expect(after.isNew).toBe(true);
  expect(after.project.key).not.toBe(before.project.key);
});

test("a first commit that is written anew makes no new project [R02]", async () => {
  await using space = await workspace();
  await using projects = await resolver(space);
  makeRepository(space, space.at("place"), "first");
  const before = await projects.resolve(space.at("place"));
  gitIn(space, space.at("place"), "commit", "--quiet", "--amend", "--message", "better words");
  const after = await projects.resolve(space.at("place"), {
    knownRootCommits: [before.project.evidence.rootCommit!],
  });
  expect(after.project.key).toBe(before.project.key);
});

test("a hostile repository runs nothing while it is identified [R02] [X01]", async () => {
  await using space = await workspace();
  const folder = makeRepository(space, space.at("evil"), "evil", "git@github.com:acme/evil.git");
  const run = join(folder, "run.sh");
  space.write("evil/run.sh", executable(`#!/bin/sh\ntouch "${space.outside}/ran"\n`));
  space.write("evil/git", executable(`#!/bin/sh\ntouch "${space.outside}/ran-git"\n`));
  for (const hook of ["post-index-change", "reference-transaction", "post-checkout"])
    space.write(`evil/.git/hooks/${hook}`, executable(`#!/bin/sh\n${run}\n`));
  space.write("evil/.git/more", `[core]\n\tfsmonitor = ${run}\n`);
  appendFileSync(
    join(folder, ".git", "config"),
    `[core]\n\tfsmonitor = ${run}\n\tpager = ${run}\n\tsshCommand = ${run}\n\talternateRefsCommand = ${run}\n` +
      `[pager]\n\trev-list = true\n[alias]\n\trev-list = !${run}\n[include]\n\tpath = more\n` +
      `[remote "lazy"]\n\turl = ext::${run}\n\tpromisor = true\n[extensions]\n\tpartialClone = lazy\n[core]\n\trepositoryFormatVersion = 1\n`,
  );
  const identity = await identify(space, folder, {
    environment: space.env({ PATH: `${folder}:.:${process.env["PATH"] ?? ""}` }),
    knownRootCommits: ["0123456789012345678901234567890123456789"],
  });
  expect(identity.aliases.map(({ kind }) => kind)).toEqual(["git-dir", "remote"]);
  expect(identity.evidence.rootCommit).toBeString();
  expect(space.snapshotOf("outside")).toEqual({});
});

test("variables such as GIT_DIR change nothing [R02]", async () => {
  await using space = await workspace();
  const victim = makeRepository(space, space.at("victim"), "victim");
  const folder = makeRepository(space, space.at("shop"), "shop");
  const without = await identify(space, folder);
  const variables = {
    GIT_DIR: join(victim, ".git"),
    GIT_WORK_TREE: victim,
    GIT_COMMON_DIR: join(victim, ".git"),
  };
  expect(await identify(space, folder, { environment: space.env(variables) })).toEqual(without);
});

test("without git the names are the same, and only the first commit is missing [R02]", async () => {
  await using space = await workspace();
  const folder = makeRepository(space, space.at("shop"), "shop", "git@github.com:acme/shop.git");
  const withGit = await identify(space, folder);
  const without = await identify(space, folder, { environment: { PATH: space.temp } });
  expect(without.aliases).toEqual(withGit.aliases);
  expect(without.evidence).toEqual({});
  expect(without.notes).toEqual(["git is not installed: the first commit is not known"]);
});

test("a git that does not answer costs its time and no more [R02]", async () => {
  await using space = await workspace({ "bin/git": executable("#!/bin/sh\nexec sleep 1000\n") });
  const folder = makeRepository(space, space.at("shop"), "shop");
  const identity = await identify(space, folder, {
    environment: space.env({ PATH: `${space.at("bin")}:${process.env["PATH"] ?? ""}` }),
    // Long enough to read git's files on any machine; two thirds go to the git that never answers.
    timeoutMs: 3_000,
  });
  expect(identity.aliases).toEqual([{ kind: "git-dir", value: join(folder, ".git") }]);
  expect(identity.evidence).toEqual({});
  expect(identity.notes).toEqual(["the first commit could not be told in time"]);
});

test("pipes in the place of git's files do not hold anybody up [R02] [X01]", async () => {
  await using space = await workspace();
  const folder = makeRepository(space, space.at("shop"), "shop");
  rmSync(join(folder, ".git", "config"));
  Bun.spawnSync(["mkfifo", join(folder, ".git", "config")]);
  mkdirSync(space.at("other"));
  Bun.spawnSync(["mkfifo", space.at("other/.git")]);
  const found = await Promise.all(
    [folder, space.at("other")].map((path) => identify(space, path, { environment: { PATH: space.temp } })),
  );
  expect(found.map(({ aliases }) => aliases)).toEqual([
    [{ kind: "git-dir", value: join(folder, ".git") }],
    [{ kind: "path", value: space.at("other") }],
  ]);
});

test("a shallow clone has no first commit to tell [R02]", async () => {
  await using space = await workspace();
  const folder = makeRepository(space, space.at("shop"), "shop");
  gitIn(space, space.path, "clone", "--quiet", "--depth=1", `file://${folder}`, space.at("shallow"));
  expect((await identify(space, space.at("shallow"))).evidence).toEqual({});
});

test("the first commit is that of the main line, also in a repository of SHA-256 [R02]", async () => {
  await using space = await workspace();
  const folder = space.at("sha256");
  mkdirSync(folder);
  gitIn(space, folder, "init", "--quiet", "--initial-branch=main", "--object-format=sha256");
  gitIn(space, folder, "commit", "--quiet", "--allow-empty", "--message", "one");
  const first = gitIn(space, folder, "rev-parse", "HEAD");
  gitIn(space, folder, "commit", "--quiet", "--allow-empty", "--message", "two");
  gitIn(space, folder, "checkout", "--quiet", "--orphan", "pages");
  gitIn(space, folder, "commit", "--quiet", "--allow-empty", "--message", "pages");
  gitIn(space, folder, "checkout", "--quiet", "main");
  gitIn(space, folder, "merge", "--quiet", "--allow-unrelated-histories", "--message", "join", "pages");
  gitIn(space, folder, "checkout", "--quiet", "pages");
  expect((await identify(space, folder)).evidence.rootCommit).toBe(first);
});

test("a host's id names the project, unless it is no id or a commit that forks share [R02] [C1] [C3]", async () => {
  await using space = await workspace();
  const folder = makeRepository(space, space.at("shop"), "shop");
  const commit = gitIn(space, folder, "rev-parse", "HEAD");
  const ids = ["abc", "0123456789012345678901234567890123456789", "global", " ", commit];
  const found = await Promise.all(
    ids.map(async (projectId) => {
      const { aliases } = await identify(space, folder, { host: { name: "opencode", projectId } });
      return aliases.flatMap(({ kind, value }) => (kind === "host" ? [value] : []));
    }),
  );
  expect(found).toEqual([
    ["opencode:abc"],
    ["opencode:0123456789012345678901234567890123456789"],
    [],
    [],
    [],
  ]);
});

test("a folder that is not there is known by where it would be [R02]", async () => {
  await using space = await workspace();
  const { aliases, notes } = await identify(space, space.at("a/b"));
  expect(aliases).toEqual([{ kind: "path", value: space.at("a/b") }]);
  expect(notes).toHaveLength(1);
});

test("a repository is called by its remote or its folder, and worktrees by the main one [R02]", async () => {
  await using space = await workspace();
  const folder = makeRepository(space, space.at("shop"), "shop");
  gitIn(space, folder, "worktree", "add", "--quiet", "-b", "x", space.at("elsewhere"));
  const named = makeRepository(space, space.at("folder"), "b", "git@github.com:acme/api.git");
  const found = await Promise.all(
    [folder, space.at("elsewhere"), named].map((path) => identify(space, path)),
  );
  expect(found.map(({ name }) => name)).toEqual(["shop", "shop", "api"]);
});
