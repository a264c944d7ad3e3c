import type { AgentEvent } from "../../contract/events.ts";

/** How a run ended, as a mode saw it. */
export interface RunEnd {
  stop: Extract<AgentEvent, { type: "message_end" }>["stop_reason"];
  text: string;
}

/** What a mode writes to: stdout for the answer, stderr for all else. Awaiting a write is back-pressure. */
export interface Streams {
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** Whether a person looks at stdout. */
  outIsTerminal: boolean;
}
