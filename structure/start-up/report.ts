/** Prints what `pi -p` loads before its first request, by folder: `node scripts/bun.mjs structure/start-up/report.ts`. */
import { dirname } from "node:path";
import { MOST, modulesBeforeFirstRequest, sizeOf } from "./modules.ts";

const modules = await modulesBeforeFirstRequest();
const folders = new Map<string, { modules: number; bytes: number }>();
for (const [path, bytes] of modules) {
  const folder = dirname(path).split("/").slice(0, 5).join("/");
  const before = folders.get(folder) ?? { modules: 0, bytes: 0 };
  folders.set(folder, { modules: before.modules + 1, bytes: before.bytes + bytes });
}
const { modules: count, kilobytes } = sizeOf(modules);
const rows = [...folders].sort(([, a], [, b]) => b.bytes - a.bytes);
process.stdout.write("| folder | modules | KB |\n|---|---|---|\n");
for (const [folder, size] of rows)
  process.stdout.write(`| ${folder} | ${size.modules} | ${(size.bytes / 1_000).toFixed(1)} |\n`);
process.stdout.write(
  `| all | ${count} of at most ${MOST.modules} | ${kilobytes} of at most ${MOST.kilobytes} |\n`,
);
