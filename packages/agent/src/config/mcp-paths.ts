import { join } from "node:path";
import type { Project } from "./project.ts";

/** The files beside the configuration that may name MCP servers: the user's, and those of a trusted project (the later one wins). */
export function mcpFiles(place: { userFolder: string; project: Project; trusted: boolean }): {
  user: string;
  project: readonly string[];
} {
  const { userFolder, project, trusted } = place;
  const theirs = [join(project.root, ".mcp.json")];
  if (project.folder !== null) theirs.push(join(project.folder, "mcp.json"));
  return { user: join(userFolder, "mcp.json"), project: trusted ? theirs : [] };
}
