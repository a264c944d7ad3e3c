import { readJsonFile } from "../config/read-json-file.ts";
import { saveConfig } from "../config/save.ts";
import { isJsonObject } from "../contract/json.ts";
import type { HomeFolders } from "../platform/home.ts";

/** Adds a rule to `permissions.allow` of the user's config file. Throws as {@link saveConfig}. */
export async function keepRule(rule: string, home: HomeFolders): Promise<void> {
  const read = await readJsonFile(home.config);
  const permissions = read.state === "ok" ? read.value["permissions"] : undefined;
  const allow = isJsonObject(permissions) ? permissions["allow"] : undefined;
  const kept = Array.isArray(allow) ? allow : [];
  if (kept.includes(rule)) return;
  await saveConfig(home.config, [{ path: ["permissions", "allow"], value: [...kept, rule] }]);
}
