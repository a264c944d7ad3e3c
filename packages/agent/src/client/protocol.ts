/** The protocol of `pi --mode rpc` as types: docs/rpc.md explains it. */

/** Tokens of one request, or a sum of requests. */
export interface RpcUsage {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  reasoning: number;
  total: number;
  /** US dollars; absent when the model's price is not known. */
  cost_usd?: number;
}

/** How a run ended. */
export type RpcStop = "end" | "length" | "max_turns" | "limit" | "aborted" | "error";

type Fields = { [name: string]: unknown };

/** What happens in a session. In histories a `tool_result` has no `duration_ms`. */
export type RpcEvent = { session_id: string } & (
  | { type: "message_start"; agent: string; model: string; provider: string; role: "assistant"; cwd: string }
  | { type: "text_delta"; delta: string }
  | { type: "thinking_delta"; delta: string }
  | { type: "tool_call"; id: string; tool_name: string; tool_input: Fields }
  | { type: "tool_progress"; id: string; delta: string }
  | {
      type: "tool_result";
      id: string;
      tool_name: string;
      content: string;
      is_error: boolean;
      details: Fields;
      duration_ms?: number;
    }
  | { type: "turn_end"; turn: number; usage: RpcUsage; stop_reason: string }
  | { type: "retry"; attempt: number; delay_ms: number; reason: string }
  | {
      type: "compaction";
      kind: "shed" | "summary";
      phase: "start" | "end" | "failed";
      tokens_before: number;
      tokens_after: number;
      usage?: RpcUsage;
      reason?: string;
    }
  | { type: "notice"; level: "info" | "warning"; message: string }
  | { type: "error"; code: string; message: string; hint?: string; retryable: boolean }
  | {
      type: "message_end";
      stop_reason: RpcStop;
      text: string;
      turns: number;
      usage: RpcUsage;
      duration_ms: number;
    }
  /** Somebody said something: in histories, and to subscribers that did not send it themselves. */
  | {
      type: "prompt";
      origin: "user" | "steering" | "shell" | "branch_summary";
      text: string;
      /** How many pictures came with it. */
      images: number;
    }
);

/** The last event of a run. */
export type RpcRunEnd = Extract<RpcEvent, { type: "message_end" }>;

/** How much a model reasons. */
export type RpcThinking = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** A session in lists. `updated` is an ISO time, `model` is `provider/model`. */
export interface RpcSessionInfo {
  id: string;
  title: string;
  cwd: string;
  updated: string;
  model: string;
}

/** A session that is open. */
export interface RpcSessionFacts extends RpcSessionInfo {
  busy: boolean;
  mode: "default" | "plan";
  thinking: RpcThinking;
  branch: string;
  branches: readonly string[];
  /** The record that the branch ends with, for `session.branch`; null while it is empty. */
  head: string | null;
}

/** A question whether a tool call may run. */
export interface RpcConsentRequest {
  request_id: string;
  session_id: string;
  /** The call. */
  id: string;
  tool_name: string;
  tool_input: Fields;
  /** The rule that asks, and why it applies. */
  rule: string;
  reason: string;
  /** The rules that `session` and `always` would add. */
  suggestions: readonly string[];
  /** Whether `always` makes sense. */
  lasting: boolean;
}

interface NewSession {
  /** The project folder; absolute. Default: the folder that the server was started in. */
  cwd?: string;
  title?: string;
  /** `provider/model`, a bare name or a role. */
  model?: string;
}

interface Ok {
  ok: true;
}

interface OfSession {
  /** The id, or the unique start of one. */
  session_id: string;
}

/** Every method: what it takes and what it gives. */
export interface RpcMethods {
  prompt: {
    params: NewSession & {
      text: string;
      /** Absent: a new session. */
      session_id?: string;
      images?: readonly { mime_type: string; data: string }[];
    };
    result: { session_id: string };
  };
  cancel: { params: OfSession; result: Ok };
  steer: { params: OfSession & { text: string }; result: Ok };
  "session.create": { params: NewSession; result: { session_id: string } };
  "session.list": { params: { all?: boolean; cwd?: string }; result: { sessions: RpcSessionInfo[] } };
  "session.get": {
    params: OfSession & { subscribe?: boolean };
    result: { session: RpcSessionFacts; events: RpcEvent[] };
  };
  "session.unsubscribe": { params: OfSession; result: Ok };
  "session.close": { params: OfSession; result: Ok };
  "session.delete": { params: OfSession; result: Ok };
  "session.branch": { params: OfSession & { name: string; from?: string }; result: Ok };
  "session.switch": { params: OfSession & { branch: string }; result: Ok };
  "session.compact": { params: OfSession & { focus?: string }; result: Ok };
  "session.mode": { params: OfSession & { mode: "default" | "plan" }; result: Ok };
  "model.list": {
    params: { cwd?: string };
    result: {
      models: { provider: string; id: string; name: string; context_window: number; images: boolean }[];
    };
  };
  "model.get": {
    params: { session_id?: string };
    result: { model: string; provider: string; id: string; thinking: RpcThinking };
  };
  "model.set": { params: { session_id?: string; model?: string; thinking?: RpcThinking }; result: Ok };
  "tools.list": {
    params: { session_id?: string; cwd?: string };
    result: { tools: { name: string; description: string }[] };
  };
  "consent.offer": { params: { enabled?: boolean }; result: Ok };
  "consent.answer": {
    params: { request_id: string; answer: "once" | "session" | "always" | "refuse"; reason?: string };
    result: Ok;
  };
  status: {
    params: Record<string, never>;
    result: {
      version: string;
      pid: number;
      socket: string;
      cwd: string;
      clients: number;
      sessions: { id: string; cwd: string; busy: boolean }[];
    };
  };
  shutdown: { params: Record<string, never>; result: Ok };
}

/** Every notification of the server. */
export interface RpcNotifications {
  event: RpcEvent;
  "consent.request": RpcConsentRequest;
  /** The question is answered or void. */
  "consent.closed": { request_id: string; session_id: string };
  /** To subscribers: it is open no longer. */
  "session.closed": { session_id: string };
}
