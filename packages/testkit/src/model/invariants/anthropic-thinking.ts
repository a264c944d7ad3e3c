import { mergedMessages, prefixDigest } from "../dialects/anthropic-reading.ts";
import type { Issued, IssuedAnswer, IssuedPart } from "../issued.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import { type Fields, fields, string } from "../wire.ts";

/** Models whose thinking is bound to system, tools and all messages before it. */
const BOUND = /(opus|sonnet)-5-5|fable-5-[12]/;
const MODIFIED =
  "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. " +
  "These blocks must remain as they were in the original response.";

/** Thinking that comes back must be what this server gave out: same text, same signature, same model, same order. */
export function thinkingProblems(request: RecordedRequest, issued: Issued): string[] {
  const messages = mergedMessages(request.body);
  const problems: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    for (const [at, block] of message.blocks.entries()) {
      const problem = blockProblem(request, issued, index, block);
      if (problem) problems.push(`messages.${index}.content.${at}: ${problem}`);
    }
    const keys = message.blocks.map(blockKey);
    for (const answer of issued.answers)
      if (answer.wire === "anthropic" && outOfOrder(answer, keys))
        problems.push(`messages.${index}: blocks of one answer came back in another order. ${MODIFIED}`);
  }
  if (problems.length > 0) return problems;
  return missingInLatest(request, issued, messages);
}

function blockProblem(
  request: RecordedRequest,
  issued: Issued,
  index: number,
  block: Fields,
): string | undefined {
  if (block["type"] === "redacted_thinking")
    return issued.redacted.has(string(block["data"])) || issued.sentRaw(string(block["data"]))
      ? undefined
      : "Invalid `data` in `redacted_thinking` block";
  if (block["type"] !== "thinking") return undefined;
  const signature = string(block["signature"]);
  if (signature === "") return "thinking.signature: Field required";
  const known = issued.thinking.get(signature);
  if (!known && issued.sentRaw(signature)) return undefined;
  if (!known) return "Invalid `signature` in `thinking` block";
  if (known.text !== block["thinking"]) return `the text of a thinking block was changed. ${MODIFIED}`;
  if (known.model !== request.model)
    return `thinking of ${known.model} was sent to ${request.model}, which cannot read it`;
  if (BOUND.test(request.model) && known.prefix !== prefixDigest(request.body, index))
    return "The block is bound to a different conversation";
  return undefined;
}

function blockKey(block: Fields): string {
  if (block["type"] === "thinking") return `thinking ${string(block["signature"])}`;
  if (block["type"] === "redacted_thinking") return `redacted ${string(block["data"])}`;
  return block["type"] === "tool_use" ? `call ${string(block["id"])}` : "";
}

function partKey(part: IssuedPart): string {
  if (part.type === "thinking") return `thinking ${part.signature}`;
  if (part.type === "redacted") return `redacted ${part.data}`;
  return part.type === "call" ? `call ${part.id}` : "";
}

function outOfOrder(answer: IssuedAnswer, keys: readonly string[]): boolean {
  let last = -1;
  for (const part of answer.parts) {
    const key = partKey(part);
    const at = key === "" ? -1 : keys.indexOf(key);
    if (at === -1) continue;
    if (at < last) return true;
    last = at;
  }
  return false;
}

/**
 * Inside a tool loop the thinking that led to the latest calls must be there, if the model that made it still thinks. Bound
 * thinking must not, once what it is bound to has changed.
 */
function missingInLatest(
  request: RecordedRequest,
  issued: Issued,
  messages: readonly { role: string; blocks: readonly Fields[] }[],
): string[] {
  const at = messages.findLastIndex((message) => message.role === "assistant");
  const latest = messages[at];
  const inLoop = messages.at(-1)?.blocks.some((block) => block["type"] === "tool_result") ?? false;
  const type = fields(request.body["thinking"])["type"];
  if (!latest || !inLoop || (type !== "enabled" && type !== "adaptive")) return [];
  const keys = new Set(latest.blocks.map(blockKey));
  return issued.answers
    .filter((answer) => answer.wire === "anthropic" && answer.model === request.model)
    .filter((answer) => answer.parts.some((part) => part.type === "call" && keys.has(partKey(part))))
    .filter((answer) => !answer.parts.some((part) => isUnbound(request, issued, at, part)))
    .flatMap((answer) => answer.parts)
    .filter((part) => (part.type === "thinking" || part.type === "redacted") && !keys.has(partKey(part)))
    .map((part) => `a ${part.type} block of the latest answer is missing. ${MODIFIED}`);
}

function isUnbound(request: RecordedRequest, issued: Issued, index: number, part: IssuedPart): boolean {
  const known = part.type === "thinking" ? issued.thinking.get(part.signature) : undefined;
  return (
    known !== undefined && BOUND.test(request.model) && known.prefix !== prefixDigest(request.body, index)
  );
}
