import type { CommandBlock } from "../../../contract/command.ts";
import { table } from "./outcome.ts";

/** What keys do. */
export interface KeyBinding {
  /** The name that `keybindings` in the config uses. */
  action: string;
  /** What it does, for people. */
  description: string;
  /** The keys as people write them (`Ctrl+R`); empty when it has none. */
  keys: readonly string[];
  /** The heading it stands under. */
  group: string;
  /** The user's config set these keys. */
  changed: boolean;
}

/** One table for each group of keys, in the order in which groups first come. */
export function keyTables(bindings: readonly KeyBinding[], names = false): CommandBlock[] {
  const groups = [...new Set(bindings.map((binding) => binding.group))];
  return groups.map((group) =>
    table(
      [group, "", ...(names ? ["name in keybindings"] : [])],
      bindings
        .filter((binding) => binding.group === group)
        .map(({ keys, description, action, changed }) => [
          keys.length === 0 ? "(no key)" : keys.join(", "),
          description,
          ...(names ? [`${action}${changed ? " (yours)" : ""}`] : []),
        ]),
    ),
  );
}
