import type { Issued, IssuedPart } from "../issued.ts";
import { type Fields, string } from "../wire.ts";

/**
 * Reasoning items come back unaltered, each right before what it led to; an item that is sent with its id needs the
 * reasoning it came from.
 */
export function reasoningProblems(model: string, items: readonly Fields[], issued: Issued): string[] {
  const problems: string[] = [];
  const answers = issued.answers.filter((answer) => answer.wire === "openai-responses");
  for (const [index, item] of items.entries()) {
    if (item["type"] === "reasoning") {
      if (issued.sentRaw(string(item["id"]))) continue;
      const answer = answers.find((candidate) =>
        candidate.parts.some((part) => isReasoning(part, string(item["id"]))),
      );
      problems.push(...itemProblems(model, answer?.model, answer?.parts ?? [], item, items.slice(index + 1)));
      continue;
    }
    const id = string(item["id"]);
    if (id === "") continue;
    const parts =
      answers.find((candidate) => candidate.parts.some((part) => itemId(part) === id))?.parts ?? [];
    const before = parts[parts.findIndex((part) => itemId(part) === id) - 1];
    if (before?.type === "reasoning" && items[index - 1]?.["id"] !== before.id)
      problems.push(
        `Item '${id}' of type '${string(item["type"])}' was provided without its required 'reasoning' item: '${before.id}'.`,
      );
  }
  return problems;
}

function itemProblems(
  model: string,
  madeBy: string | undefined,
  parts: readonly IssuedPart[],
  item: Fields,
  following: readonly Fields[],
): string[] {
  const id = string(item["id"]);
  const at = parts.findIndex((part) => isReasoning(part, id));
  const issuedPart = parts[at];
  if (issuedPart?.type !== "reasoning") return [`Item with id '${id}' not found. Nothing is stored here.`];
  if (madeBy !== model)
    return [`The reasoning item '${id}' of ${madeBy} was sent to ${model}, which cannot read it.`];
  const same = (name: string): boolean =>
    JSON.stringify(item[name]) === JSON.stringify(issuedPart.item[name]);
  if (!same("encrypted_content")) return [`The encrypted content of '${id}' could not be verified.`];
  if (!same("summary")) return [`The summary of the reasoning item '${id}' was changed.`];
  const missing = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
  const next = following[0];
  const wanted = parts[at + 1];
  if (!next || !wanted) return [missing];
  return follows(next, wanted) ? [] : [missing];
}

function follows(next: Fields, wanted: IssuedPart): boolean {
  if (wanted.type === "reasoning") return next["id"] === wanted.id;
  // The service knows its items by their ids; the call's own id may be the client's where the service sent none to use.
  if (wanted.type === "call")
    return (
      next["type"] === "function_call" &&
      (next["call_id"] === wanted.id || (next["id"] !== undefined && next["id"] === wanted.itemId))
    );
  return next["type"] === "message" && next["role"] === "assistant";
}

function isReasoning(part: IssuedPart, id: string): boolean {
  return part.type === "reasoning" && part.id === id;
}

function itemId(part: IssuedPart): string | undefined {
  if (part.type === "call") return part.itemId;
  return part.type === "text" ? part.id : undefined;
}
