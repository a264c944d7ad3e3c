import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../contract/errors.ts";
import { ENVIRONMENT_SOURCE, type FoundKey, type KeyLookup, type Notice } from "../contract/settings.ts";
import { keyProblem } from "../platform/key-problem.ts";
import { type EnvFile, parseEnvFile } from "./env-file.ts";
import type { Project } from "./project.ts";
import { danglingProblem } from "./read-json-file.ts";

export interface LoadKeysOptions {
  environment: Readonly<Record<string, string | undefined>>;
  /** `~/.pi-go/.env`. */
  userFile: string;
  project: Project;
  trusted: boolean;
}

/** Keys that were looked for, and what was wrong with the files. */
export interface LoadedKeys extends KeyLookup {
  notices(): Notice[];
  /** Forgets what was read of the files: they were changed. */
  reload(): void;
}

/**
 * Keys by name of variable: the environment, then `~/.pi-go/.env`, then a trusted project's `.pi-go/.env`. An empty value counts
 * as not there, unless there is no other: then it is found with its problem. Files are read once, at the first question.
 */
export function loadKeys(options: LoadKeysOptions): LoadedKeys {
  let notices: Notice[] = [];
  let files: { path: string; content: EnvFile }[] | undefined;
  const read = () => {
    files ??= [
      readEnvFile(options.userFile, notices),
      ...(options.trusted && options.project.folder !== null
        ? [readEnvFile(join(options.project.folder, ".env"), notices)]
        : []),
    ];
    return files;
  };
  return {
    find(variable) {
      let empty: FoundKey | undefined;
      const consider = (value: string | undefined, source: string): FoundKey | undefined => {
        if (value === undefined) return undefined;
        const found = checked({ variable, source, value });
        if (found.problem !== "is empty") return found;
        empty ??= found;
        return undefined;
      };
      const direct = consider(options.environment[variable], ENVIRONMENT_SOURCE);
      if (direct) return direct;
      for (const { path, content } of read()) {
        const found = consider(content.keys.get(variable), path);
        if (found) return found;
      }
      return empty;
    },
    notices: () => {
      read();
      return notices;
    },
    reload() {
      files = undefined;
      notices = [];
    },
  };
}

function readEnvFile(path: string, notices: Notice[]): { path: string; content: EnvFile } {
  const nothing = { path, content: { keys: new Map<string, string>(), ignored: [] } };
  const warn = (problem: string) =>
    notices.push({ level: "warning", message: `${path} is not used: ${problem}` });
  try {
    if (!statSync(path).isFile()) {
      warn("it is not a file");
      return nothing;
    }
    const content = parseEnvFile(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
    if (content.ignored.length > 0)
      notices.push({
        level: "info",
        message: `${path}: ${content.ignored.join(", ")} ignored: only names that end in _API_KEY or _TOKEN are read from this file`,
      });
    return { path, content };
  } catch (error) {
    const code = systemCode(error);
    const dangling = code === "ENOENT" || code === "ENOTDIR" ? danglingProblem(path) : null;
    if (dangling !== null) warn(dangling);
    else if (code !== "ENOENT" && code !== "ENOTDIR")
      warn(code ? `it cannot be read (${code})` : "it is not UTF-8 text");
    return nothing;
  }
}

/** A key that could not be meant as it is gets a problem instead of being sent. */
function checked(found: FoundKey): FoundKey {
  const problem = keyProblem(found.value);
  return problem === undefined ? found : { ...found, problem };
}
