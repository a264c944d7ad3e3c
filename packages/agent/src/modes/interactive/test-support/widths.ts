import { type Component, stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui";

/** Text that is hard to measure: tabs, wide and combining characters, emoji of several code points, Arabic, control and hidden ones. */
export const AWKWARD =
  "a\tb 日本語 👨‍👩‍👧‍👦 🇩🇪 é e\u0301 العربية 1\ufe0f\u20e3 x\u202ey \u200bz \x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 ";

/** Rows of a component that are wider than the width they were drawn for, over the widths 1 to 200. */
export function tooWide(component: Component): string[] {
  const found: string[] = [];
  for (let width = 1; width <= 200; width++)
    for (const line of component.render(width))
      if (visibleWidth(line) > width || line.includes("\n"))
        found.push(`at ${width} (${visibleWidth(line)}): ${JSON.stringify(line)}`);
  return found;
}

/** The rows of a component as one reads them. */
export function rowsOf(component: Component, width: number): string[] {
  return component.render(width).map((line) => stripTerminalSequences(line).trimEnd());
}
