import { join } from "node:path";
import { isJsonObject, type Json } from "../../../contract/json.ts";
import { ensurePrivateFolder } from "../../../platform/private-folder.ts";
import { readSmallFile } from "../../../platform/read-small-file.ts";
import { writeIfDifferent } from "../../../platform/write-if-different.ts";
import { type Catalog, type ListedTool, listedPrompt, listedTool } from "../tools/listed-tool.ts";
import { offerOf } from "../tools/tool-offer.ts";

/** Grows whenever something else is made of what servers list. */
const FORM = 2;
/** A longer list is asked for at every start. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What servers listed last time, so that a start need not wait for them. */
export interface ToolListCache {
  /** The file of a server's list. */
  file(digest: string): string;
  /** Null when nothing usable is there. */
  read(digest: string): Catalog | null;
  /** What cannot be written is only not there next time. */
  write(digest: string, catalog: Catalog): void;
}

/**
 * The cache in `folder` (made at the first write, 0700): one private file a server. What was made of a list counts for the version of
 * the program that made it, and is made anew by any other.
 */
export function toolListCache(folder: string, version: string): ToolListCache {
  const file = (digest: string) => join(folder, `${digest}.json`);
  return {
    file,
    read(digest) {
      try {
        return catalogOf(JSON.parse(readSmallFile(file(digest), MOST_BYTES)), version);
      } catch {
        // none yet, or not ours any more: the server is asked
        return null;
      }
    },
    write(digest, catalog) {
      const tools = catalog.tools.map(({ offer, ...tool }) => (isLasting(offer) ? { ...tool, offer } : tool));
      const text = JSON.stringify({ form: FORM, version, ...catalog, tools, problems: [] });
      if (text.length > MOST_BYTES) return;
      try {
        ensurePrivateFolder(folder);
        writeIfDifferent(file(digest), text, { mode: 0o600, durable: false });
      } catch {
        // a full or read-only disk
      }
    },
  };
}

function isLasting(offer: ListedTool["offer"]): boolean {
  return offer !== undefined && ("problem" in offer || offer.hides !== true);
}

function catalogOf(value: unknown, version: string): Catalog | null {
  if (!isJsonObject(value) || value["form"] !== FORM || !Array.isArray(value["tools"])) return null;
  const sameProgram = value["version"] === version;
  const toolOf = (entry: Json) => {
    const tool = listedTool(entry);
    const offer = sameProgram && isJsonObject(entry) ? offerOf(entry["offer"]) : undefined;
    return tool === null || offer === undefined ? tool : { ...tool, offer };
  };
  const prompts = Array.isArray(value["prompts"]) ? value["prompts"] : [];
  return {
    tools: value["tools"].map(toolOf).filter((tool) => tool !== null),
    prompts: prompts.map(listedPrompt).filter((prompt) => prompt !== null),
    resources: value["resources"] === true,
    completions: value["completions"] === true,
    problems: [],
  };
}
