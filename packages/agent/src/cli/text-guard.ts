import type { TextGuard } from "../contract/audit.ts";
import type { Notices } from "./notices.ts";

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

/** True for a text in which nothing can be hidden: the scanner need not be loaded for it. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** The guard of a run: a model gets critical hidden characters written out, and a notice says where they are. */
export async function loadTextGuard(notices: Notices): Promise<TextGuard> {
  const { writeOutCritical } = await import("../audit/remove-hidden.ts");
  return (source, text) => {
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
