import type { Fields } from "../wire.ts";
import { fields, list } from "../wire.ts";

/** `input` as items: a plain string is one user message. */
export function responsesItems(body: Fields): Fields[] {
  if (typeof body["input"] === "string") return [{ type: "message", role: "user", content: body["input"] }];
  return list(body["input"])
    .map(fields)
    .map((item) =>
      item["type"] === undefined && item["role"] !== undefined ? { type: "message", ...item } : item,
    );
}
