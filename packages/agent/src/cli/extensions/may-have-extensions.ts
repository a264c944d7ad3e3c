import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AppParts } from "../app-parts.ts";
import type { Settings } from "../run-setup.ts";
import { piFolder } from "./pi-folder.ts";

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
