import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** What a file of a new workspace is: text, bytes, a symbolic link, or a file with a mode. */
export type Entry = string | Uint8Array | Link | Executable;

export interface Link {
  kind: "link";
  target: string;
}

export interface Executable {
  kind: "executable";
  text: string;
}

/** A symbolic link; `target` as it is written into the link (relative to the link's folder, or absolute). */
export function link(target: string): Link {
  return { kind: "link", target };
}

/** A file with mode 0755. */
export function executable(text: string): Executable {
  return { kind: "executable", text };
}

/** Writes entries below a folder, making parent folders. A path that ends in "/" is an empty folder. */
export function writeTree(root: string, entries: Readonly<Record<string, Entry>>): void {
  for (const [name, entry] of Object.entries(entries)) {
    const path = join(root, name);
    if (name.endsWith("/")) {
      mkdirSync(path, { recursive: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    if (typeof entry === "string" || entry instanceof Uint8Array) writeFileSync(path, entry);
    else if (entry.kind === "link") symlinkSync(entry.target, path);
    else {
      writeFileSync(path, entry.text);
      chmodSync(path, 0o755);
    }
  }
}

/**
 * Everything below a folder except `.git`, as path -> one comparable line (kind, mode, content). Equal snapshots mean
 * equal bytes, modes and links. Paths use "/".
 */
export function snapshotTree(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      const key = relative(root, path).split(sep).join("/");
      if (key === ".git") continue;
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) found[key] = `link -> ${readlinkSync(path)}`;
      else if (stats.isDirectory()) {
        found[key] = `folder ${mode}`;
        visit(path);
      } else if (stats.isFile()) found[key] = `file ${mode} ${readFileSync(path).toString("latin1")}`;
      else found[key] = `special ${mode}`;
    }
  };
  visit(root);
  return found;
}
