/** Where the newest steps begin, which stay as they are. */
import type { Message } from "../../contract/messages.ts";
import { finishedCalls } from "./calls.ts";

/**
 * Index of the first message that is kept: as much of the end as `budget` allows, no call apart from its result. What the model has
 * not seen yet (results of its newest calls, messages after its newest answer) is kept in any case.
 */
export function tailStart(
  messages: readonly Message[],
  budget: number,
  tokensOf: (message: Message) => number,
): number {
  const cuts = cutsIn(messages);
  const most = lastCut(cuts, unseenFrom(messages));
  let start = messages.length;
  for (let index = messages.length - 1, sum = 0; index >= 0; index--) {
    sum += tokensOf(messages[index]!);
    if (sum > budget) break;
    if (cuts[index]) start = index;
  }
  return Math.min(start, most);
}

/** Whether the history can be cut before each message (and, with the last entry, after all of them). */
function cutsIn(messages: readonly Message[]): boolean[] {
  const cuts: boolean[] = new Array(messages.length + 1).fill(true);
  for (const { callAt, resultAt } of finishedCalls(messages))
    for (let index = callAt + 1; index <= resultAt; index++) cuts[index] = false;
  return cuts;
}

function lastCut(cuts: readonly boolean[], most: number): number {
  let index = most;
  while (index > 0 && !cuts[index]) index--;
  return index;
}

/** The first message that no answer has followed yet; with open results, the answer that made the calls. */
function unseenFrom(messages: readonly Message[]): number {
  const answer = messages.findLastIndex((message) => message.role === "assistant");
  const called = messages[answer]?.parts.some((part) => part.type === "tool_call");
  return called ? answer : answer + 1;
}
