/** The one stream of events that feeds every mode, the log and (later) RPC, ACP and subagents: field names are the JSON protocol's. */
import type { JsonObject } from "./json.ts";
import type { Usage } from "./messages.ts";

/** How a run ended; the process exit code follows from it. */
export type RunStop = "end" | "length" | "max_turns" | "limit" | "aborted" | "error";

export type AgentEvent =
  | { type: "message_start"; agent: string; model: string; provider: string; role: "assistant"; cwd: string }
  | { type: "text_delta"; delta: string }
  | { type: "thinking_delta"; delta: string }
  | { type: "tool_call"; id: string; tool_name: string; tool_input: JsonObject }
  | { type: "tool_progress"; id: string; delta: string }
  | {
      type: "tool_result";
      id: string;
      tool_name: string;
      content: string;
      is_error: boolean;
      details: JsonObject;
      duration_ms: number;
    }
  | { type: "turn_end"; turn: number; usage: Usage; stop_reason: string }
  | { type: "retry"; attempt: number; delay_ms: number; reason: string }
  | {
      type: "compaction";
      kind: "shed" | "summary";
      /** `failed` changed nothing. */
      phase: "start" | "end" | "failed";
      tokens_before: number;
      tokens_after: number;
      /** What the request for a summary took; part of the run's usage and of no turn's. */
      usage?: Usage;
      /** Why it failed, for people. */
      reason?: string;
    }
  | { type: "notice"; level: "info" | "warning"; message: string }
  | { type: "error"; code: string; message: string; hint?: string; retryable: boolean }
  | {
      type: "message_end";
      stop_reason: RunStop;
      text: string;
      turns: number;
      usage: Usage;
      duration_ms: number;
    };
