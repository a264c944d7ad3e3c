import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** A word that must not turn up in places where it does not belong. */
export interface Canary {
  word: string;
  /**
   * Throws when the word is in one of these: raw bytes of every file below a folder (and file names and link targets),
   * a text, or a recorded request (its raw body). Also finds it as base64 at any alignment, URL-encoded and JSON-escaped.
   */
  absentFrom(...places: (string | { text: string })[]): void;
}

/** Watches for a secret or private word. A value that is the path of an existing folder or file is searched, else it is text. */
export function canary(word: string): Canary {
  if (word.length < 6) throw new Error(`canary "${word}": a word this short turns up by chance`);
  const forms = formsOf(word);
  return {
    word,
    absentFrom(...places) {
      const found = places.flatMap((place) =>
        typeof place === "string"
          ? searchPlace(place, forms)
          : searchBytes("a request", Buffer.from(place.text), forms),
      );
      if (found.length > 0) throw new Error(`canary "${word}" was found:\n- ${found.join("\n- ")}`);
    },
  };
}

function formsOf(word: string): Map<string, Buffer> {
  const forms = new Map<string, Buffer>([["plain", Buffer.from(word)]]);
  for (const shift of [0, 1, 2]) {
    // Only whole base64 groups that depend on the word alone, whatever stands before and after it.
    const encoded = Buffer.concat([Buffer.alloc(shift), Buffer.from(word)]).toString("base64");
    const bytes = shift + Buffer.byteLength(word);
    const middle = encoded.slice(shift === 0 ? 0 : 4, Math.floor(bytes / 3) * 4);
    if (middle.length >= 8) {
      forms.set(`base64 (${shift})`, Buffer.from(middle));
      forms.set(`base64url (${shift})`, Buffer.from(middle.replaceAll("+", "-").replaceAll("/", "_")));
    }
  }
  forms.set("URL-encoded", Buffer.from(encodeURIComponent(word)));
  forms.set("JSON-escaped", Buffer.from(JSON.stringify(word).slice(1, -1)));
  return forms;
}

function searchPlace(place: string, forms: ReadonlyMap<string, Buffer>): string[] {
  const stats =
    place.length < 4096 && !place.includes("\0") ? lstatSync(place, { throwIfNoEntry: false }) : undefined;
  if (!stats) return searchBytes("a text", Buffer.from(place), forms);
  if (stats.isDirectory()) return readdirSync(place).flatMap((name) => searchEntry(place, name, forms));
  if (stats.isSymbolicLink())
    return searchBytes(`the link target of ${place}`, Buffer.from(readlinkSync(place)), forms);
  return stats.isFile() ? searchBytes(place, readFileSync(place), forms) : [];
}

function searchEntry(folder: string, name: string, forms: ReadonlyMap<string, Buffer>): string[] {
  return [
    ...searchBytes(`the name of ${join(folder, name)}`, Buffer.from(name), forms),
    ...searchPlace(join(folder, name), forms),
  ];
}

function searchBytes(label: string, data: Buffer, forms: ReadonlyMap<string, Buffer>): string[] {
  for (const [form, needle] of forms) if (data.includes(needle)) return [`${label} (${form})`];
  return [];
}
