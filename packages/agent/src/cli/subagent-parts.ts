import type { RunnerOptions } from "../agent/options.ts";
import type { ToolContext } from "../contract/tool.ts";
import type { McpHub } from "../extension/mcp/mcp-hub.ts";
import type { ExtensionHost } from "../extension/pi/host/extension-host.ts";
import type { AroundWriting } from "../subagent/worktree/join-change.ts";
import type { AppParts } from "./app-parts.ts";

/** What subagents are started with; the functions are not called before the conversation is built. */
export interface SubagentParts extends AppParts {
  doors(): Pick<ToolContext, "processes" | "cwd">;
  /** As they are in this moment. */
  running(): Pick<RunnerOptions, "model" | "thinking" | "tools" | "conversation">;
  /** The MCP servers; null when there are none. */
  hub(): Promise<McpHub | null>;
  /** Those of the conversation; null when it has none. */
  extensions(): Promise<ExtensionHost | null>;
  /** A folder of the session's own; it need not exist yet. */
  team(): string;
  /** Stands around the writing of the user's files, so that it can be taken back. */
  around: AroundWriting;
  /** Plan mode is on. */
  planned(): boolean;
}
