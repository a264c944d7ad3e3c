/** What a completion asks the program for; `files` is left to the shell. */
export type ValueKind = "models" | "sessions" | "providers" | "specs" | "files";

const KINDS: Readonly<Record<string, ValueKind>> = {
  "provider/model": "models",
  query: "models",
  id: "sessions",
  provider: "providers",
  spec: "specs",
  file: "files",
  folder: "files",
  path: "files",
  pem: "files",
  f: "files",
  p: "files",
};

/** What stands for a placeholder of usage texts and of the flag table; undefined where nothing can be offered. */
export function valueKind(placeholder: string): ValueKind | undefined {
  const name = placeholder.toLowerCase();
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}
