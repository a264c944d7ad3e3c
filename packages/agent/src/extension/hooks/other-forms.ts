import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { HookEvent } from "./hook-entry.ts";

/** Where other agents' hooks (Claude Code's, Copilot's, Cursor's, Gemini's) say what is to become of a call. */
const VERDICTS = ["decision", "permissionDecision", "permission"] as const;
const REASONS = [
  "permissionDecisionReason",
  "reason",
  "message",
  "agentMessage",
  "agent_message",
  "stopReason",
  "userMessage",
  "user_message",
] as const;
/** Keys of theirs that mean something to ours. */
const TEXTS = {
  additionalContext: "add",
  updatedToolOutput: "result",
  updatedMCPToolOutput: "result",
} as const;
/** What has no effect here and needs none. */
const IDLE = ["hookEventName", "suppressOutput", "systemMessage", "interrupt", ...REASONS] as const;

const HOLDS = /^(?:block|den(?:y|ied)|reject|refuse|forbid)/;
const ASKS = /^(?:ask|defer)/;
const LETS = /^(?:allow|approve|accept|permit|undefined$|null$|$)/;

/**
 * An answer in our keys. What cannot be understood of it keeps its name, and is a problem then. A hook that says in any place that
 * something is not to happen is taken at its word: a call that was meant to be held back must not go through for want of a key.
 */
export function inOurKeys(event: HookEvent, given: JsonObject): JsonObject {
  const { hookSpecificOutput, ...top } = given;
  const specific = isJsonObject(hookSpecificOutput) ? hookSpecificOutput : {};
  const decision = isJsonObject(specific["decision"]) ? specific["decision"] : {};
  const places = [specific, top, decision];
  const ours: JsonObject =
    hookSpecificOutput === undefined || isJsonObject(hookSpecificOutput) ? {} : { hookSpecificOutput };
  const verdicts: string[] = [];
  for (const place of places)
    for (const [key, value] of Object.entries(place)) {
      const text = key in TEXTS ? TEXTS[key as keyof typeof TEXTS] : undefined;
      if (isVerdict(key, place === decision)) {
        if (isJsonObject(value)) continue;
        const word = String(value).toLowerCase();
        verdicts.push(word);
        if (!HOLDS.test(word) && !ASKS.test(word) && !LETS.test(word)) ours[key] = value;
      } else if (key === "continue" && typeof value === "boolean") {
        if (!value && event !== "stop") verdicts.push("block");
      } else if (key === "updatedInput") ours["input"] = value;
      else if (text !== undefined) ours[text] = value;
      else if (!(IDLE as readonly string[]).includes(key)) ours[key] = value;
    }
  const reason = REASONS.flatMap((key) => places.map((place) => place[key])).find(isText);
  const verdict = verdicts.some((word) => HOLDS.test(word))
    ? "block"
    : verdicts.some((word) => ASKS.test(word))
      ? "ask"
      : undefined;
  if (verdict === "block" && event === "stop") ours["continue"] = reason ?? true;
  else if (verdict !== undefined && !isText(ours[verdict])) ours[verdict] = reason ?? true;
  for (const key of ["block", "ask"] as const)
    if (ours[key] === true && reason !== undefined) ours[key] = reason;
  return ours;
}

function isVerdict(key: string, inDecision: boolean): boolean {
  return (VERDICTS as readonly string[]).includes(key) || (inDecision && key === "behavior");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

const MEANT =
  /["'](?:block|ask)["']\s*:\s*(?!false|null|None|False)|["'](?:decision|permissionDecision|permission|behavior)["']\s*:\s*["'](?:block|deny|ask)|["']continue["']\s*:\s*false/i;

/** Whether output that is no JSON (a quotation mark in its reason, Python's quotes) was meant to hold something back. */
export function meantToHold(text: string): boolean {
  return MEANT.test(text);
}
