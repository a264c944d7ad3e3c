import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { compare, median, runOnce } from "./measure.ts";
import { type Figure, ms, times } from "./report.ts";
import { benchService, prompt } from "./service.ts";
import { MODEL, piCommand } from "./subject.ts";

/** One grep and one find over many files as whole `pi` runs, beside bare ripgrep on the same files. */
export async function benchSearch(runs: number, files: number): Promise<Figure[]> {
  await using space = await workspace({ "a.txt": "one\n" });
  await using service = await benchService();
  makeFiles(space.path, files);
  const grep = prompt([{ name: "grep", input: { pattern: "needle [0-9]+7\\b" } }]);
  const find = prompt([{ name: "find", input: { pattern: "**/*7.ts" } }]);
  const bare = (words: string[]) => () =>
    runOnce({
      argv: [ripgrep(), "--no-config", "--hidden", ...words],
      cwd: space.path,
      environment: space.env(),
    });
  const costs = await compare(runs, {
    idle: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", "hi"])),
    grep: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", grep])),
    bareGrep: bare(["-n", "needle [0-9]+7\\b", "."]),
    find: () => runOnce(piCommand(space, service.url, [...MODEL, "-p", find])),
    bareFind: bare(["--files", "."]),
  });
  const wall = (name: string) => median(costs[name]!.map((cost) => cost.wallMs));
  const figure = (name: string, own: number, other: number): Figure => ({
    name: `${name} over ${files} files`,
    value: `${ms(own)} = ${times(own / other)}`,
    beside: `bare ripgrep: ${ms(other)}`,
    goal: "≤ 2 ×",
    met: own / other <= 2,
  });
  return [
    figure("grep", wall("grep") - wall("idle"), wall("bareGrep")),
    figure("find", wall("find") - wall("idle"), wall("bareFind")),
  ];
}

function makeFiles(root: string, files: number): void {
  for (let index = 0; index < files; index++) {
    const folder = join(root, `d${index % 100}`, `e${Math.floor(index / 100) % 50}`);
    if (index < 5_000) mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, `file${index}.ts`),
      `export const value${index} = "needle ${index}";\nexport default value${index};\n`,
    );
  }
}

function ripgrep(): string {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const places =
    createRequire(join(import.meta.dir, "..", "packages", "agent", "package.json")).resolve.paths(name) ?? [];
  const found = places.map((place) => join(place, name, "bin", "rg")).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}
