import { sendableImage } from "../../../contract/images.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../contract/json.ts";
import type { ImagePart } from "../../../contract/messages.ts";
import type { SpillDoor, ToolOutcome } from "../../../contract/tool.ts";
import { boundedText } from "../../shared/bounded-text.ts";
import { outcome } from "./outcome.ts";

/** Of a result's text a model sees this much; the rest lies in a file. */
const MOST_TEXT = 50_000;
const MOST_IMAGES = 10;
const MOST_STRUCTURED = 20_000;

export interface ResultParts {
  /** As the model knows the tool. */
  tool: string;
  /** The server's name and the details of every result of it. */
  details: JsonObject;
  spill: SpillDoor;
  /** Makes text safe. */
  guard(text: string): string;
}

/** What a server answered to a call, as a result: text and images; anything else is named. Long text is cut, and all of it kept in a file. */
export function toolResult(result: JsonObject, parts: ResultParts): ToolOutcome {
  const images: ImagePart[] = [];
  const lines = blocksOf(result["content"])
    .map((block) => rendered(block, images))
    .filter((text) => text !== "");
  const structured = result["structuredContent"];
  const details: JsonObject = { ...parts.details };
  if (structured !== undefined) {
    const json = JSON.stringify(structured, null, 1);
    if (json.length <= MOST_STRUCTURED) details["structured"] = structured;
    if (lines.length === 0) lines.push(json);
  }
  const guarded = parts.guard(lines.join("\n").toWellFormed());
  const { text, cut } = boundedText(guarded, { ...parts, most: MOST_TEXT });
  if (cut) details["truncated"] = true;
  if (result["isError"] === true) {
    const said = text === "" ? `${parts.tool} failed and gave no reason.` : text;
    return withImages(outcome("failed", said, details), images);
  }
  if (text === "" && images.length === 0)
    return outcome("empty", `${parts.tool} answered without any content.`, details);
  return withImages(outcome("found", text, details), images);
}

/** Texts stand in the place of blocks, too, and a block in that of the list: less than the protocol wants, but not nothing. */
function blocksOf(content: Json | undefined): JsonObject[] {
  return (Array.isArray(content) ? content : [content]).flatMap((block) =>
    typeof block === "string" ? [{ type: "text", text: block }] : isJsonObject(block) ? [block] : [],
  );
}

function withImages(result: ToolOutcome, images: ImagePart[]): ToolOutcome {
  return images.length === 0 ? result : { ...result, images };
}

function rendered(block: JsonObject, images: ImagePart[]): string {
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" ? block["text"] : "";
    case "image":
      return image(block, images);
    case "audio":
      return `[audio, ${typeAndSize(block, "data")}: not shown]`;
    case "resource":
      return isJsonObject(block["resource"]) ? resourceText(block["resource"], images) : "";
    case "resource_link":
      return link(block);
    default:
      return `[content of the kind ${JSON.stringify(block["type"] ?? null).slice(0, 60)}: not shown]`;
  }
}

function image(block: JsonObject, images: ImagePart[]): string {
  const { mimeType, data } = block;
  const about = typeAndSize(block, "data");
  if (typeof data !== "string" || typeof mimeType !== "string" || !mimeType.startsWith("image/"))
    return `[image, ${about}: not shown, models take png, jpeg, gif and webp]`;
  if (images.length >= MOST_IMAGES)
    return `[image, ${about}: not shown, ${MOST_IMAGES} images are the most in one result]`;
  const found = sendableImage({ type: "image", mimeType, data });
  if ("fault" in found) return `[image, ${about}: not shown, ${found.fault}]`;
  images.push(found.image);
  return "";
}

/** The content of one resource: its text under its address, or what it is. */
export function resourceText(resource: JsonObject, images: ImagePart[]): string {
  const uri = typeof resource["uri"] === "string" ? resource["uri"] : "no address";
  if (typeof resource["text"] === "string") return `[${uri}]\n${resource["text"]}`;
  if (typeof resource["blob"] !== "string") return `[${uri}]: without content`;
  if (String(resource["mimeType"]).startsWith("image/")) {
    const shown = image({ mimeType: resource["mimeType"]!, data: resource["blob"] }, images);
    return shown === "" ? `[${uri}]: an image` : `[${uri}]: ${shown}`;
  }
  return `[${uri}]: ${typeAndSize(resource, "blob")}, not text, so it is not shown`;
}

function link({ uri, name, mimeType, description }: JsonObject): string {
  const about = [mimeType, description].filter((part) => typeof part === "string" && part !== "");
  const title = typeof name === "string" && name !== uri ? ` ${name}` : "";
  return `[resource${title}: ${String(uri)}${about.length === 0 ? "" : ` (${about.join("; ")})`}]`;
}

function typeAndSize(block: JsonObject, field: string): string {
  const type = typeof block["mimeType"] === "string" ? block["mimeType"] : "unknown type";
  const data = block[field];
  const bytes = typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0;
  return `${type}, ${bytes} bytes`;
}
