/** The protocol's kinds of symbols, from 1. */
const KINDS = [
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "field",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enum member",
  "struct",
  "event",
  "operator",
  "type parameter",
] as const;

export function symbolKind(kind: unknown): string {
  return (typeof kind === "number" ? KINDS[kind - 1] : undefined) ?? "symbol";
}
