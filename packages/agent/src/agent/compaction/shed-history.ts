/** Histories with results left out: superseded ones, or the longest ones after an overflow. Files are written when a plan is applied. */
import type { Message, ToolResultPart } from "../../contract/messages.ts";
import type { RunScope } from "../run-scope.ts";
import { finishedCalls } from "./calls.ts";
import { keepText } from "./kept-text.ts";
import { changedHistory } from "./replace.ts";
import { resultText, stubFor, superseded } from "./shed.ts";
import { chooseShortened, shortenContent } from "./shorten.ts";

/** A stub takes about this many tokens; a result that is not much longer stays. */
const STUB_TOKENS = 80;

export interface ShedPlan {
  /** Tokens that it frees, about. */
  freed: number;
  apply(): Message[];
}

/** Leaves out what newer results have superseded. Undefined when there is nothing of the kind. */
export function planShed(scope: RunScope, messages: readonly Message[]): ShedPlan | undefined {
  const { meter, toolbox, options } = scope;
  const reasons = superseded(finishedCalls(messages), (name) => toolbox.find(name)?.kind);
  let freed = 0;
  for (const result of reasons.keys()) {
    const tokens = meter.ofMessage({ role: "tool", parts: [result] });
    if (tokens <= STUB_TOKENS * 2) reasons.delete(result);
    else freed += tokens - STUB_TOKENS;
  }
  if (reasons.size === 0) return undefined;
  const stub = (result: ToolResultPart): ToolResultPart => {
    const reason = reasons.get(result);
    if (reason === undefined) return result;
    const text = resultText(result);
    const path = text === "" ? undefined : keepText(options.spill, result.name, text);
    return stubFor(result, reason, path);
  };
  return {
    freed,
    apply: () => changedHistory(messages, (part) => ("role" in part ? part : (stub(part) as typeof part))),
  };
}

/**
 * Makes room for a history that took `tokens` and did not fit `window`: what is superseded goes, then the longest results and pasted
 * texts are cut. `history` is absent when there was nothing of either.
 */
export function makeRoom(
  scope: RunScope,
  messages: readonly Message[],
  tokens: number,
  window: number,
): { history?: Message[]; enough: boolean } {
  const rest = planShed(scope, messages)?.apply() ?? messages;
  const choice = chooseShortened(rest, messages, tokens, window);
  if (rest === messages && choice.parts.size === 0) return { enough: false };
  const { spill } = scope.options;
  const history = changedHistory(rest, (part) => {
    if (!choice.parts.has(part)) return part;
    return "role" in part
      ? { ...part, parts: shortenContent(part.parts, "message", spill) }
      : { ...part, content: shortenContent(part.content, part.name, spill) };
  });
  return { history, enough: choice.enough };
}
