import { readFileSync, writeFileSync } from "node:fs";

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` in a Markdown file. Throws when the marks are not there. */
export function replaceSection(file: string, name: string, content: string): void {
  const text = readFileSync(file, "utf8");
  const open = `<!-- ${name} -->`;
  const from = text.indexOf(open);
  const to = text.indexOf(`<!-- /${name} -->`);
  if (from < 0 || to < from) throw new Error(`${file} has no section ${open} … <!-- /${name} -->`);
  writeFileSync(file, `${text.slice(0, from + open.length)}\n${content.trim()}\n${text.slice(to)}`);
}
