import type { InputSource } from "../../core/capture/observation.ts";
import { agentVariable } from "../shared/agent-variables.ts";
import type { PiInput } from "./host-types.ts";

export interface InputPlace {
  /** Pi's mode: `tui`, `rpc`, `json`, `print`. */
  readonly mode: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** This process's command line. */
  readonly argv: readonly string[];
}

/** A command or a template: what a person typed is its name, and the text is somebody else's. */
const COMMAND = /^\/[\w:.-]+(\s|$)/;

/**
 * Who put an input in. Pi calls every prompt of its own entrances interactive, so that some are looked at more closely: without a terminal
 * only a whole word of the command line is what somebody typed (not what was piped in behind it), and where an agent started this Pi, nobody typed anything.
 */
export function sourceOf({ text, source }: PiInput, { mode, environment, argv }: InputPlace): InputSource {
  if (source !== "interactive") return source === "rpc" ? "rpc" : "extension";
  if (isStartedByAgent(environment)) return "subagent";
  if (COMMAND.test(text)) return "skill";
  if ((mode === "print" || mode === "json") && !argv.includes(text)) return "file";
  return "interactive";
}

/** Whether this Pi was started by an agent. Pi says of itself that it is one, which is no news here. */
export function isStartedByAgent(environment: InputPlace["environment"]): boolean {
  const { AI_AGENT: agent, ...others } = environment;
  return agentVariable(agent === "pi" ? others : environment) !== undefined;
}
