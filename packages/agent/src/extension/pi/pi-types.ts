/** The shapes that extensions written for Pi exchange with their host. What an extension hands over is unchecked until it is read. */
import type { JsonObject, JsonSchema } from "../../contract/json.ts";

export interface PiEvent {
  readonly type: string;
  [field: string]: unknown;
}

export type PiHandler = (event: PiEvent, context: unknown) => unknown;

export interface PiText {
  type: "text";
  text: string;
}

export interface PiImage {
  type: "image";
  data: string;
  mimeType: string;
}

export interface PiThinking {
  type: "thinking";
  thinking: string;
}

export interface PiToolCall {
  type: "toolCall";
  id: string;
  name: string;
  arguments: JsonObject;
}

export interface PiUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

export interface PiUserMessage {
  role: "user";
  content: string | (PiText | PiImage)[];
  timestamp: number;
}

export interface PiAssistantMessage {
  role: "assistant";
  content: (PiText | PiThinking | PiToolCall)[];
  api: string;
  provider: string;
  model: string;
  usage: PiUsage;
  stopReason: "stop" | "length" | "toolUse" | "error" | "aborted";
  errorMessage?: string;
  timestamp: number;
}

export interface PiToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (PiText | PiImage)[];
  details?: unknown;
  isError: boolean;
  timestamp: number;
}

export interface PiCustomMessage {
  role: "custom";
  customType: string;
  content: string | (PiText | PiImage)[];
  display: boolean;
  details?: unknown;
  timestamp: number;
}

export interface PiBashMessage {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode: number | undefined;
  cancelled: boolean;
  truncated: boolean;
  timestamp: number;
}

export interface PiSummaryMessage {
  role: "compactionSummary" | "branchSummary";
  summary: string;
  tokensBefore: number;
  timestamp: number;
}

export type PiMessage =
  | PiUserMessage
  | PiAssistantMessage
  | PiToolResultMessage
  | PiCustomMessage
  | PiBashMessage
  | PiSummaryMessage;

/** A model as extensions know it. */
export interface PiModel {
  id: string;
  name: string;
  provider: string;
  api: string;
  baseUrl: string;
  reasoning: boolean;
  input: ("text" | "image")[];
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  contextWindow: number;
  maxTokens: number;
}

/** What a tool of an extension gives back. */
export interface PiToolResult {
  content?: readonly (PiText | PiImage)[];
  details?: unknown;
  isError?: boolean;
  terminate?: boolean;
}

/** A tool as extensions define it. */
export interface PiToolDefinition {
  name: string;
  label?: string;
  description: string;
  parameters: JsonSchema;
  promptSnippet?: string;
  promptGuidelines?: readonly string[];
  executionMode?: "sequential" | "parallel";
  annotations?: { readOnlyHint?: boolean };
  prepareArguments?(args: unknown): unknown;
  execute(
    callId: string,
    params: unknown,
    signal: AbortSignal | undefined,
    onUpdate: ((partial: PiToolResult) => void) | undefined,
    context: unknown,
  ): Promise<PiToolResult> | PiToolResult;
  renderCall?: unknown;
  renderResult?: unknown;
}

export interface PiCompletion {
  value: string;
  label?: string;
  description?: string;
}

export interface PiCommand {
  description?: string;
  getArgumentCompletions?(prefix: string): unknown;
  handler(args: string, context: unknown): unknown;
}

export interface PiFlag {
  type: "boolean" | "string";
  description?: string;
  default?: boolean | string;
}

export interface PiShortcut {
  description?: string;
  handler(context: unknown): unknown;
}

/** A message of an extension for the model and, if `display` says so, for the person. */
export interface PiCustomDraft {
  customType: string;
  content: string | (PiText | PiImage)[];
  display?: boolean;
  details?: unknown;
}

/** Where a tool, a command or a skill comes from. */
export interface PiSourceInfo {
  path: string;
  source: string;
  scope: string;
  origin: string;
  baseDir?: string;
}
