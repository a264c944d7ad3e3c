// Draws docs/pictures/*.svg with the built `pi`: `npm run build`, then `node scripts/bun.mjs structure/write-pictures.ts [NAME ...]`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawScenario } from "./pictures/draw-scenario.ts";
import { SCENARIOS } from "./pictures/scenarios.ts";

const folder = join(import.meta.dir, "..", "docs", "pictures");
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
if (unknown.length > 0) {
  const names = SCENARIOS.map(({ name }) => name).join(", ");
  process.stderr.write(`there is no picture "${unknown.join('", "')}"; there are: ${names}\n`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const scenario of SCENARIOS) {
  if (chosen.length > 0 && !chosen.includes(scenario.name)) continue;
  const file = join(folder, `${scenario.name}.svg`);
  writeFileSync(file, await drawScenario(scenario));
  process.stdout.write(`${file}\n`);
}
