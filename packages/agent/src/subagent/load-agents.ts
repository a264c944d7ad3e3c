import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { errorMessage, systemCode } from "../contract/errors.ts";
import type { AgentProblem, AgentType } from "../contract/subagents.ts";
import { BUILT_IN_TYPES } from "./built-in-types.ts";
import { type FrontMatter, parseAgent } from "./parse-agent.ts";

/** A folder of agent files; `within`: what its files must really lie in, null: anywhere. */
export interface AgentFolder {
  path: string;
  within: string | null;
}

/** How files are found and read. */
export interface LoadOptions {
  /** Weakest first: a later one replaces types of the same name. */
  folders: readonly AgentFolder[];
  /** Reads a file with its front matter, or says why it cannot be used (a link that leads out, hidden characters, …). Never throws. */
  read(
    file: string,
    within: string | null,
  ): { front: FrontMatter | null } | { message: string; line?: number };
}

const MOST_FILES = 500;
const MOST_FOLDERS = 500;

/** The built-in types and those of files. One broken file hides nothing but itself. Never throws. */
export function loadAgents(options: LoadOptions): { types: AgentType[]; problems: AgentProblem[] } {
  const types = new Map(BUILT_IN_TYPES.map((type) => [type.name, type]));
  const problems: AgentProblem[] = [];
  for (const folder of options.folders)
    for (const file of filesIn(folder, problems)) {
      const loaded = load(file, folder, options);
      problems.push(...loaded.problems);
      if (loaded.type !== null) types.set(loaded.type.name, loaded.type);
    }
  return { types: [...types.values()], problems };
}

/** Every folder is listed by itself: one that is closed, or a link that goes round in a circle, hides no file of the others. */
function filesIn({ path, within }: AgentFolder, problems: AgentProblem[]): string[] {
  const files: string[] = [];
  const seen = new Set<string>();
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    try {
      const real = realpathSync(folder);
      if (seen.has(real) || (folder !== path && !isWithin(real, within))) continue;
      if (seen.size === MOST_FOLDERS) {
        problems.push({
          file: path,
          message: `it holds more than ${MOST_FOLDERS} folders; the others are not read`,
        });
        break;
      }
      seen.add(real);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const name = join(folder, entry.name);
        const isFolder = entry.isSymbolicLink() ? leadsToFolder(name) : entry.isDirectory();
        if (isFolder) waiting.push(name);
        else if (entry.name.endsWith(".md") && !/^README[.]md$/i.test(entry.name)) files.push(name);
      }
    } catch (thrown) {
      if (systemCode(thrown) !== "ENOENT" && systemCode(thrown) !== "ENOTDIR")
        problems.push({ file: folder, message: `it cannot be read: ${errorMessage(thrown)}` });
    }
  }
  if (files.length > MOST_FILES)
    problems.push({
      file: path,
      message: `it holds ${files.length} files; the first ${MOST_FILES} are read`,
    });
  return files.sort().slice(0, MOST_FILES);
}

function isWithin(real: string, within: string | null): boolean {
  return within === null || real === within || real.startsWith(within.endsWith(sep) ? within : within + sep);
}

/** A link that leads nowhere is told of when it is read as a file. */
function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}

function load(
  file: string,
  { within }: AgentFolder,
  options: LoadOptions,
): { type: AgentType | null; problems: AgentProblem[] } {
  const read = options.read(file, within);
  if ("message" in read) return { type: null, problems: [{ file, ...read }] };
  return parseAgent(read.front, { file, stem: basename(file, ".md") });
}
