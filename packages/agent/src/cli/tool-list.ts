import type { AnyTool } from "../contract/tool.ts";
import { nearNames } from "../platform/near-names.ts";
import { usageError } from "./usage-error.ts";

/** The tools that `--tools`, `--exclude-tools` and `--no-tools` leave, in the built-in order. Throws a usage error for a name nobody has. */
export function chooseTools(
  tools: readonly AnyTool[],
  wanted: readonly string[] | null,
  excluded: readonly string[],
): AnyTool[] {
  const names = tools.map((tool) => tool.name);
  for (const name of [...(wanted ?? []), ...excluded])
    if (!names.includes(name)) {
      const near = nearNames(name, names);
      throw usageError(
        `there is no tool "${name}"${near.length > 0 ? `; near names: ${near.join(", ")}` : ""}`,
        `tools: ${names.join(", ")}`,
      );
    }
  return tools.filter(
    (tool) => (wanted === null || wanted.includes(tool.name)) && !excluded.includes(tool.name),
  );
}
