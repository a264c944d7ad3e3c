import { CliError } from "../cli-error.ts";
import type { JsoncParser } from "./edit-jsonc.ts";

/**
 * JSON with comments in which a list of the top object has one more text at its end; the list is made when it is missing. Every other byte
 * stays. Throws a CliError where something else than a list has the name, or two things have it.
 */
export function appendToList(
  jsonc: JsoncParser,
  text: string,
  { file, name, entry }: { readonly file: string; readonly name: string; readonly entry: string },
): string {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true })!;
  const all = (root.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  const broken = (what: string) =>
    new CliError(
      "broken_settings",
      `${file}: ${JSON.stringify(name)} ${what}`,
      "correct it; the file was not changed",
    );
  // Programs read the last one, and an entry in another is never seen.
  if (all.length > 1) throw broken(`stands there ${all.length} times`);
  const list = jsonc.findNodeAtLocation(root, [name]);
  if (list !== undefined && list.type !== "array")
    throw broken(`is no list: ${text.slice(list.offset, list.offset + list.length).slice(0, 60)}`);
  const formattingOptions = {
    insertSpaces: !/\n\t/.test(text),
    tabSize: /\n( +)"/.exec(text)?.[1]?.length ?? 2,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  const last = list?.children?.at(-1);
  if (list === undefined || last === undefined)
    return jsonc.applyEdits(text, jsonc.modify(text, [name], [entry], { formattingOptions }));
  // Behind the last entry and its comma, so that a comment of its own stays beside it.
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(last.offset + last.length);
  // 5 is the comma: the enumeration of the package is one of constants, which is not there at run time.
  const comma = 5;
  const hasComma = scanner.scan() === comma;
  const at = hasComma ? scanner.getTokenOffset() + 1 : last.offset + last.length;
  const indent = /\n([ \t]*)$/.exec(text.slice(0, last.offset));
  const gap = indent === null ? " " : `${formattingOptions.eol}${indent[1]}`;
  const written = `${hasComma ? "" : ","}${gap}${JSON.stringify(entry)}${hasComma ? "," : ""}`;
  return text.slice(0, at) + written + text.slice(at);
}
