/** Preloaded into `pi` from source: writes down which modules are loaded when the first request leaves, with their bytes, to `START_UP_REPORT`. */
import { readFileSync, writeFileSync } from "node:fs";

const loaded: Record<string, number> = {};
Bun.plugin({
  name: "start-up",
  setup(build) {
    build.onLoad({ filter: /\.(ts|js|mjs|cjs)$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8");
      loaded[path] = Buffer.byteLength(contents);
      return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
    });
  },
});

const send = globalThis.fetch;
let told = false;
globalThis.fetch = Object.assign((...request: Parameters<typeof fetch>) => {
  const report = process.env["START_UP_REPORT"];
  if (!told && report !== undefined) writeFileSync(report, JSON.stringify(loaded));
  told = true;
  return send(...request);
}, send);
