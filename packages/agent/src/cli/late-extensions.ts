import { existsSync } from "node:fs";
import { join } from "node:path";
import { Runner } from "../agent/runner.ts";
import type { ExtensionResources } from "../extension/pi/load/extension-entry.ts";
import type { AppParts } from "./app-parts.ts";
import type { LateExtensions } from "./extensions/conversation-extensions.ts";
import { piFolder } from "./extensions/pi-folder.ts";
import type { Settings } from "./settings.ts";

const NOTHING: ExtensionResources = { skills: [], prompts: [] };

const NONE: LateExtensions = {
  host: null,
  found: { entries: [], resources: NOTHING, problems: [] },
  callbacks: [],
  resources: NOTHING,
  without: (names) => names,
  tools: (base) => base,
  conversation: (base) => base,
  runner: (options) => new Runner(options),
  begin: () => Promise.resolve(),
  modelChanged: () => undefined,
  thinkingChanged: () => undefined,
  commands: () => [],
  reload: () => Promise.resolve(),
  refuses: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

/** Loads the extensions of the command line, the user's folders and settings, and a trusted project. Never rejects: what fails is a notice. A subagent has none. */
export async function lateExtensions(parts: AppParts): Promise<LateExtensions> {
  if (parts.flags.noExtensions || parts.subagent !== undefined || !mayHaveExtensions(parts)) return NONE;
  const { openExtensions } = await import("./extensions/open-extensions.ts");
  return await openExtensions(parts);
}

/** Whether any file could name an extension; a look at the disk, so that a start without any loads nothing. */
export function mayHaveExtensions(
  parts: Pick<AppParts, "flags" | "home" | "environment"> & {
    settings: Pick<Settings, "config" | "project" | "trusted">;
  },
): boolean {
  const { flags, settings, home } = parts;
  const { config, project, trusted } = settings;
  if (flags.extensions.length + config.extensions.length + config.packages.length > 0) return true;
  if (existsSync(join(home.root, "extensions")) || existsSync(join(piFolder(parts), "settings.json")))
    return true;
  return trusted && project.folder !== null && existsSync(join(project.folder, "extensions"));
}
