import type { InputSource } from "../../core/capture/observation.ts";
import { agentVariable } from "../shared/agent-variables.ts";
import type { PromptInput } from "./host-types.ts";
import type { OtherEntrance } from "./plugin-options.ts";

/** How the host was started; every other command than `run` serves requests that anybody may have made. */
export type Entrance = "tui" | OtherEntrance;

const TERMINAL_WORKER = /[\\/]cli[\\/]tui[\\/]worker\.js$/;

/** The entrance of this process, from its command line; the terminal program runs plugins in a worker of its own. */
export function entranceOf(argv: readonly string[], isMainThread: boolean): Entrance {
  if (!isMainThread && TERMINAL_WORKER.test(argv[1] ?? "")) return "tui";
  return argv[2] === "run" ? "run" : "serve";
}

export interface Origin {
  readonly entrance: Entrance;
  /** Command line of this process. */
  readonly argv: readonly string[];
  readonly typed: ReadonlySet<OtherEntrance>;
  /** An agent runs the host. */
  readonly isAgents: boolean;
  readonly input: PromptInput;
  /** The prompt's own words. */
  readonly words: string;
  /** They come from a slash command's template. */
  readonly fromCommand: boolean;
  /** The session works for another one; undefined: the host did not say. */
  readonly isSubagent: boolean | undefined;
}

/**
 * Who put a prompt in. The host does not say it, so it is derived, and what cannot be shown to be a person's is not: only typing in
 * the terminal program counts, and `run` and `serve` where the user's options say so.
 */
export function originOf(origin: Origin): { readonly source: InputSource; readonly words: string } {
  const { entrance, typed, isAgents, input, words, fromCommand, isSubagent } = origin;
  if (isSubagent !== false) return { source: "subagent", words };
  if (isAgents) return { source: "rpc", words };
  if (fromCommand) return { source: "skill", words };
  if (entrance === "tui") {
    // Typing names agent and model and leaves the message's id to the host; programs that prompt through it do otherwise.
    const isTyped = input.agent !== undefined && input.model !== undefined && input.messageID === undefined;
    return { source: isTyped ? "interactive" : "extension", words };
  }
  if (!typed.has(entrance)) return { source: "rpc", words };
  if (entrance === "serve") return { source: "interactive", words };
  const own = commandLineWords(origin.argv, words);
  return own === undefined ? { source: "rpc", words } : { source: "interactive", words: own };
}

/** The words of `opencode run WORDS`, without what was piped in behind them; undefined when the prompt does not begin with words of the command line. */
export function commandLineWords(argv: readonly string[], prompt: string): string | undefined {
  for (let first = 3; first < argv.length; first++) {
    const words = argv.slice(first);
    // The host puts quotation marks around an argument that has spaces.
    const written = words
      .map((word) => (word.includes(" ") ? `"${word}"` : word))
      .join(" ")
      .trim();
    if (written !== "" && (prompt === written || prompt.startsWith(`${written}\n`))) return words.join(" ");
  }
  return undefined;
}

/** Whether an agent runs this process, by what it left in the environment. The host itself sets `OPENCODE`. */
export function isRunByAgent(environment: Readonly<Record<string, string | undefined>>): boolean {
  return agentVariable({ ...environment, OPENCODE: undefined }) !== undefined;
}
