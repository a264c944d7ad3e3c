import type { PermissionRule } from "./rule.ts";

/** What the rules say about one call. */
export type Verdict =
  | { kind: "run" }
  | { kind: "deny"; rule: PermissionRule; reason: string }
  | {
      kind: "ask";
      rule: PermissionRule;
      reason: string;
      /** Rules that would cover what is asked for; empty when none can. */
      suggestions: string[];
      lasting: boolean;
    };

/** The rules in force: those of the settings, and those that a person added during the session. */
export interface RuleSet {
  deny: readonly PermissionRule[];
  ask: readonly PermissionRule[];
  allow: readonly PermissionRule[];
  /** From answers: they count before any ask rule, and after every deny rule. */
  granted: readonly PermissionRule[];
}

/** Whether an allow rule decides against an ask rule: it is narrower, or a person granted it. */
export function outranks(
  allow: PermissionRule,
  ask: PermissionRule,
  granted: readonly PermissionRule[],
): boolean {
  return !ask.broken && (granted.includes(allow) || allow.width > ask.width);
}
