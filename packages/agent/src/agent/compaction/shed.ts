/** The first stage: results that newer ones have superseded. */
import type { ToolResultPart } from "../../contract/messages.ts";
import { canonicalJson } from "../canonical.ts";
import { type FileUse, type FinishedCall, fileUse, type KindOf } from "./calls.ts";

/**
 * The results that say nothing any more, with the reason for the model. Superseded is what the same tool gave for the same arguments
 * later; a read only by a read of the same or more lines of its file, or when the file was written whole. A call that failed
 * supersedes nothing.
 */
export function superseded(calls: readonly FinishedCall[], kindOf: KindOf): Map<ToolResultPart, string> {
  const found = new Map<ToolResultPart, string>();
  const again = new Set<string>();
  const later = new Map<string, FileUse[]>();
  for (const finished of [...calls].reverse()) {
    const { call, result } = finished;
    const use = fileUse(finished, kindOf);
    const key = `${call.name} ${canonicalJson(call.arguments)}`;
    const reason =
      (use?.how === "read" ? readReason(use, later.get(use.path) ?? []) : undefined) ??
      (again.has(key) ? "the same call was made again later" : undefined);
    if (reason !== undefined && !result.isError) found.set(result, reason);
    if (!result.isError) again.add(key);
    if (use) later.set(use.path, [...(later.get(use.path) ?? []), use]);
  }
  return found;
}

function readReason(read: FileUse, later: readonly FileUse[]): string | undefined {
  for (const use of later) {
    if (use.how === "write") return `${read.path} was written anew later`;
    if (use.how === "read" && covers(use, read)) return `these lines of ${read.path} were read again later`;
  }
  return undefined;
}

function covers(outer: FileUse, inner: FileUse): boolean {
  if (!outer.lines || !inner.lines) return false;
  return outer.lines.from <= inner.lines.from && outer.lines.to >= inner.lines.to;
}

/** What stands for a result that was left out; `path` is the file that has all of it. */
export function stubFor(result: ToolResultPart, reason: string, path: string | undefined): ToolResultPart {
  const text = resultText(result);
  const images = result.content.filter((part) => part.type === "image").length;
  const left = [
    ...(text === "" ? [] : [`${text.length} characters`]),
    ...(images === 0 ? [] : [`${images} ${images === 1 ? "image" : "images"}`]),
  ].join(" and ");
  const where = path === undefined ? "" : ` The text is in ${path}.`;
  return { ...result, content: [{ type: "text", text: `[${left} left out: ${reason}.${where}]` }] };
}

/** The text of a result. */
export function resultText(result: ToolResultPart): string {
  return result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
