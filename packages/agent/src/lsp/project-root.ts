import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { readSmallFile } from "../platform/read-small-file.ts";

/** The nearest folder from the file's own upwards, within the project, that holds one of the markers; else the project. */
export function rootFor(file: string, project: string, markers: readonly string[]): string {
  for (const folder of foldersAbove(file, project))
    if (markers.some((marker) => existsSync(join(folder, marker)))) return folder;
  return project;
}

/** Whether one of these files lies in the file's folder or above it, within the project. */
export function hasAbove(file: string, project: string, names: readonly string[]): boolean {
  return foldersAbove(file, project).some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/** Whether a package.json in the file's folder or above it, within the project, has settings for one of these packages or depends on it. */
export function usesPackage(file: string, project: string, names: readonly string[]): boolean {
  return foldersAbove(file, project).some((folder) => {
    const manifest = readManifest(join(folder, "package.json"));
    const places = [manifest, manifest["dependencies"], manifest["devDependencies"]].filter(isJsonObject);
    return names.some((name) => places.some((place) => Object.hasOwn(place, name)));
  });
}

/** Empty where there is none, or none that can be read. */
function readManifest(path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readSmallFile(path));
    return isJsonObject(value) ? value : {};
  } catch {
    // most folders have none
    return {};
  }
}

function foldersAbove(file: string, project: string): string[] {
  const folders: string[] = [];
  const inside = (folder: string) => folder === project || folder.startsWith(project + sep);
  for (let folder = dirname(file); inside(folder); folder = dirname(folder)) {
    folders.push(folder);
    if (folder === project || folder === dirname(folder)) break;
  }
  return folders;
}
