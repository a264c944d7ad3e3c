import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
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

function filesIn({ path }: AgentFolder, problems: AgentProblem[]): string[] {
  try {
    const files = readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !/(^|[/\\])README[.]md$/i.test(name))
      .sort();
    if (files.length > MOST_FILES)
      problems.push({
        file: path,
        message: `it holds ${files.length} files; the first ${MOST_FILES} are read`,
      });
    return files.slice(0, MOST_FILES).map((name) => join(path, name));
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT" && systemCode(thrown) !== "ENOTDIR")
      problems.push({ file: path, message: `it cannot be read: ${errorMessage(thrown)}` });
    return [];
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
