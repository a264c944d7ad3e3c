import type { ContentBlock, Diff, ToolCallContent } from "@agentclientprotocol/sdk";
import type { ImagePart } from "../../contract/messages.ts";
import { fencedBlock } from "./markdown.ts";

/** Characters of a result that an editor is sent; it is a view, the model has the whole of it. */
const MOST_RESULT = 20_000;
/** Characters of the live output of a call: each piece replaces the one before. */
const MOST_LIVE = 4_000;

/** What came out of a call: what it changed, else what the model reads of it, with its pictures. */
export function resultContent(
  text: string,
  diffs: readonly Diff[],
  images: readonly ImagePart[],
): ToolCallContent[] {
  const shown: ToolCallContent[] = diffs.map((diff) => ({ type: "diff", ...diff }));
  if (diffs.length === 0 && text.trim() !== "") shown.push(content(textBlock(fencedBlock(bounded(text)))));
  for (const { mimeType, data } of images) shown.push(content({ type: "image", mimeType, data }));
  return shown;
}

/** The end of what a running call has put out so far. */
export function liveContent(output: string): ToolCallContent[] {
  return [content(textBlock(fencedBlock(output.slice(-MOST_LIVE).toWellFormed())))];
}

/** Keeps of live output what {@link liveContent} shows. */
export function liveTail(output: string): string {
  return output.slice(-MOST_LIVE);
}

/** A text as a block of content. */
export function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

/** A block as content of a call. */
export function content(block: ContentBlock): ToolCallContent {
  return { type: "content", content: block };
}

function bounded(text: string): string {
  if (text.length <= MOST_RESULT) return text;
  return `${text.slice(0, MOST_RESULT).toWellFormed()}\n… (${text.length - MOST_RESULT} more characters)`;
}
