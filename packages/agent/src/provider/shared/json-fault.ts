/**
 * Where a text stops being JSON. The engine's own `JSON.parse` tells no position, and a model can only repair its
 * arguments when it is told what is wrong and where.
 */

/** A fault: `position` counts UTF-16 units from 0; `reason` is a phrase for the model. */
export interface JsonFault {
  position: number;
  reason: string;
}

const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const space = /[ \t\n\r]*/y;
const plain = /[^"\\\u0000-\u001f]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

/** The end of the string that opens at `start`, or its fault. */
function endOfString(text: string, start: number): number | JsonFault {
  let at = start + 1;
  for (;;) {
    at = skip(plain, text, at);
    if (at >= text.length)
      return { position: at, reason: `the string that opens at position ${start} never ends` };
    const char = text[at];
    if (char === '"') return at + 1;
    if (char === "\\") {
      const after = skip(escaped, text, at);
      if (after === at)
        return { position: at, reason: `${JSON.stringify(text.slice(at, at + 2))} is no JSON escape` };
      at = after;
    } else {
      const name =
        char === "\n"
          ? "line break (write it as \\n)"
          : char === "\t"
            ? "tab (write it as \\t)"
            : "control character";
      return { position: at, reason: `a string holds a raw ${name}` };
    }
  }
}

type Want = "value" | "value or ]" | "key" | "key or }" | ":" | ", or ]" | ", or }" | "end";

/** The first fault of a text as strict JSON; undefined when there is none. Linear, and safe for any depth. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let want: Want = "value";
  let at = skip(space, text, 0);
  const closed = (): Want => (open.length === 0 ? "end" : open.at(-1) === "{" ? ", or }" : ", or ]");
  while (at < text.length) {
    const char = text[at] as string;
    if (want === "end") {
      const glued = char === "{" || char === "[" ? ": two values were glued together" : "";
      return { position: at, reason: `there is text after the end of the JSON value${glued}` };
    }
    const value: boolean = want === "value" || want === "value or ]";
    if (char === '"' && (value || want === "key" || want === "key or }")) {
      const end = endOfString(text, at);
      if (typeof end !== "number") return end;
      at = end;
      want = value ? closed() : ":";
    } else if (value && (char === "{" || char === "[")) {
      open.push(char);
      want = char === "{" ? "key or }" : "value or ]";
      at += 1;
    } else if ((char === "}" && want.endsWith("}")) || (char === "]" && want.endsWith("]"))) {
      open.pop();
      want = closed();
      at += 1;
    } else if (char === "," && want.startsWith(",")) {
      want = open.at(-1) === "{" ? "key" : "value";
      at += 1;
    } else if (char === ":" && want === ":") {
      want = "value";
      at += 1;
    } else {
      const end = value ? skip(literal, text, at) : at;
      if (end === at) return { position: at, reason: unexpected(char, want) };
      at = end;
      want = closed();
    }
    at = skip(space, text, at);
  }
  if (want === "end") return undefined;
  return {
    position: text.length,
    reason: text.trim() === "" ? "the text is empty" : `the text ends where ${want} should follow`,
  };
}

function unexpected(char: string, want: Want): string {
  if ((char === "}" && want === "key") || (char === "]" && want === "value"))
    return "there is a comma before the closing bracket";
  return `${JSON.stringify(char)} stands where ${want} should`;
}
