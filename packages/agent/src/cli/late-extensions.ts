import { Runner } from "../agent/runner.ts";
import type { ExtensionResources } from "../extension/pi/load/extension-entry.ts";
import type { AppParts } from "./app-parts.ts";
import type { LateExtensions } from "./extensions/conversation-extensions.ts";
import { mayHaveExtensions } from "./extensions/may-have-extensions.ts";

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
