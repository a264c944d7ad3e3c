import type { Severity } from "../contract/audit.ts";

/** What is thought of a hidden character in its place. Neighbours with one and the same verdict object are one finding. */
export interface Verdict {
  severity: Severity;
  why: string;
}

export const critical = (why: string): Verdict => ({ severity: "critical", why });
export const warning = (why: string): Verdict => ({ severity: "warning", why });
export const info = (why: string): Verdict => ({ severity: "info", why });
