import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { execFileSync } from "node:child_process";

/** A folder, and which project it belongs to: folders of one project share its memories, and no others do. */
export interface ProjectFolder {
  readonly label: string;
  readonly project: string;
  readonly path: string;
}

/** Runs git in a folder as the workspace's user. */
export function gitIn(space: Workspace, folder: string, ...words: string[]): string {
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...words], {
    cwd: folder,
    env: space.env(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** A repository with one commit whose root depends on `seed`. */
export function makeRepository(space: Workspace, folder: string, seed: string, remote?: string): string {
  mkdirSync(folder, { recursive: true });
  gitIn(space, folder, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(folder, "seed.txt"), seed);
  gitIn(space, folder, "add", "--all");
  gitIn(space, folder, "commit", "--quiet", "--message", `begin ${seed}`);
  if (remote !== undefined) gitIn(space, folder, "remote", "add", "origin", remote);
  return folder;
}

/** Real folders of every kind: in git and outside, worktrees, clones, forks, templates, submodules, a home in git, hostile ones. */
export function makeProjectFolders(space: Workspace): ProjectFolder[] {
  const at = (...parts: string[]): string => join(space.path, ...parts);
  const git = (folder: string, ...words: string[]): string => gitIn(space, folder, ...words);
  const folders: ProjectFolder[] = [];
  const add = (project: string, label: string, path: string): string => {
    folders.push({ project, label, path });
    return path;
  };
  const plain = (...parts: string[]): string => {
    mkdirSync(at(...parts), { recursive: true });
    return at(...parts);
  };

  const shop = add("shop", "repository", makeRepository(space, at("shop"), "shop", "git@github.com:Acme/Shop.git"));
  add("shop", "folder within", plain("shop", "packages", "ui"));
  git(shop, "worktree", "add", "--quiet", "-b", "feature", at("shop-feature"));
  add("shop", "linked worktree", at("shop-feature"));
  git(shop, "worktree", "add", "--quiet", "--detach", at("shop-pages"));
  git(at("shop-pages"), "checkout", "--quiet", "--orphan", "gh-pages");
  git(at("shop-pages"), "commit", "--quiet", "--message", "pages");
  add("shop", "worktree of a branch without a past", at("shop-pages"));
  git(at(), "clone", "--quiet", shop, at("shop-clone"));
  git(at("shop-clone"), "remote", "set-url", "origin", "https://me:pass-word@GitHub.com/acme/shop");
  add("shop", "clone by another address", at("shop-clone"));
  git(at(), "clone", "--quiet", "--depth=1", `file://${shop}`, at("shop-shallow"));
  git(at("shop-shallow"), "remote", "set-url", "origin", "ssh://git@ssh.github.com:443/acme/shop.git");
  add("shop", "shallow clone", at("shop-shallow"));
  symlinkSync(shop, at("shop-link"));
  add("shop", "link to it", at("shop-link"));

  git(at(), "clone", "--quiet", shop, at("fork"));
  git(at("fork"), "remote", "set-url", "origin", "git@github.com:someone/shop.git");
  add("fork", "fork with the same first commit", at("fork"));
  git(at(), "clone", "--quiet", shop, at("local-clone"));
  add("local clone", "clone of a path", at("local-clone"));
  for (const name of ["from-template-1", "from-template-2"]) {
    git(at(), "clone", "--quiet", shop, at(name));
    git(at(name), "remote", "remove", "origin");
    add(name, "made from a template", at(name));
  }
  add("namesake", "other repository of the same folder name", makeRepository(space, at("other", "shop"), "namesake"));
  add(
    "namesake with remote",
    "other remote of the same name",
    makeRepository(space, at("third", "shop"), "third", "https://gitlab.com/acme/shop.git"),
  );
  add("port 2222", "same path on another port", makeRepository(space, at("port-1"), "port-1", "ssh://git@forge.acme.dev:2222/a/b"));
  add("port 3333", "same path on one more port", makeRepository(space, at("port-2"), "port-2", "ssh://git@forge.acme.dev:3333/a/b"));
  add("loopback 1", "remote on this machine", makeRepository(space, at("loop-1"), "loop-1", "http://localhost:3000/a/b.git"));
  add("loopback 2", "other remote on this machine", makeRepository(space, at("loop-2"), "loop-2", "http://localhost:3000/a/b.git"));
  add("filled in 1", "remote of a template", makeRepository(space, at("fill-1"), "fill-1", "https://github.com/your-org/your-repo.git"));
  add("filled in 2", "same remote of a template", makeRepository(space, at("fill-2"), "fill-2", "https://github.com/your-org/your-repo.git"));

  git(at(), "clone", "--quiet", "--bare", at("other", "shop"), at("bare.git"));
  git(at("bare.git"), "remote", "remove", "origin");
  git(at("bare.git"), "worktree", "add", "--quiet", at("bare-tree"), "main");
  add("bare", "bare repository", at("bare.git"));
  add("bare", "worktree of a bare repository", at("bare-tree"));

  const library = makeRepository(space, at("library"), "library");
  add("library", "repository without remote", library);
  git(at("third", "shop"), "submodule", "--quiet", "add", library, "vendor/library");
  add("submodule", "submodule", at("third", "shop", "vendor", "library"));
  git(at("third", "shop"), "commit", "--quiet", "--message", "add the library");

  cpSync(at("shop-feature"), at("shop-feature-copy"), { recursive: true });
  add("copied worktree", "copy of a worktree", at("shop-feature-copy"));
  writeFileSync(join(plain("thief"), ".git"), `gitdir: ${join(shop, ".git")}\n`);
  add("thief", "folder that names another's git folder", at("thief"));
  for (const [name, target] of [
    ["bare thief", at("bare.git")],
    ["module thief", join(at("third", "shop"), ".git", "modules", "vendor", "library")],
  ] as const) {
    writeFileSync(join(plain(name), ".git"), `gitdir: ${target}\n`);
    add(name, "folder that names a git folder which does not know it", at(name));
  }
  mkdirSync(at("shared thief", ".git"), { recursive: true });
  writeFileSync(at("shared thief", ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(at("shared thief", ".git", "commondir"), join(shop, ".git"));
  add("shared thief", "folder whose git folder says it shares another's", at("shared thief"));
  git(at(), "clone", "--quiet", "--bare", library, at("hub", ".bare"));
  git(at("hub", ".bare"), "remote", "remove", "origin");
  writeFileSync(at("hub", ".git"), "gitdir: ./.bare\n");
  git(at("hub"), "worktree", "add", "--quiet", at("hub", "main"), "main");
  add("hub", "folder around a bare repository", at("hub"));
  add("hub", "worktree in it", at("hub", "main"));
  git(at(), "init", "--quiet", `--separate-git-dir=${at("apart.git")}`, at("apart"));
  git(at("apart"), "config", "core.worktree", at("apart"));
  git(at("apart"), "commit", "--quiet", "--allow-empty", "--message", "apart");
  add("apart", "working tree with its git folder elsewhere", plain("apart"));
  add("apart", "folder within", plain("apart", "src"));
  symlinkSync(join(shop, ".git"), join(plain("linker"), ".git"));
  add("linker", "folder with a link to another's git folder", at("linker"));

  for (const name of ["empty-1", "empty-2"]) {
    git(plain(name), "init", "--quiet");
    add(name, "repository without commits", at(name));
  }
  add("plain-1", "folder outside of git", plain("plain-1"));
  add("plain-2", "other folder outside of git", plain("plain-2"));
  add("plain-1/below", "folder below it", plain("plain-1", "below"));

  mkdirSync(join(space.home, ".config", "editor"), { recursive: true });
  writeFileSync(join(space.home, ".config", "editor", "settings.json"), "{}");
  git(space.home, "init", "--quiet", "--initial-branch=main");
  git(space.home, "add", ".config/editor/settings.json");
  git(space.home, "commit", "--quiet", "--message", "dotfiles");
  add("home", "home folder in git", space.home);
  add("home", "folder that the home tracks", join(space.home, ".config", "editor"));
  for (const name of ["notes", "scratch"]) {
    mkdirSync(join(space.home, name));
    add(`home/${name}`, "folder that the home does not track", join(space.home, name));
  }
  return folders;
}
