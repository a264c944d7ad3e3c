import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { type LoadConfigOptions, type LoadedConfig, loadConfig } from "../load.ts";
import { findProject } from "../project.ts";

/** The user's config file in a workspace's home. */
export function userFile(ws: Workspace): string {
  return join(ws.home, ".pi-go", "config.json");
}

/** Loads the configuration of a workspace; texts that are given become the config files first. */
export async function loadFrom(
  ws: Workspace,
  files: { user?: string | Uint8Array; project?: string | object } = {},
  other: Partial<LoadConfigOptions> = {},
): Promise<LoadedConfig> {
  mkdirSync(join(ws.home, ".pi-go"), { recursive: true });
  if (files.user !== undefined) writeFileSync(userFile(ws), files.user);
  if (files.project !== undefined)
    ws.write(
      ".pi-go/config.json",
      typeof files.project === "string" ? files.project : JSON.stringify(files.project),
    );
  return loadConfig({
    userFile: userFile(ws),
    userHome: ws.home,
    project: findProject(ws.path, join(ws.home, ".pi-go")),
    trusted: true,
    ...other,
  });
}

/** The notices' texts, one a line. */
export function said(loaded: LoadedConfig): string {
  return loaded.notices.map((notice) => notice.message).join("\n");
}
