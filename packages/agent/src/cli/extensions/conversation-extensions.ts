import type { RunnerOptions } from "../../agent/options.ts";
import type { Runner } from "../../agent/runner.ts";
import type { Callbacks } from "../../contract/callbacks.ts";
import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import type { TokenBudget } from "../../contract/services.ts";
import type { Conversation } from "../../contract/session.ts";
import type { SlashCommandInfo } from "../../contract/slash-command.ts";
import type { AnyTool } from "../../contract/tool.ts";
import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import type { ExtensionResources, FoundExtensions } from "../../extension/pi/load/extension-entry.ts";
import type { ProcessRegistry } from "../../platform/processes/registry.ts";
import type { Session } from "../../session/session.ts";
import type { AppDoors } from "../app-parts.ts";
import type { LateSkills } from "../late-skills.ts";
import type { ChosenModel } from "../run-setup.ts";

/** What extensions need of a conversation that is built. */
export interface BoundApp {
  readonly runner: Runner;
  readonly session: Session;
  readonly doors: AppDoors;
  readonly processes: ProcessRegistry;
  readonly skills: LateSkills | null;
  readonly options: Readonly<RunnerOptions>;
  readonly budget: TokenBudget;
  useModel(chosen: ChosenModel): void;
  setThinking(level: RunnerOptions["thinking"]): void;
  /** Every tool but theirs. */
  tools(): readonly AnyTool[];
}

/** The extensions of a conversation. Nothing of their host is loaded while nothing names one. */
export interface LateExtensions {
  /** Null when there is none. */
  readonly host: ExtensionHost | null;
  readonly found: FoundExtensions;
  readonly callbacks: readonly Callbacks[];
  /** Skills and prompts that packages bring. */
  readonly resources: ExtensionResources;
  /** The names without those of tools of extensions. */
  without(names: readonly string[]): readonly string[];
  /** The tools of a run: `base` with theirs. The same list while nothing changes. */
  tools(base: readonly AnyTool[]): readonly AnyTool[];
  conversation(base: Conversation): Conversation;
  runner(options: RunnerOptions): Runner;
  /** Binds them to the conversation and lets them begin. */
  begin(app: BoundApp): Promise<void>;
  /** Another model is used from now on. */
  modelChanged(model: ModelInfo, before: ModelInfo): void;
  /** How hard the model thinks was set. */
  thinkingChanged(level: ThinkingLevel, before: ThinkingLevel): void;
  commands(): readonly SlashCommandInfo[];
  /** Loads all anew, with files as they are now. */
  reload(): Promise<void>;
  /** Whether they let the conversation be left for a new one or another; else the name of the one that does not. */
  refuses(reason: "new" | "resume"): Promise<string | null>;
  /** Lets them end, within their time. A second call does nothing. */
  close(): Promise<void>;
}
