import { readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RootMemo } from "../identity/git/root-memo.ts";

const MOST = 200;
const OWNER_FILE = 0o600;

/**
 * First commits of repositories in one small file beside the store. It is a cache: when it cannot be read, git is asked. Nothing is written
 * where there is no memory yet.
 */
export function keptRoots(store: string, newToken: () => string): RootMemo {
  const path = join(dirname(store), "roots.json");
  const read = async (): Promise<Map<string, string>> => {
    try {
      const value: unknown = JSON.parse(await readFile(path, "utf8"));
      if (!Array.isArray(value)) return new Map();
      return new Map(value.filter(isPair));
    } catch {
      return new Map();
    }
  };
  return {
    read: async (stamp) => (await read()).get(stamp),
    keep: async (stamp, commit) => {
      const temporary = `${path}.${newToken()}`;
      try {
        if (!(await stat(dirname(path))).isDirectory()) return;
        const known = [...(await read()), [stamp, commit]].slice(-MOST);
        await writeFile(temporary, JSON.stringify(known), { flag: "wx", mode: OWNER_FILE });
        await rename(temporary, path);
      } catch {
        await unlink(temporary).catch(() => undefined);
      }
    },
  };
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}
