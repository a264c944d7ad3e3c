/** The port between the loop and a tool. A tool knows doors, not the trust, hooks or limits that wrap it. */
import type { FileDoor, ReadLedger } from "./files.ts";
import type { JsonObject, JsonSchema } from "./json.ts";
import type { ImagePart } from "./messages.ts";
import type { ModelInfo } from "./model.ts";
import type { ProcessDoor, ShellDoor } from "./process.ts";

/** What a tool does to the world; permissions, plan mode and subagents decide by it. */
export type ToolKind = "inspect" | "edit" | "run" | "network";

/** The four outcomes that must never look alike. */
export type Outcome = "found" | "empty" | "not_looked" | "failed";

/**
 * What a tool gives back. `text` is what the model sees (plain text, never JSON in a string); `details` are the
 * documented output fields. `isError` is set for refused or failed calls only: zero matches and a non-zero exit are none.
 */
export interface ToolOutcome {
  outcome: Outcome;
  text: string;
  isError: boolean;
  details: JsonObject;
  images?: ImagePart[];
}

/** The doors of one call. */
export interface ToolContext {
  /** The project folder: an absolute real path. */
  readonly cwd: string;
  readonly callId: string;
  readonly sessionId: string;
  readonly model: ModelInfo;
  readonly files: FileDoor;
  readonly ledger: ReadLedger;
  readonly processes: ProcessDoor;
  readonly shell: ShellDoor;
  /** Keeps output too long for the model; see {@link SpillDoor}. */
  readonly spill: SpillDoor;
  readonly signal: AbortSignal;
  /** False for a file of which the user's rules keep the contents from a tool that names it only by its folder. Absent: all may be shown. */
  readonly mayShow?: (path: string) => boolean;
  /** Live output for people; never part of the history. */
  progress(delta: string): void;
}

/** Private files (0600) for output that was cut. They are deleted by the session's retention, not at exit. */
export interface SpillDoor {
  /** Opens a new file; at most `limitBytes` are kept, later bytes are counted and dropped. Null when the disk refuses. */
  open(label: string, limitBytes?: number): SpillFile | null;
}

export interface SpillFile {
  readonly path: string;
  readonly written: number;
  readonly dropped: number;
  write(bytes: Uint8Array): void;
  close(): void;
}

/** A tool. `Input` is the validated, coerced input. */
export interface ToolDefinition<Input = JsonObject> {
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  readonly input: JsonSchema;
  /** Other names under which models send a property, e.g. `{ path: "file_path" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What was sent as `input` describes it, for models that send another form; what is checked then. May throw: the call is refused. */
  prepare?(sent: JsonObject): JsonObject;
  /** True: runs alone, after all earlier calls of the batch and before all later ones. */
  readonly serial?: boolean;
  /** True: it can be called, and is not in the list that a model is given (which learns of it in another way). */
  readonly undeclared?: boolean;
  /** Calls with one key run one after the other, in call order (a real file path). */
  lockKey?(input: Input, context: ToolContext): string | undefined;
  /**
   * The tool that a call is really meant for, with its input: that one is validated, shown to callbacks and run in this one's place. Or
   * the outcome of a call that is meant for none.
   */
  standsFor?(input: Input): { tool: AnyTool; input: JsonObject } | { outcome: ToolOutcome };
  /** May throw: the loop turns that into a failed result. */
  run(input: Input, context: ToolContext): Promise<ToolOutcome>;
}

/** Any tool, whatever its input: the loop validates before it runs one. */
// biome-ignore lint/suspicious/noExplicitAny: inputs are contravariant; validation at the loop's edge makes them sound
export type AnyTool = ToolDefinition<any>;
