import type { MemoryRecord } from "../memory/record.ts";
import { scopeKey } from "../memory/scope.ts";
import type { Selection } from "../ports/memory-store.ts";
import { ManagerError } from "./manager-error.ts";

/** What would be erased. The token stands for exactly this; it works in another process, too. */
export interface ForgetPreview {
  readonly token: string;
  readonly memories: number;
  readonly sessions: number;
  /** The newest of them, for a person to look at. */
  readonly sample: readonly MemoryRecord[];
  /** From then on the token is refused; milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a token holds. */
export interface ForgetOrder {
  readonly selection: Selection;
  readonly expiresAt: number;
  readonly digest: string;
}

const PREFIX = "forget1.";

/** A fingerprint of what is selected: other records, another text or state, and it differs. */
export async function selectionDigest(
  records: readonly MemoryRecord[],
  selection: Selection,
): Promise<string> {
  const lines = records
    .map((record) => [record.id, scopeKey(record.scope), record.state, record.title, record.text])
    .sort(([one], [other]) => (one! < other! ? -1 : 1));
  const bytes = new TextEncoder().encode(JSON.stringify([selection, lines]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The token of an order: letters, digits, `-`, `_` and one dot. */
export function writeToken(order: ForgetOrder): string {
  const bytes = new TextEncoder().encode(JSON.stringify(order));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The order of a token. Throws a ManagerError for what is none. */
export function readToken(token: string): ForgetOrder {
  const invalid = new ManagerError(
    "preview_invalid",
    "this is no token of a preview, or a part of it is missing",
    "look at the preview again and copy its whole token",
  );
  if (!token.startsWith(PREFIX)) throw invalid;
  try {
    const base64 = token.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const order = JSON.parse(new TextDecoder().decode(bytes)) as Partial<ForgetOrder>;
    if (typeof order.selection !== "object" || order.selection === null) throw invalid;
    if (typeof order.expiresAt !== "number" || typeof order.digest !== "string") throw invalid;
    return order as ForgetOrder;
  } catch {
    throw invalid;
  }
}
