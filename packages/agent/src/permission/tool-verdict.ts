import type { PendingCall } from "../contract/callbacks.ts";
import type { PathPatterns } from "./path-pattern.ts";
import { namesTool, PATH_INPUTS, type PermissionRule, parseRule } from "./rule.ts";
import { suggestForPath } from "./suggest-path.ts";
import { outranks, type RuleSet, type Verdict } from "./verdict.ts";

/**
 * Decides on a call of any tool but bash. A deny or ask rule on a file holds for every way to it: one on `edit` also for `write`
 * and the other way round, one on `read` for every tool that shows a file. An allow rule holds for its own tool only.
 */
export function toolVerdict(call: PendingCall, rules: RuleSet, patterns: PathPatterns): Verdict {
  const path = pathOf(call);
  const denied = rules.deny.find((rule) => catchesCall(rule, call, path, patterns));
  if (denied) return { kind: "deny", rule: denied, reason: reasonFor(denied, call, path) };
  const asked = rules.ask.filter((rule) => catchesCall(rule, call, path, patterns));
  const [rule] = asked.sort((a, b) => b.width - a.width);
  if (!rule) return { kind: "run" };
  const covering = [...rules.granted, ...rules.allow].filter((allow) => covers(allow, call, path, patterns));
  if (covering.some((allow) => outranks(allow, rule, rules.granted))) return { kind: "run" };
  const suggestion = suggest(call, path, rule, patterns);
  return {
    kind: "ask",
    rule,
    reason: reasonFor(rule, call, path),
    suggestions: suggestion ? [suggestion.text] : [],
    lasting: suggestion !== undefined && outranks(suggestion, rule, []),
  };
}

function pathOf(call: PendingCall): string | undefined {
  const field = PATH_INPUTS[call.name];
  if (field === undefined) return undefined;
  const value = call.input[field];
  return typeof value === "string" && value !== "" ? value : ".";
}

function catchesCall(
  rule: PermissionRule,
  call: PendingCall,
  path: string | undefined,
  patterns: PathPatterns,
): boolean {
  if (rule.target.kind === "any") return namesTool(rule, call.name);
  if (rule.target.kind !== "path" || path === undefined) return false;
  const applies =
    namesTool(rule, call.name) ||
    (rule.tool === "read" && call.kind === "inspect") ||
    (/^(?:edit|write)$/.test(rule.tool) && call.kind === "edit");
  return applies && patterns.catches(rule.target.glob, path);
}

function covers(
  rule: PermissionRule,
  call: PendingCall,
  path: string | undefined,
  patterns: PathPatterns,
): boolean {
  if (!namesTool(rule, call.name)) return false;
  if (rule.target.kind === "any") return true;
  return rule.target.kind === "path" && path !== undefined && patterns.covers(rule.target.glob, path);
}

function reasonFor(rule: PermissionRule, call: PendingCall, path: string | undefined): string {
  if (rule.broken) return "the rule is broken";
  return path === undefined ? `it is a call of ${call.name}` : `it is ${call.name} on ${path}`;
}

function suggest(
  call: PendingCall,
  path: string | undefined,
  rule: PermissionRule,
  patterns: PathPatterns,
): PermissionRule | undefined {
  if (path !== undefined) return suggestForPath(call.name, path, patterns, rule.width);
  return /^[A-Za-z0-9_.-]+$/.test(call.name) ? parseRule("allow", call.name) : undefined;
}
