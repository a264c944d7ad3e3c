// Where things are in the checkout.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const AGENT = join(ROOT, "packages", "agent");
export const REMEM = join(ROOT, "packages", "remem");
export const DIST = join(ROOT, "dist");

export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
