/**
 * Reasoning of compatible servers. It comes in a field of its own (`reasoning_content`, `reasoning`), in OpenRouter's
 * `reasoning_details`, or inside of the content (Mistral); the part's `opaque` remembers which, for the way back.
 */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ThinkingPart } from "../../contract/messages.ts";
import { asList, asObject, asText } from "../shared/read.ts";

/** How a thinking part came in. */
type Kind = "reasoning_content" | "reasoning" | "details" | "content";

const fields = ["reasoning_content", "reasoning", "reasoning_text"] as const;

/** The reasoning text of a delta (the first field that has any: some servers send it twice) and its kind. */
export function reasoningDelta(delta: JsonObject): { text: string; kind: Kind } | undefined {
  for (const field of fields) {
    const text = asText(delta[field]);
    if (text !== "") return { text, kind: field === "reasoning_content" ? field : "reasoning" };
  }
  const text = asList(delta["reasoning_details"])
    .map((item) => asText(asObject(item)?.["text"]) || asText(asObject(item)?.["summary"]))
    .join("");
  return text === "" ? undefined : { text, kind: "details" };
}

/** Joins the pieces of `reasoning_details`: text grows by index, everything else is the newest that was sent. */
export class ReasoningDetails {
  readonly #items: JsonObject[] = [];

  /** True when the delta had any. */
  push(delta: JsonObject): boolean {
    const pieces = asList(delta["reasoning_details"]).map(asObject);
    for (const piece of pieces) {
      if (piece === undefined) continue;
      const open = this.#items.findLast(
        (item) =>
          item["type"] === piece["type"] && item["index"] === piece["index"] && piece["index"] !== undefined,
      );
      if (open === undefined) this.#items.push({ ...piece });
      else
        for (const [key, value] of Object.entries(piece)) {
          if (key === "text" || key === "summary" || key === "data")
            open[key] = asText(open[key]) + asText(value);
          else if (value !== null) open[key] = value;
        }
    }
    return pieces.length > 0;
  }

  /** What goes back, unchanged, to the model that sent it; undefined when there were none. */
  get items(): Json[] | undefined {
    return this.#items.length === 0 ? undefined : this.#items;
  }
}

/** The opaque item of a thinking part. */
export function reasoningOpaque(kind: Kind, details?: Json[]): JsonObject {
  return details === undefined ? { kind } : { kind, details };
}

/**
 * The fields that carry an answer's reasoning back to the model that wrote it. `reasoning_content` belongs to calls only
 * (servers that want it there refuse or ignore it elsewhere); a plain `reasoning` field is never sent back.
 */
export function reasoningFields(
  thinking: readonly ThinkingPart[],
  text: string,
  hasCalls: boolean,
): JsonObject {
  const kept = thinking.map((part) => ({ part, opaque: asObject(part.opaque) }));
  const details = kept.flatMap(({ opaque }) => asList(opaque?.["details"])) as Json[];
  if (details.length > 0) return { reasoning_details: details };
  const of = (kind: Kind) =>
    kept.filter(({ opaque }) => opaque?.["kind"] === kind).map(({ part }) => part.text);
  const content = of("content");
  if (content.length > 0)
    return {
      content: [
        ...content.map((item) => ({ type: "thinking", thinking: [{ type: "text", text: item }] })),
        ...(text === "" ? [] : [{ type: "text", text }]),
      ],
    };
  const reasoning = of("reasoning_content");
  return hasCalls && reasoning.length > 0 ? { reasoning_content: reasoning.join("") } : {};
}
