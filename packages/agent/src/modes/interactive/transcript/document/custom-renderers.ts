import type { ExtensionMessage } from "../../../../contract/extension-surface.ts";
import type { ToolRun } from "../tools/tool-run.ts";

/** How something is to be drawn by whoever knows how. */
export interface CustomDraw {
  readonly width: number;
  /** It is open: the whole of it is wanted. */
  readonly open: boolean;
  /** The most rows. */
  readonly rows: number;
  /** Whether pictures are drawn. */
  readonly images: boolean;
  readonly cwd: string;
  /** Its rows may have changed. */
  readonly changed: () => void;
}

/** Draws what extensions brought into the transcript. Rows fit the width and are safe; undefined: the plain form is to be drawn. */
export interface CustomRenderers {
  /** What was asked of a tool. */
  toolCall(run: ToolRun, draw: CustomDraw): string[] | undefined;
  /** What came of it; while it runs, of its output so far. */
  toolResult(run: ToolRun, draw: CustomDraw): string[] | undefined;
  /** Whether there is a renderer for such messages. */
  knows(message: ExtensionMessage): boolean;
  message(message: ExtensionMessage, draw: CustomDraw): string[] | undefined;
}
