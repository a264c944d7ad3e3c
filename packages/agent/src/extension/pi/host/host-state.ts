import { PiError } from "../../../contract/errors.ts";
import type { UserMessage } from "../../../contract/messages.ts";
import type { EventBus } from "./event-bus.ts";
import type { Faults } from "./faults.ts";
import type { HostPorts } from "./host-ports.ts";
import type { LoadedExtension } from "./loaded-extension.ts";
import type { ExtensionNote } from "./session-port.ts";
import type { SessionView } from "./session-view.ts";

/** A message that an extension wants before the model, and what is kept of it. */
export interface PendingMessage {
  message: UserMessage;
  note?: Omit<ExtensionNote, "target">;
  how: "steer" | "followUp" | "nextTurn";
}

/** What the parts of the host share. */
export interface HostState {
  readonly extensions: readonly LoadedExtension[];
  readonly faults: Faults;
  readonly bus: EventBus;
  /** Null until the conversation is built: until then extensions may only register. */
  ports: HostPorts | null;
  sessionView: SessionView | null;
  /** Names of the tools that `pi.setActiveTools` left; null: all. */
  active: ReadonlySet<string> | null;
  /** Counts changes to the list of tools. */
  toolChanges: number;
  /** Waits for the run in progress, or for the next one. */
  pending: PendingMessage[];
  /** The run in progress; null while there is none. */
  run: { abort: AbortController; idle: Promise<void> } | null;
  /** Runs that were asked for and have not begun. */
  starting: PromiseWithResolvers<void>[];
  /** It is over but for `agent_settled`. */
  settling: boolean;
  /** Its answer is final, and handlers hear of that: what they want said now begins something new. */
  answered: boolean;
  /** A handler wants the run to go on from the history as it is. */
  goOn: boolean;
  /** Begins a run for an extension, or tells that none can be begun now. */
  start(extension: LoadedExtension, message: UserMessage | null): void;
  /** Where nothing is drawn: hears what extensions notify people of. */
  heard: ((message: string) => void) | null;
  /** Values of `--name` that extensions registered. */
  readonly flagValues: ReadonlyMap<string, string | boolean>;
  /** Calls of tools whose result asks that the run ends. */
  readonly terminated: Set<string>;
  /** Calls that tools of extensions make, with the calls that make them; while they run. */
  readonly nested: Map<string, string>;
  /** Tells handlers of something that nobody waits for. */
  tell(type: string, fields: Readonly<Record<string, unknown>>): void;
  contextOf(extension: LoadedExtension): unknown;
  /** Runs something of an extension's that nobody waits for. */
  inBackground(extension: LoadedExtension, where: string, work: () => unknown): void;
  /** The system text of the run in progress as extensions left it. */
  system: string | null;
}

/** The ports, once there are any. Throws what Pi's host throws while extensions load. */
export function portsOf(state: HostState, extension: LoadedExtension): HostPorts {
  if (extension.stale !== undefined) throw new Error(extension.stale);
  if (state.ports !== null) return state.ports;
  throw new PiError({
    code: "extension_loading",
    message: "Extension runtime not initialized: while an extension loads it may only register",
    hint: "Do it in a session_start handler.",
  });
}
