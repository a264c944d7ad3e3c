import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { safeLine } from "../../shared/safe-text.ts";
import type { Theme } from "../theme/theme.ts";

/** A rule with the title in it; the title alone where there is no room for both. `note` stands at its right end. */
export function titleRow(title: string, width: number, theme: Theme, note = ""): string {
  const { color } = theme;
  const right = note === "" ? "" : ` ${note} `;
  const text = truncateToWidth(safeLine(title), Math.max(1, width - 4), "…");
  const rest = width - visibleWidth(text) - 4 - visibleWidth(right);
  if (rest < 1) return truncateToWidth(theme.bold(color.heading(text)), width, "…");
  return `${color.border("─")} ${theme.bold(color.heading(text))} ${color.border("─".repeat(rest))}${color.muted(right)}${color.border("─")}`;
}

/** A row of keys and what they do, the most useful first; those without room are left out. */
export function keyRow(
  keys: readonly (readonly [key: string, does: string])[],
  width: number,
  theme: Theme,
): string {
  const { color } = theme;
  let row = "";
  for (const [key, does] of keys) {
    const next = `${row === "" ? "" : "   "}${color.text(safeLine(key))} ${color.muted(safeLine(does))}`;
    if (row !== "" && visibleWidth(row) + visibleWidth(next) > width) break;
    row += next;
  }
  return truncateToWidth(row, width, "…");
}
