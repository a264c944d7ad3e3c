import type { SpillDoor } from "../../contract/tool.ts";

export interface TextBounds {
  /** The tool whose text it is: the file is named after it. */
  readonly tool: string;
  /** Characters that a model gets to see. */
  readonly most: number;
  readonly spill: SpillDoor;
}

/** Head and tail of a text that is too long, and where all of it is; `cut` says whether anything was left out. */
export function boundedText(
  text: string,
  { tool, most, spill }: TextBounds,
): { readonly text: string; readonly cut: boolean } {
  if (text.length <= most) return { text, cut: false };
  const bytes = new TextEncoder().encode(text);
  const file = spill.open(tool);
  file?.write(bytes);
  file?.close();
  const head = text.slice(0, (most * 3) / 4).toWellFormed();
  const tail = text.slice(-most / 4).toWellFormed();
  const left = text.length - head.length - tail.length;
  const where =
    file === null
      ? "it could not be kept: ask the tool for less"
      : `all of it${file.dropped > 0 ? ` up to ${file.written} bytes` : ""} is in ${file.path}, read it with offset and limit or search it with grep`;
  return {
    text: `${head}\n[… ${left} of ${text.length} characters are left out here; ${where} …]\n${tail}`,
    cut: true,
  };
}
