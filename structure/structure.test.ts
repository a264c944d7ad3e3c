import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { AGENT } from "../layers.mjs";

const root = join(import.meta.dir, "..");
const agent = join(root, "packages", "agent", "src");

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function folders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

const sources = [
  "packages/agent/src",
  "packages/remem/src",
  "packages/testkit/src",
  "e2e",
  "bench",
  "structure",
  "scripts",
]
  .map((folder) => join(root, folder))
  .filter(existsSync)
  .flatMap(filesBelow)
  .filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith(".generated.ts"));

test("every folder of the agent has its import rule, and every rule has its folder", () => {
  expect(Object.keys(AGENT).sort()).toEqual(folders(agent).sort());
});

test("the layer check sees the whole source", () => {
  const run = Bun.spawnSync(
    [
      process.platform === "win32" ? "node.exe" : "node",
      join(root, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs"),
      "--config",
      "layers.mjs",
      "--output-type",
      "json",
      "packages",
    ],
    { cwd: root },
  );
  const { modules } = JSON.parse(run.stdout.toString()) as { modules: { source: string }[] };
  const seen = new Set(modules.map((module) => module.source));
  const missing = sources
    .map((path) => relative(root, path).replaceAll("\\", "/"))
    .filter((path) => path.startsWith("packages/") && !seen.has(path));
  expect(missing).toEqual([]);
});

test("no source file is longer than 400 lines", () => {
  const long = sources
    .map((path) => ({ path: relative(root, path), lines: readFileSync(path, "utf8").split("\n").length - 1 }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

test("each tool folder holds the tool, its prompt and its tests", () => {
  const incomplete = folders(join(agent, "tools"))
    .filter((name) => name !== "shared" && name !== "test-support")
    .filter((name) => {
      const files = readdirSync(join(agent, "tools", name));
      return !(
        files.includes(`${name}.ts`) &&
        files.includes(`${name}.prompt.ts`) &&
        files.some((file) => file.endsWith(".test.ts"))
      );
    });
  expect(incomplete).toEqual([]);
});

test("nothing of this repository names a private place", () => {
  const words = [["/", "work", "/"].join(""), ["before", "stop"].join("-")];
  const tracked = Bun.spawnSync(["git", "ls-files", "-z"], { cwd: root }).stdout.toString().split("\0");
  const named = tracked
    .filter((path) => path !== "" && path !== "package-lock.json" && existsSync(join(root, path)))
    .filter((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return words.some((word) => text.includes(word));
    });
  expect(named).toEqual([]);
});
