import type { PathPatterns } from "./path-pattern.ts";
import { type PermissionRule, parseRule } from "./rule.ts";

/**
 * The rule for calls of `tool` on the folder of a file, or on the file alone where that folder is the project itself or its
 * rule would not be narrower than `above`. Undefined for a file outside of the project.
 */
export function suggestForPath(
  tool: string,
  path: string,
  patterns: PathPatterns,
  above: number,
): PermissionRule | undefined {
  const inside = patterns.inProject(path);
  if (inside === null || inside === "") return undefined;
  const folder = inside.includes("/") ? inside.slice(0, inside.lastIndexOf("/")) : undefined;
  const globs = [...(folder === undefined ? [] : [`${escaped(folder)}/**`]), `/${escaped(inside)}`];
  const rules = globs.map((glob) => parseRule("allow", `${tool}(${glob})`));
  return rules.find((rule) => rule.width > above) ?? rules.at(-1);
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, "\\$&");
}
