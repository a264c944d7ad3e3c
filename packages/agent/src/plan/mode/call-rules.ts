import { join, sep } from "node:path";
import type { PendingCall } from "../../contract/callbacks.ts";
import { errorMessage } from "../../contract/errors.ts";
import type { FileDoor } from "../../contract/files.ts";
import type { Confinement } from "../../contract/process.ts";
import type { AgentType } from "../../contract/subagents.ts";
import { SPECS } from "../spec/spec-files.ts";
import { agentProblem } from "./agent-rules.ts";
import { elsewhereProblem } from "./elsewhere-rules.ts";
import { gitProblem } from "./git-rules.ts";

/** What plan mode judges calls by. */
export interface CallFacts {
  files: Pick<FileDoor, "root" | "real">;
  /** Whether the tool of this name is ours, and not an extension's in its place. */
  own(tool: string): boolean;
  /** Of the commands of plan mode. */
  confinement(): Confinement;
  agentTypes(): readonly AgentType[];
  /** The type of a subagent of this session; undefined for an unknown id. */
  agentTypeOf(id: string): string | undefined;
  /** Whether this tool's server says that it only reads. */
  declaredReadOnly(tool: string): Promise<boolean>;
  /** Why a file below `specs/` may not be written now: its path from there on. */
  specProblem(path: string): Promise<string | undefined>;
}

/** Why a call may not run in plan mode, for the model; undefined when it may. What is not known to only read may not. */
export async function planProblem(call: PendingCall, facts: CallFacts): Promise<string | undefined> {
  const special = facts.own(call.name) ? SPECIAL[call.name] : undefined;
  if (special !== undefined) return special(call, facts);
  if (call.kind === "inspect" || (await facts.declaredReadOnly(call.name))) return undefined;
  if (call.kind === "edit") return await fileProblem(call, facts);
  return `${call.name} may change something, and nothing says that it only reads`;
}

/** Tools that are judged by more than their kind. */
const SPECIAL: Readonly<Record<string, (call: PendingCall, facts: CallFacts) => string | undefined>> = {
  bash: ({ input }, facts) => commandProblem(String(input["command"] ?? ""), facts),
  "bash-kill": () => undefined,
  "mcp-resources": () => undefined,
  agent: ({ input }, facts) => agentProblem(input, facts),
};

function commandProblem(command: string, { confinement }: CallFacts): string | undefined {
  const { active, reason } = confinement();
  if (active) return gitProblem(command) ?? elsewhereProblem(command);
  return `commands would have to run in a sandbox that may write nothing, and there is none here${reason === undefined ? "" : ` (${reason})`}; use read, grep, find, ls, tree and the git tools`;
}

/** Only files below the project's `specs/`, by their real places: a link out of it leads to what may not be written. */
async function fileProblem(
  { name, input }: PendingCall,
  { files, specProblem }: CallFacts,
): Promise<string | undefined> {
  const path = input["file_path"];
  if (typeof path !== "string") return `${name} does not say which file it changes`;
  let real: string;
  try {
    real = files.real(path);
  } catch (thrown) {
    return errorMessage(thrown);
  }
  const specs = join(files.root, SPECS) + sep;
  if (real.startsWith(specs)) return await specProblem(real.slice(specs.length).replaceAll(sep, "/"));
  const where = real === join(files.root, path) ? path : `${path} (really ${real})`;
  return `only files below ${SPECS}/ may be written, not ${where}`;
}
