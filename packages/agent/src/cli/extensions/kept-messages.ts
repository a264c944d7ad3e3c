import type { PlacedMessage } from "../../contract/interactive.ts";
import { isJsonObject, type Json } from "../../contract/json.ts";
import type { SessionRecord } from "../../contract/session.ts";
import type { Session } from "../../session/session.ts";

/** What extensions showed on the branch in use, and the entries they keep there, as they are drawn again. Throws when the log cannot be read. */
export function keptMessages({ tree, records }: Pick<Session, "records" | "tree">): PlacedMessage[] {
  const path = [];
  for (let node = tree.head; node !== null && node !== undefined; node = node.parent) path.push(node);
  let after = 0;
  const placed: { after: number; node: (typeof path)[number] }[] = [];
  for (const node of path.reverse())
    if (node.type === "message") after++;
    else if (node.type === "extension") placed.push({ after, node });
  if (placed.length === 0) return [];
  return records(placed.map(({ node }) => node)).flatMap((record, index) => {
    const message = record?.type === "extension" ? shownAs(record) : null;
    return message === null ? [] : [{ after: placed[index]!.after, message }];
  });
}

function shownAs(record: Extract<SessionRecord, { type: "extension" }>): PlacedMessage["message"] | null {
  const { custom: customType, data, kind, id } = record;
  const timestamp = Date.parse(record.ts);
  if (kind === "entry")
    return { kind, customType, text: "", value: { type: "custom", id, customType, data, timestamp } };
  if (record.display !== true) return null;
  const { content = "", details = null } = isJsonObject(data) ? data : {};
  return {
    kind,
    customType,
    text: textIn(content),
    value: {
      role: "custom",
      customType,
      content,
      display: true,
      ...(details === null ? {} : { details }),
      timestamp,
    },
  };
}

/** What can be read of a content that was kept as the extension gave it. */
function textIn(content: Json): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}
