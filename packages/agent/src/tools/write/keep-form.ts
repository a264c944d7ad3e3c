import { sniff } from "../shared/sniff.ts";
import { encodeUtf16 } from "../shared/utf16.ts";

/** Bytes to write, and what of the old file's form they keep (for the model to know). */
export interface KeptForm {
  bytes: Uint8Array;
  notes: string[];
}

/**
 * Gives new text the form of the file it replaces: byte order mark, UTF-16, CRLF where every line had it. The model sees
 * none of these when it reads, so it cannot be what it meant to change.
 */
export function keepForm(content: string, old: Uint8Array | null): KeptForm {
  const notes: string[] = [];
  const plain = content.startsWith("\ufeff") ? content.slice(1) : content;
  const form = old && old.length > 0 ? sniff(old) : null;
  if (!old || form?.kind !== "text") return { bytes: new TextEncoder().encode(content), notes };
  let text = plain;
  if (!text.includes("\r") && text.includes("\n") && everyLineHasCrlf(old, form.encoding)) {
    text = text.replaceAll("\n", "\r\n");
    notes.push("CRLF line ends kept");
  }
  if (form.encoding === "utf-16le" || form.encoding === "utf-16be") {
    notes.push(`${form.encoding.toUpperCase()} kept`);
    return { bytes: encodeUtf16(form.bomLength > 0 ? `\ufeff${text}` : text, form.encoding), notes };
  }
  if (form.bomLength > 0) notes.push("byte order mark kept");
  if (form.encoding === "unknown-8-bit") notes.push("the old file was not UTF-8, the new one is");
  const marked = form.bomLength > 0 || content !== plain ? `\ufeff${text}` : text;
  return { bytes: new TextEncoder().encode(marked), notes };
}

function everyLineHasCrlf(bytes: Uint8Array, encoding: string): boolean {
  const wide = encoding.startsWith("utf-16");
  // In UTF-16 the other half of CR and LF is zero: without the zeros it reads like the rest.
  const plain = wide ? bytes.filter((byte) => byte !== 0) : bytes;
  let lines = 0;
  for (let at = plain.indexOf(10); at !== -1; at = plain.indexOf(10, at + 1)) {
    if (plain[at - 1] !== 13) return false;
    lines++;
  }
  return lines > 0;
}
