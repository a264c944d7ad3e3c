import type { TextGuard } from "../contract/audit.ts";
import type { Notices } from "./notices.ts";

/** Control and invisible characters, and the halves of all beyond the basic plane (emoji, tags). */
const SUSPICIOUS =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\uffff]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0f]/;

/** False for a text that holds nothing critical: the scanner need not be loaded for it. True says nothing. */
export function mayHide(text: string): boolean {
  return SUSPICIOUS.test(text);
}

/** The guard of a run: a model gets critical hidden characters written out, and a notice says where they are. */
export async function loadTextGuard(notices: Notices): Promise<TextGuard> {
  const { writeOutCritical } = await import("../audit/remove-hidden.ts");
  return (source, text) => {
    if (!mayHide(text)) return text;
    const { text: written, findings, counts } = writeOutCritical(text);
    const first = findings.find(({ severity }) => severity === "critical");
    if (first === undefined) return text;
    const more = counts.critical > first.count ? `, and ${counts.critical - first.count} more` : "";
    notices.warn(
      `${source}:${first.line} has hidden characters (${first.codePoint} ${first.name}: ${first.why}${more}). The model sees them written out; pi audit lists them, pi audit --strip removes them`,
    );
    return written;
  };
}
