import { fileURLToPath } from "node:url";
import type { ContentBlock, EmbeddedResource } from "@agentclientprotocol/sdk";
import { sendableImage } from "../../contract/images.ts";
import type { ImagePart } from "../../contract/messages.ts";
import type { HubPrompt } from "../../contract/session-hub.ts";
import { fencedBlock } from "./markdown.ts";
import { invalidParams } from "./protocol-error.ts";
import { projectPath, type SessionFolder } from "./session-folder.ts";

/**
 * A prompt of the editor as text and images: what is linked or embedded is named where it stands, and embedded texts follow after
 * what the person wrote, each under its name. Only what was written counts as typed. Paths of the project are shown without its folder. Throws `invalid_params` for sound, for
 * a picture that no service takes, and for nothing at all.
 */
export function promptContent(blocks: readonly ContentBlock[], folder: SessionFolder): HubPrompt {
  let said = "";
  let typed = "";
  const attached: string[] = [];
  const images: ImagePart[] = [];
  for (const block of blocks)
    switch (block.type) {
      case "text":
        said += block.text;
        typed += block.text;
        break;
      case "image":
        images.push(picture(block));
        break;
      case "resource_link":
        said += mention(block.uri, block.name, folder);
        break;
      case "resource": {
        said += mention(block.resource.uri, undefined, folder);
        const { text, image } = embedded(block.resource, folder);
        if (text !== undefined) attached.push(text);
        if (image !== undefined) images.push(image);
        break;
      }
      case "audio":
        throw invalidParams("pi does not take sound", "send the prompt as text");
    }
  const text = [said.trimEnd(), ...attached].filter((part) => part !== "").join("\n\n");
  if (text === "" && images.length === 0) throw invalidParams("the prompt is empty");
  return { text, images, typed };
}

/** Refused here, where a person can attach another one: in the conversation it would only be left out. */
function picture({ mimeType, data }: { mimeType: string; data: string }): ImagePart {
  const found = sendableImage({ type: "image", mimeType, data });
  if ("image" in found) return found.image;
  throw invalidParams(
    `the picture (${mimeType}) cannot be sent to a model: ${found.fault}`,
    "attach a PNG, JPEG, GIF or WebP of less than 4 MB",
  );
}

/** How the thing is named within the sentence. */
function mention(uri: string, name: string | undefined, folder: SessionFolder): string {
  const place = placeOf(uri, folder);
  return name === undefined || place.endsWith(name) ? `\`${place}\`` : `[${name}](${place})`;
}

function embedded(
  resource: EmbeddedResource["resource"],
  folder: SessionFolder,
): { text?: string; image?: ImagePart } {
  const { uri, mimeType } = resource;
  const place = placeOf(uri, folder);
  if ("text" in resource) return { text: `Content of \`${place}\`:\n${fencedBlock(resource.text)}` };
  const found = sendableImage({ type: "image", mimeType: mimeType ?? "", data: resource.blob });
  if ("image" in found) return found;
  const bytes = Math.floor((resource.blob.length * 3) / 4);
  return {
    text: `\`${place}\` is attached as ${bytes} bytes of ${mimeType ?? "an unknown type"}, which cannot be shown as text.`,
  };
}

/** A file as its path (with the lines of the fragment, `#L3:9`, behind it), anything else as its address. */
function placeOf(uri: string, folder: SessionFolder): string {
  const parsed = URL.parse(uri);
  if (parsed?.protocol !== "file:") return uri;
  const lines = /^#L(\d+)(?:[-:]L?(\d+))?$/.exec(parsed.hash);
  const suffix = lines === null ? "" : `:${lines[1]}${lines[2] === undefined ? "" : `-${lines[2]}`}`;
  parsed.hash = "";
  return `${projectPath(pathOf(parsed) ?? uri, folder)}${suffix}`;
}

function pathOf(address: URL): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    // of another machine, or with an encoded slash
    return null;
  }
}
