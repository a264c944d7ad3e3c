// `npm run requirements`: how many requirements of each owner have a test, and which have none.
import { join } from "node:path";
import { citations, uncited, unknownIds } from "./requirement-citations.ts";
import { REQUIREMENTS } from "./requirements.ts";

const cited = citations(join(import.meta.dir, ".."));
const owners = [...new Set(REQUIREMENTS.map((requirement) => requirement.owner))];
const lines: string[] = ["owner        cited  uncited"];
for (const owner of owners) {
  const all = REQUIREMENTS.filter((requirement) => requirement.owner === owner).length;
  const open = uncited(owner, cited).length;
  lines.push(`${owner.padEnd(12)} ${String(all - open).padStart(5)}  ${String(open).padStart(7)}`);
}
const open = owners.reduce((sum, owner) => sum + uncited(owner, cited).length, 0);
lines.push(
  `${"all".padEnd(12)} ${String(REQUIREMENTS.length - open).padStart(5)}  ${String(open).padStart(7)}`,
);
for (const owner of owners) {
  const rest = uncited(owner, cited);
  if (rest.length > 0) lines.push("", `${owner}: no test cites`);
  for (const requirement of rest) lines.push(`  ${requirement.id.padEnd(11)} ${requirement.text}`);
}
const unknown = unknownIds(cited);
if (unknown.length > 0) lines.push("", "cited, but no requirement:", ...unknown.map((line) => `  ${line}`));
process.stdout.write(`${lines.join("\n")}\n`);
