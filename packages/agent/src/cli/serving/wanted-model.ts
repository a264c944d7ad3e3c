import { parseModelWords } from "../../commands/slash/shared/model-words.ts";
import { nearNames } from "../../platform/near-names.ts";
import type { Settings } from "../run-setup.ts";

/** What a name asks for: a role's name is a role before it is anything else, as in `/model`. */
export function wantedModel(
  name: string,
  { config }: Settings,
): { request: string | null; role: string | null } {
  const roles = [...new Set(["default", "smol", "slow", "plan", "commit", ...Object.keys(config.roles)])];
  const words = parseModelWords(name, roles, { near: nearNames });
  const role = "wanted" in words ? (words.wanted?.role ?? null) : null;
  return { request: role === null ? name : null, role };
}
