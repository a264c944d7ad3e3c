import type { ExtensionSurface } from "../../../contract/extension-surface.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { UserMessage } from "../../../contract/messages.ts";
import type { ModelClient, ModelInfo, ThinkingLevel } from "../../../contract/model.ts";
import type { ProcessDoor } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import type { AnyTool, ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import type { SessionPort } from "./session-port.ts";

/** A model and the way to it. */
export interface OpenModel {
  model: ModelInfo;
  client: ModelClient;
  /** Null when none is sent. */
  secret: string | null;
}

/** A service that an extension brings (`pi.registerProvider`): as data, or with code of its own that speaks to it. */
export interface BroughtProvider {
  baseUrl?: string;
  api?: string;
  apiKey?: string;
  headers?: Readonly<Record<string, string>>;
  models?: readonly JsonObject[];
  streamSimple?: unknown;
}

/** What extensions may ask of models. */
export interface ModelsPort {
  current(): ModelInfo;
  thinking(): ThinkingLevel;
  setThinking(level: ThinkingLevel): void;
  /** Models that are known without asking any service; `usable`: its key is there. */
  list(): readonly { model: ModelInfo; usable: boolean; baseUrl: string }[];
  /** Rejects with a PiError when it cannot run. */
  open(provider: string, id: string): Promise<OpenModel>;
  /** Goes on with this model from the next run on. */
  use(opened: OpenModel): void;
  /** What is known of a provider; `usable`: its key is there or can be had, `login`: it is a login and no key. Null: there is none. */
  provider(
    name: string,
  ): { baseUrl: string; headers: Readonly<Record<string, string>>; usable: boolean; login: boolean } | null;
  /** The key as it would be sent; undefined: none. Rejects with a PiError when what prints it fails. */
  key(provider: string): Promise<string | undefined>;
  provide(name: string, provider: BroughtProvider | null): void;
  /** Counts tokens of requests that extensions make in the day's budget; throws a PiError when it is used up. */
  reserve(tokens: number): { settle(used: { input: number; output: number; requests: number }): void };
}

/** How runs are begun outside of one; in a run the host itself goes on. */
export interface RunsPort {
  /** Begins a run: with this message, or (null) from the history as it is. Resolves when it is over, or could not be begun. Absent: only a command that is running can have one. */
  start?(message: UserMessage | null): Promise<void>;
  /** Rejects with a PiError when it cannot. */
  compact(focus: string | undefined): Promise<void>;
  /** What the next request will take. */
  contextTokens(): number;
}

/** What commands may do to the program; absent in print and JSON mode. */
export interface ProgramPort {
  newSession(): Promise<boolean>;
  switchSession(id: string): Promise<boolean>;
  /** A new branch that ends before (`before`) or with (`at`) a record. */
  fork(recordId: string, position: "before" | "at"): Promise<boolean>;
  goTo(recordId: string, options: { summarize: boolean; instructions?: string }): Promise<boolean>;
  reload(): Promise<void>;
  /** Runs `work` as the extension of this file in the conversation that is open now, with a command's `ctx` of it. Rejects as `work` does, and with a PiError when the extension is not there. */
  goOn(file: string, work: (context: unknown) => unknown): Promise<void>;
  quit(): void;
}

/** What the host of extensions works with; made when the conversation is built. */
export interface HostPorts {
  readonly mode: "tui" | "print" | "json" | "rpc";
  /** The project folder: an absolute real path. */
  readonly cwd: string;
  readonly trusted: boolean;
  readonly session: SessionPort;
  readonly models: ModelsPort;
  readonly runs: RunsPort;
  readonly processes: ProcessDoor;
  readonly clock: Clock;
  /** The merged settings, for people's eyes: without keys. */
  settings(): JsonObject;
  system(): string;
  /** Every tool that could be used, without those of extensions. */
  tools(): readonly AnyTool[];
  /** Runs a tool as if a model had called it, with every rule and callback. Never rejects. */
  runTool(
    call: { id: string; name: string; arguments: JsonObject },
    signal: AbortSignal,
    progress: (delta: string) => void,
  ): Promise<ToolOutcome>;
  /** The doors of a call of one of them that an extension makes. */
  toolContext(signal: AbortSignal, progress: (delta: string) => void): ToolContext;
  /** Skills, prompts and built-in commands. */
  commands(): readonly { name: string; description: string; source: "skill" | "prompt" | "builtin" }[];
  tell(level: "info" | "warning", message: string): void;
  /** Null: there is no terminal. */
  surface(): ExtensionSurface | null;
  program(): ProgramPort | null;
}
