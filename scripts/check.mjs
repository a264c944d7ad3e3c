// `npm run check`: format and lint, types, layers, dead code. All run, side by side; any failure fails the whole.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tools = {
  "format and lint": ["biome", "check", "--error-on-warnings", "."],
  types: ["tsc", "--project", "."],
  layers: ["depcruise", "--config", "layers.mjs", "--output-type", "err", "packages"],
  "dead code": ["knip", "--no-progress"],
};

function run([tool, ...words]) {
  return new Promise((resolve) => {
    const child = spawn(join(root, "node_modules", ".bin", tool), words, {
      cwd: root,
      shell: process.platform === "win32",
    });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

let failed = false;
await Promise.all(
  Object.entries(tools).map(async ([name, words]) => {
    const started = Date.now();
    const { code, output } = await run(words);
    failed ||= code !== 0;
    process.stdout.write(
      `${code === 0 ? "ok  " : "FAIL"} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`,
    );
    if (code !== 0) process.stdout.write(`${output}\n`);
  }),
);
process.exit(failed ? 1 : 0);
