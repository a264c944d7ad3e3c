import type { AskDoor } from "../contract/consent.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { ExtensionSurface } from "../contract/extension-surface.ts";
import type { Conversation } from "../contract/session.ts";
import type { Dialogs } from "../contract/slash-command.ts";
import type { ToolContext } from "../contract/tool.ts";
import type { ProgramPort } from "../extension/pi/host/host-ports.ts";
import type { HomeFolders } from "../platform/home.ts";
import type { Session } from "../session/session.ts";
import type { Handoff } from "../subagent/handoff.ts";
import type { Flags } from "./flags.ts";
import type { Notices } from "./notices.ts";
import type { ChosenModel, Settings } from "./run-setup.ts";

/** What an app is built from. */
export interface AppParts {
  flags: Flags;
  settings: Settings;
  home: HomeFolders;
  environment: Readonly<Record<string, string | undefined>>;
  /** The project folder: a real path. */
  cwd: string;
  mode: string;
  chosen: ChosenModel;
  session: Session;
  notices: Notices;
  /** Conversations that the person cleared away in this program: memory does not bring them back by itself. */
  cleared?: ReadonlySet<string>;
  /** Asks a person before calls that a rule says to ask for; absent: there is nobody, and such calls are refused. */
  ask?: AskDoor;
  /** Asks a person what MCP servers want to know; absent: nobody is there. */
  dialogs?: Dialogs;
  /** Sends a prompt of the program's own: now, or after the answer; absent: there is only the run in progress. */
  send?(text: string): void;
  /** The state of an MCP server is different. */
  onMcpChange?(): void;
  /** A background subagent has ended; absent: it is told among the events of a run. */
  onAgentEnd?(level: "info" | "warning", message: string): void;
  /** This run is a subagent. */
  subagent?: {
    handoff: Handoff;
    /** Its place among the agents that ask models, while it waits for subagents of its own. */
    place: { give(): void; take(): Promise<void> };
  };
  /** The model does not come from the configuration, so that no other process can reach it. */
  modelGiven?: true;
  /** What extensions may draw and ask; absent: there is no terminal. */
  surface?(): Promise<ExtensionSurface>;
  /** What commands of extensions may do to the program. */
  extensionProgram?(): ProgramPort | null;
  /** Runs something of an extension's as if a person had asked for it; resolves when it is over. */
  driveRun?(events: (signal: AbortSignal) => AsyncIterable<AgentEvent>): Promise<void>;
  /** Tells a person of something at once; absent: it is told among the events of a run. */
  tellPerson?(level: "info" | "warning", message: string): void;
  /** How this conversation came to be, where it is not the first of its program. */
  sessionReason?: "new" | "fork";
  /** Sees every message that goes into the conversation, after it was stored. */
  onAppend?: Conversation["append"];
}

/** What belongs to one conversation and lives as long as it does. */
export type AppDoors = Omit<ToolContext, "callId" | "signal" | "progress" | "model">;
