/** The parts of single messages in the form every provider takes. */
import { sendableImage } from "../../contract/images.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ImagePart,
  ModelSource,
  TextPart,
  ToolResultPart,
  UserMessage,
} from "../../contract/messages.ts";
import { wellFormed } from "../well-formed.ts";

/** What decides about parts. */
export interface PartRules {
  /** Who the request goes to: only its own thinking and opaque items go back to it. */
  source: ModelSource;
  images: boolean;
  modelName: string;
}

/**
 * An assistant message's parts as this model may see them: another model's thinking and opaque items dropped, unfinished
 * thinking too, no blank text, no thinking at the end with nothing after it.
 */
export function cleanAssistantParts(
  message: AssistantMessage,
  rules: PartRules,
  withThinking: boolean,
): AssistantPart[] {
  const own = sameSource(message.source, rules.source);
  const calls = message.parts.some((part) => part.type === "tool_call");
  // An unfinished answer goes back as plain text: its provider items are halves that services refuse.
  const exact = own && (!message.partial || calls);
  const parts: AssistantPart[] = [];
  for (const part of message.parts) {
    if (part.type === "thinking") {
      const finished = !message.partial || part.signature !== undefined || part.opaque !== undefined;
      if (exact && withThinking && finished) parts.push(wellFormed(part));
    } else if (part.type === "tool_call") {
      // What goes back of an unreadable call is not what came: a signature over it would be refused.
      parts.push(exact && !part.problem ? wellFormed(part) : withoutOpaque(wellFormed(part)));
    } else {
      const text = exact ? wellFormed(part) : withoutOpaque(wellFormed(part));
      if (text.opaque !== undefined || text.text.trim() !== "") parts.push(text);
    }
  }
  while (parts.at(-1)?.type === "thinking") parts.pop();
  return parts;
}

/** A user message without blank parts and, for a model without eyes, without images; never empty. */
export function cleanUserMessage(message: UserMessage, rules: PartRules): UserMessage {
  const parts = cleanContent(message.parts, rules, "(no text)");
  return parts === message.parts ? message : { ...message, parts };
}

/** A result's content, never empty. */
export function cleanResult(part: ToolResultPart, rules: PartRules): ToolResultPart {
  const content = cleanContent(part.content, rules, "(no output)");
  return content === part.content ? part : { ...part, content };
}

function cleanContent(
  parts: (TextPart | ImagePart)[],
  rules: PartRules,
  filler: string,
): (TextPart | ImagePart)[] {
  const cleaned: (TextPart | ImagePart)[] = [];
  for (const part of parts) {
    if (part.type === "image") cleaned.push(rules.images ? cleanImage(part) : omittedImage(part, rules));
    else if (part.text.trim() !== "") cleaned.push(wellFormed(part));
  }
  if (cleaned.length === 0) return [{ type: "text", text: filler }];
  const same = cleaned.length === parts.length && cleaned.every((part, i) => part === parts[i]);
  return same ? parts : cleaned;
}

/** An image may have megabytes, and a history that callbacks change is cleaned anew for each request. */
const cleanedImages = new WeakMap<ImagePart, TextPart | ImagePart>();

/** Images come from editors, tool servers and extensions, too, which call them what they like. */
function cleanImage(part: ImagePart): TextPart | ImagePart {
  let cleaned = cleanedImages.get(part);
  if (cleaned === undefined) {
    cleaned = judgedImage(part);
    cleanedImages.set(part, cleaned);
  }
  return cleaned;
}

function judgedImage(part: ImagePart): TextPart | ImagePart {
  const found = sendableImage(part);
  if ("fault" in found) return { type: "text", text: `[image left out: ${found.fault}]` };
  const { mimeType, data } = found.image;
  return mimeType === part.mimeType && data === part.data ? part : found.image;
}

function omittedImage(part: ImagePart, rules: PartRules): TextPart {
  return { type: "text", text: `[image (${part.mimeType}) left out: ${rules.modelName} takes no images]` };
}

function withoutOpaque<Part extends { opaque?: unknown }>(part: Part): Part {
  if (part.opaque === undefined) return part;
  const { opaque: _, ...rest } = part;
  return rest as Part;
}

function sameSource(a: ModelSource, b: ModelSource): boolean {
  return a.provider === b.provider && a.wire === b.wire && a.model === b.model;
}
