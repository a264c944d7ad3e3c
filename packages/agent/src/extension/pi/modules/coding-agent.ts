/** What extensions import from `pi-coding-agent`. */
import { homedir } from "node:os";
import { join } from "node:path";
import { fromPi, toPi } from "../host/pi-message.ts";
import type { PiToolDefinition } from "../pi-types.ts";
import { builtInTools } from "./built-in-tools.ts";
import { copyToClipboard } from "./clipboard.ts";
import {
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  highlightCode,
} from "./component-themes.ts";
import { BorderedLoader, DynamicBorder } from "./components.ts";
import { withFileMutationQueue } from "./file-mutation-queue.ts";
import { keyHint, keyText, rawKeyHint } from "./key-hints.ts";
import { createLocalBashOperations } from "./local-bash.ts";
import { PI_VERSION, SESSION_VERSION } from "./pi-version.ts";
import { SessionManager } from "./session-manager.ts";
import { getLanguageFromPath, parseFrontmatter, stripFrontmatter } from "./text-files.ts";
import * as truncate from "./truncate.ts";

/** Pi's own folder: what extensions keep there is found by both programs. It is not made here. */
function getAgentDir(): string {
  const moved = process.env["PI_CODING_AGENT_DIR"];
  if (moved === undefined || moved === "") return join(homedir(), ".pi", "agent");
  return moved.startsWith("~/") ? join(homedir(), moved.slice(2)) : moved;
}

/** Messages of extensions and summaries as a model gets them. */
function convertToLlm(messages: readonly unknown[]): unknown[] {
  return messages.flatMap((message) => {
    const own = fromPi(message);
    if (own === null) return [];
    const { timestamp = Date.now() } = message as { timestamp?: number };
    const [pi] = toPi(own.role === "user" ? { ...own, origin: "user" } : own, timestamp);
    const { role } = message as { role?: unknown };
    return role === "assistant" || role === "toolResult" ? [message] : [pi];
  });
}

/** The text of a conversation, for a summary. */
function serializeConversation(messages: readonly unknown[]): string {
  return messages
    .map((message) => {
      const { role, content } = message as { role?: unknown; content?: unknown };
      const texts =
        typeof content === "string"
          ? [content]
          : ((content ?? []) as { text?: string }[]).map(({ text = "" }) => text);
      return `[${String(role)}]: ${texts.join("\n")}`;
    })
    .join("\n\n");
}

const isResultOf = (name: string) => (event: { toolName?: unknown }) => event.toolName === name;

export const codingAgentExports = {
  ...truncate,
  ...builtInTools,
  createLocalBashOperations,
  VERSION: PI_VERSION,
  CONFIG_DIR_NAME: ".pi",
  CURRENT_SESSION_VERSION: SESSION_VERSION,
  getAgentDir,
  convertToLlm,
  serializeConversation,
  defineTool: (definition: PiToolDefinition) => definition,
  DynamicBorder,
  BorderedLoader,
  getMarkdownTheme,
  getSelectListTheme,
  getSettingsListTheme,
  highlightCode,
  getLanguageFromPath,
  parseFrontmatter,
  stripFrontmatter,
  keyHint,
  keyText,
  rawKeyHint,
  copyToClipboard,
  withFileMutationQueue,
  SessionManager,
  /** Pictures go to the model as they are; the services scale them down. Null says that nothing was changed. */
  resizeImage: async () => null,
  formatDimensionNote: () => undefined,
  isToolCallEventType: (name: string, event: { toolName?: unknown }) => event.toolName === name,
  isBashToolResult: isResultOf("bash"),
  isReadToolResult: isResultOf("read"),
  isEditToolResult: isResultOf("edit"),
  isWriteToolResult: isResultOf("write"),
  isGrepToolResult: isResultOf("grep"),
  isFindToolResult: isResultOf("find"),
  isLsToolResult: isResultOf("ls"),
};
