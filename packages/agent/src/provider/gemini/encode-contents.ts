import type { Json, JsonObject } from "../../contract/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  ModelSource,
  TextPart,
  ToolMessage,
  ToolResultPart,
} from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { sameSource } from "../shared/read.ts";
import { isModern } from "./generation.ts";
import { callIdOf, NO_SIGNATURE, signatureOf } from "./items.ts";

interface Context {
  source: ModelSource;
  /** Generation 3 and later. */
  modern: boolean;
  images: boolean;
  /** Our call id to the service's; undefined: the service knows none. */
  callIds: Map<string, string | undefined>;
}

/**
 * The conversation as contents: parts of this model go back unchanged and in order, those of others, and of messages before
 * `signaturesFrom`, without their signatures.
 */
export function encodeContents(request: ModelRequest, source: ModelSource, signaturesFrom: number): Json[] {
  const { model } = request;
  const context: Context = {
    source,
    modern: isModern(model.id),
    images: model.images || !model.known,
    callIds: new Map(),
  };
  return request.messages.flatMap((message, index) =>
    encodeMessage(message, context, index >= signaturesFrom),
  );
}

function encodeMessage(message: Message, context: Context, signed: boolean): JsonObject[] {
  switch (message.role) {
    case "user":
      return content(
        "user",
        message.parts.map((part) => encodeUserPart(part, context)),
      );
    case "assistant":
      return content("model", encodeAssistant(message, context, signed));
    case "tool":
      return encodeResults(message, context);
  }
}

/** A content; none where it would be empty, which the service refuses. */
function content(role: "user" | "model", parts: Json[]): JsonObject[] {
  return parts.length === 0 ? [] : [{ role, parts }];
}

function encodeUserPart(part: TextPart | ImagePart, context: Context): Json {
  if (part.type === "text") return { text: part.text };
  if (!context.images) return { text: "[An image was left out: this model does not read images.]" };
  return { inlineData: { mimeType: part.mimeType, data: part.data } };
}

function encodeAssistant(message: AssistantMessage, context: Context, signed: boolean): Json[] {
  const own = sameSource(message.source, context.source);
  const parts: Json[] = [];
  let first = true;
  for (const part of message.parts) {
    const signature = own && signed ? signatureOf(part.opaque) : {};
    if (part.type === "thinking") {
      // A summary without a signature means nothing to the service.
      if (signature.thoughtSignature) parts.push({ text: part.text, thought: true, ...signature });
    } else if (part.type === "text") {
      // An empty text may be the carrier of a signature.
      if (part.text !== "" || signature.thoughtSignature) parts.push({ text: part.text, ...signature });
    } else {
      const id = callIdOf(own ? part.opaque : undefined, part.id);
      context.callIds.set(part.id, id);
      parts.push({
        functionCall: { ...(id !== undefined && { id }), name: part.name, args: part.arguments },
        // Only the first call of a step has a signature, and it must have one.
        ...(first && context.modern && { thoughtSignature: NO_SIGNATURE }),
        ...signature,
      });
      first = false;
    }
  }
  return parts;
}

/** All results of a step in one content, in call order. Where results cannot hold images, these follow in a content of their own. */
function encodeResults(message: ToolMessage, context: Context): JsonObject[] {
  const after: Json[] = [];
  const responses = message.parts.map((part): Json => {
    const texts = part.content.filter((item) => item.type === "text").map((item) => item.text);
    const images = part.content.filter((item) => item.type === "image");
    const inside = context.modern && context.images;
    if (images.length > 0 && !inside)
      after.push(
        { text: `Images of the result of ${part.name}:` },
        ...images.map((image) => encodeUserPart(image, context)),
      );
    return encodeResponse(part, texts.join("\n"), inside ? images : [], context);
  });
  return [...content("user", responses), ...content("user", after)];
}

function encodeResponse(part: ToolResultPart, text: string, images: ImagePart[], context: Context): Json {
  const id = context.callIds.has(part.id) ? context.callIds.get(part.id) : part.id;
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      name: part.name,
      response: part.isError ? { error: text } : { output: text },
      ...(images.length > 0 && { parts: images.map((image) => encodeUserPart(image, context)) }),
    },
  };
}
