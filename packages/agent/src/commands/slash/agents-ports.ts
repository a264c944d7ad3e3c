import type { AgentProblem, AgentReport, JoinedChange, LeftAgentWork } from "../../contract/subagents.ts";
import type { NearPort } from "./shared/near-port.ts";

/** What `/agents` needs. Everything that takes an id rejects with a PiError when that cannot be done. */
export interface AgentsPorts extends NearPort {
  agents: {
    /** Why there can be no subagents; null when there may be. */
    off(): string | null;
    list(): Promise<AgentsReport>;
    /** Shows them as they are from moment to moment, until the person leaves; null: there is no screen for that. */
    live: ((signal: AbortSignal) => Promise<void>) | null;
    /** What was said and done, oldest first; null when nothing is kept. */
    transcript(id: string): Promise<readonly TranscriptStep[] | null>;
    /** What the person is told of it. */
    stop(id: string): Promise<string>;
    apply(id: string): Promise<JoinedChange>;
    merge(id: string): Promise<JoinedChange>;
    /** What the person is told of it. */
    drop(id: string): Promise<string>;
  };
}

export interface TranscriptStep {
  who: string;
  text: string;
}

export interface AgentsReport {
  /** Those of this session, oldest first, ended ones too. */
  running: readonly AgentReport[];
  /** Work that nobody has joined or dropped, of any session. */
  left: readonly LeftAgentWork[];
  types: readonly { name: string; description: string; role: string; from: string }[];
  problems: readonly AgentProblem[];
}
