import type { Node } from "jsonc-parser";
import { CliError } from "../cli-error.ts";
import type { JsoncParser } from "./edit-jsonc.ts";

/**
 * JSON with comments in which a property has a value: every other byte stays. Gives the same text when it has it already. Throws a
 * CliError where the path leads through something that is no object.
 */
export function setProperty(
  jsonc: JsoncParser,
  text: string,
  path: readonly string[],
  value: string | boolean | number,
): string {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true })!;
  const known = jsonc.findNodeAtLocation(root, [...path]);
  if (known !== undefined)
    return known.value === value ? text : replaced(text, known.offset, known.length, JSON.stringify(value));
  for (let depth = path.length - 1; ; depth--) {
    const parent = depth === 0 ? root : jsonc.findNodeAtLocation(root, path.slice(0, depth));
    if (parent === undefined) continue;
    if (parent.type !== "object")
      throw new CliError(
        "broken_settings",
        `${path.slice(0, depth).join(".")} is no object of settings`,
        "correct the file; it was not changed",
      );
    return inserted(jsonc, text, parent, path.slice(depth), { value, depth });
  }
}

/** The text with a new last property in an object, on a line of its own. */
function inserted(
  jsonc: JsoncParser,
  text: string,
  object: Node,
  path: readonly string[],
  { value, depth }: { readonly value: string | boolean | number; readonly depth: number },
): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const step = /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
  const close = object.offset + object.length - 1;
  const inner = text.slice(object.offset + 1, close).trimEnd();
  const at = object.offset + 1 + inner.length;
  const written = property(path, value, step, depth + 1, lineEnd);
  const own = text.slice(at, close);
  const ends = own.includes("\n") ? own : lineEnd + step.repeat(depth);
  const withProperty = replaced(text, at, own.length, `${lineEnd}${step.repeat(depth + 1)}${written}${ends}`);
  const last = object.children?.at(-1);
  if (last === undefined) return withProperty;
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(last.offset + last.length);
  // 5 is the comma: the enumeration of the package is one of constants, which is not there at run time.
  const comma = 5;
  return scanner.scan() === comma ? withProperty : replaced(withProperty, last.offset + last.length, 0, ",");
}

function property(
  [name, ...rest]: readonly string[],
  value: string | boolean | number,
  step: string,
  depth: number,
  lineEnd: string,
): string {
  const written =
    rest.length === 0
      ? JSON.stringify(value)
      : `{${lineEnd}${step.repeat(depth + 1)}${property(rest, value, step, depth + 1, lineEnd)}${lineEnd}${step.repeat(depth)}}`;
  return `${JSON.stringify(name)}: ${written}`;
}

function replaced(text: string, offset: number, length: number, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}
