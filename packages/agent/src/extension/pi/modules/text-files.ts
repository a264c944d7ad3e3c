import { extname } from "node:path";

const FENCE = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The front matter of a Markdown file as YAML, and what comes after it. Throws what is wrong with the YAML. */
export function parseFrontmatter(content: string): { frontmatter: Record<string, unknown>; body: string } {
  const text = content.replace(/^\uFEFF/, "");
  const match = FENCE.exec(text);
  if (match === null) return { frontmatter: {}, body: text };
  const value: unknown = Bun.YAML.parse(match[1]!);
  const frontmatter = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { frontmatter, body: text.slice(match[0].length).trim() };
}

export function stripFrontmatter(content: string): string {
  const text = content.replace(/^\uFEFF/, "");
  const match = FENCE.exec(text);
  return match === null ? text : text.slice(match[0].length).trim();
}

/** Names of languages by the ends of file names; an end that is not here is its own name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  kt: "kotlin",
  cs: "csharp",
  sh: "bash",
  zsh: "bash",
  yml: "yaml",
  md: "markdown",
  h: "c",
  hpp: "cpp",
  cc: "cpp",
};

export function getLanguageFromPath(path: string): string | undefined {
  const end = extname(path).slice(1).toLowerCase();
  return end === "" ? undefined : (LANGUAGES[end] ?? end);
}
