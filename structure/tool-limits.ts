import { readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(import.meta.dir, "..", "packages", "agent", "src");

/**
 * A limit as the product's source states it: the number behind `const NAME = …` in a file of packages/agent/src. Products and sums of numbers
 * are worked out. Throws when it is not there any more, so that no page goes on telling of it.
 */
export function limitOf(file: string, name: string): number {
  const source = readFileSync(join(SOURCES, file), "utf8");
  const [, words = ""] = new RegExp(`^(?:export )?const ${name} = ([\\d_ *+.-]+);`, "m").exec(source) ?? [];
  if (words === "") throw new Error(`${file} has no number ${name}`);
  const terms = words.replaceAll("_", "").split(/ (?=[+-] )/);
  return terms.map(termValue).reduce((sum, value) => sum + value, 0);
}

function termValue(term: string): number {
  const [, sign = "", rest = ""] = /^([+-] )?(.*)$/.exec(term.trim())!;
  const value = rest.split("*").reduce((product, factor) => product * Number(factor), 1);
  return sign.startsWith("-") ? -value : value;
}
