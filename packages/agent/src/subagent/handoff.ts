import type { JsonObject } from "../contract/json.ts";
import type { Wire } from "../contract/messages.ts";
import type { ModelInfo, ThinkingLevel } from "../contract/model.ts";

/**
 * Everything a subagent is started with: one JSON line on its stdin. Keys and the environment travel here and nowhere else, since
 * arguments, files and environment variables can be read by others.
 */
export interface Handoff {
  /** Of the program: a subagent of another version would misread the rest. */
  version: string;
  agent: { id: string; type: string; readOnly: boolean; instruction: string };
  task: string;
  /** Names; nothing else exists for it. */
  tools: readonly string[];
  /** Names of the MCP servers that lend some of the tools; no other one is started. */
  servers: readonly string[];
  maxTurns: number;
  model: ModelInfo;
  provider: {
    name: string;
    wire: Wire;
    baseUrl: string;
    apiKey?: string;
    /** Requests are made with the login of the provider, which all processes share: one of them renews its token. */
    login?: true;
    headers: Readonly<Record<string, string>>;
  };
  thinking: ThinkingLevel;
  /** The effective configuration, already narrowed. */
  config: JsonObject;
  project: { root: string; folder: string | null };
  trusted: boolean;
  environment: Readonly<Record<string, string>>;
  /** The session that it goes on with. */
  resume: string | null;
  parentSession: string;
  /** 1 for a subagent of the agent that a person talks to. */
  depth: number;
  /** Folder of places and starts, shared by all agents of the session. */
  team: string;
  noSession: boolean;
  noSkills: boolean;
  noContextFiles: boolean;
  /** Its caller plans: nothing may be changed. */
  planMode: boolean;
  /** There is a person whom its parent can ask for it. */
  asks: boolean;
}

/**
 * The type of lines on a subagent's stdout that are no events: `give` and `take` of its place, while it waits for subagents of its own.
 * Its parent answers a `take` with one line on its stdin, once there is a place.
 */
export const PLACE_EVENT = "place";

/**
 * The type of another such line: a question for the person (`id`, `question`), or that its answer is no longer needed (`id`, `closed`).
 * The answer comes as one line on stdin (`ask`: the id, `answer`).
 */
export const ASK_EVENT = "ask";

/** The hidden flag that starts `pi` as a subagent. */
export const SUBAGENT_FLAG = "subagent";
