import type { ProcessDoor } from "../../../contract/process.ts";
import type { AnyTool, ToolContext } from "../../../contract/tool.ts";
import type { ModelsPort } from "./host-ports.ts";

/** What the modules that extensions import need of the program they run in. */
export interface ModuleHost {
  /** Pi's theme object; undefined where nothing is drawn. */
  theme(): unknown;
  readonly models: ModelsPort;
  readonly processes: ProcessDoor;
  tools(): readonly AnyTool[];
  toolContext(signal: AbortSignal, progress: (delta: string) => void): ToolContext;
}
