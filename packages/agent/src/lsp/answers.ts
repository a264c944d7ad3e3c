import type { SourceSymbol } from "../contract/language-servers.ts";
import { pathOf } from "./file-uri.ts";
import type { LineMap, PositionEncoding, WirePosition } from "./line-map.ts";
import { symbolKind } from "./symbol-kinds.ts";

/** Symbols are cut here, and locations, too: nobody reads more. */
const MOST_ITEMS = 20_000;
const MOST_DEPTH = 50;

interface WireSymbol {
  name?: unknown;
  kind?: unknown;
  detail?: unknown;
  range?: { start: WirePosition; end: WirePosition };
  selectionRange?: { start: WirePosition };
  location?: { range?: { start: WirePosition; end: WirePosition } };
  containerName?: unknown;
  children?: unknown;
}

/** The answer to `documentSymbol`, in both of its forms, as one list in the order of the file. */
export function symbolsOf(result: unknown, map: LineMap, encoding: PositionEncoding): SourceSymbol[] {
  const symbols: SourceSymbol[] = [];
  const add = (list: unknown, depth: number): void => {
    if (!Array.isArray(list) || depth > MOST_DEPTH) return;
    for (const symbol of list as (WireSymbol | null)[]) {
      const range = symbol?.range ?? symbol?.location?.range;
      if (symbol === null || range === undefined || typeof symbol.name !== "string") continue;
      if (symbols.length >= MOST_ITEMS) return;
      symbols.push({
        ...map.shown(symbol.selectionRange?.start ?? range.start, encoding),
        name: oneLine(symbol.name),
        kind: symbolKind(symbol.kind),
        endLine: range.end.line + 1,
        depth,
        ...(typeof symbol.detail === "string" && symbol.detail !== ""
          ? { detail: oneLine(symbol.detail) }
          : {}),
      });
      add(symbol.children, depth + 1);
    }
  };
  add(result, 0);
  return symbols;
}

/** A place as the wire has it, its file an absolute path. */
export interface WirePlace {
  path: string;
  start: WirePosition;
}

/** The answer to `definition` or `references`: one location or many, or links. Each place once; others than files are left out. */
export function placesOf(result: unknown): WirePlace[] {
  const places = new Map<string, WirePlace>();
  for (const entry of (Array.isArray(result) ? result : [result]).slice(0, MOST_ITEMS)) {
    const place = (entry ?? {}) as Record<string, unknown>;
    const uri = place["uri"] ?? place["targetUri"];
    const range = place["range"] ?? place["targetSelectionRange"] ?? place["targetRange"];
    const start = (range as { start?: WirePosition } | undefined)?.start;
    const path = typeof uri === "string" ? pathOf(uri) : null;
    if (path === null || typeof start?.line !== "number" || typeof start.character !== "number") continue;
    places.set(`${path}\0${start.line}:${start.character}`, { path, start });
  }
  return [...places.values()];
}

/** The text of a hover, in any of its forms; empty when there is none. */
export function hoverText(result: unknown): string {
  const contents = (result as { contents?: unknown } | null)?.contents;
  return (Array.isArray(contents) ? contents : [contents])
    .map(markedText)
    .filter((text) => text.trim() !== "")
    .join("\n\n")
    .toWellFormed()
    .replaceAll("\ufffd", "?")
    .replaceAll("\0", "")
    .trim();
}

function markedText(content: unknown): string {
  if (typeof content === "string") return content;
  const { value, language } = (content ?? {}) as { value?: unknown; language?: unknown };
  if (typeof value !== "string") return "";
  return typeof language === "string" ? `\`\`\`${language}\n${value}\n\`\`\`` : value;
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\ufffd", "?")
    .replace(/[\s\0]+/g, " ")
    .trim();
}
