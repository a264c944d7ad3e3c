import { truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { StartPart } from "../../../contract/interactive.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { Theme } from "../theme/theme.ts";

const DETAIL_ROWS = 3;

/** Whether every part is done, one way or the other. */
export function partsSettled(parts: readonly StartPart[]): boolean {
  return parts.every((part) => part.state !== "waiting" && part.state !== "loading");
}

/** A row for each part while some are on their way; afterwards only what failed, with its reason. Parts that are off take no row. */
export function partRows(parts: readonly StartPart[], width: number, theme: Theme): string[] {
  const settled = partsSettled(parts);
  const shown = parts.filter((part) => (settled ? part.state === "failed" : part.state !== "off"));
  return shown.flatMap((part) => {
    const row = partRow(part, theme);
    if (part.state !== "failed") return [truncateToWidth(row, width, "…")];
    const wrapped = wrapTextWithAnsi(row, Math.max(1, width));
    return wrapped
      .slice(0, DETAIL_ROWS)
      .map((line, index) =>
        index === DETAIL_ROWS - 1 && wrapped.length > DETAIL_ROWS
          ? truncateToWidth(`${line} …`, width, "…")
          : truncateToWidth(line, width, ""),
      );
  });
}

/** One row about what is still on its way or has failed; none when all is well. For a conversation that already fills the screen. */
export function partsSummary(parts: readonly StartPart[], width: number, theme: Theme): string[] {
  const named = (state: StartPart["state"]) =>
    parts.filter((part) => part.state === state).map((part) => safeLine(part.name));
  const coming = [...named("loading"), ...named("waiting")];
  const failed = named("failed");
  const words = [
    ...(coming.length > 0 ? [theme.color.muted(`loading ${coming.join(", ")} …`)] : []),
    ...(failed.length > 0 ? [theme.color.error(`✗ ${failed.join(", ")} failed`)] : []),
  ];
  return words.length === 0 ? [] : [truncateToWidth(words.join("  "), width, "…")];
}

function partRow(part: StartPart, theme: Theme): string {
  const { color } = theme;
  const name = safeLine(part.name);
  const detail = part.detail === undefined ? "" : safeLine(part.detail);
  switch (part.state) {
    case "ready":
      return `${color.success("✓")} ${name}${detail === "" ? "" : color.muted(`  ${detail}`)}`;
    case "failed":
      return `${color.error("✗")} ${name} ${color.error(`failed${detail === "" ? "" : `: ${detail}`}`)}`;
    case "loading":
      return `${color.accent("•")} ${name}${color.muted(`  ${detail === "" ? "loading …" : detail}`)}`;
    default:
      return color.muted(`· ${name}`);
  }
}
