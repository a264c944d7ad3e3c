import type { ColorRole, Theme } from "../theme/theme.ts";

const WARNING_SHARE = 0.8;
const ERROR_SHARE = 0.95;

/** The role for a share (0 to 1) of something that runs out. */
export function shareRole(share: number): ColorRole {
  if (share >= ERROR_SHARE) return "error";
  return share >= WARNING_SHARE ? "warning" : "muted";
}

/** A bar of `cells` columns: heavy for what is used, light for what is left, so that it reads without colours too. */
export function gauge(share: number, cells: number, theme: Theme): string {
  const bounded = Math.min(1, Math.max(0, share));
  // something used shows as something, and only all of it as all
  const used =
    bounded === 0 ? 0 : Math.max(1, bounded >= 1 ? cells : Math.min(cells - 1, Math.round(bounded * cells)));
  const role = shareRole(share);
  const paint = theme.color[role === "muted" ? "accent" : role];
  return paint("━".repeat(used)) + theme.color.border("─".repeat(cells - used));
}

/** A share in whole percent; what is not full is never called 100%, and what is used never 0%. */
export function percent(share: number): string {
  if (share <= 0) return "0%";
  if (share < 1) return `${Math.min(99, Math.max(1, Math.round(share * 100)))}%`;
  return `${Math.round(share * 100)}%`;
}
